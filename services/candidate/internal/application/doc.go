// Package application is applications to jobs: the rules for making one, the
// stages that it goes through, and the lists that employers read (spec:
// Candidates; decisions 35 and 36).
//
// It must never show an application to an app that does not manage its company:
// every use case for partners checks that before anything else of the
// application is read.
package application
