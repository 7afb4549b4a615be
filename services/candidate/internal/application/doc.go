// Package application manages applications to jobs: applying, stage changes, and the lists for
// employers (behaviour: applications).
//
// It must never show an application to an app that does not manage the application's company. Every
// use case for partners checks this before it reads anything else about the application.
package application
