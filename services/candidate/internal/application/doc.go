// Package application is applications to jobs: the rules for making one, its
// stages, and the lists that employers read (behaviour: applications).
//
// It must never show an application to an app that does not manage its company:
// every use case for partners checks that before it reads anything else of the
// application.
package application
