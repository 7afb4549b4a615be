// Package render renders each CV as a PDF only once per content, and schedules the work fairly.
//
// It converts a CV to an HTML document, whose hash identifies the PDF. Nothing else changes the PDF, so no
// outdated PDF is served and nothing is printed twice (behaviour: pdf#caching). Documents to print wait in a
// bounded queue. Slots with one Chromium each take them round-robin from the shares
// (behaviour: pdf#fair-queueing).
//
// The package must never return a PDF that it has not checked.
package render
