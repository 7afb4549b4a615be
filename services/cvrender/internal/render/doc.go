// Package render renders CVs as PDFs, each only once while its content is the same, and schedules the work
// fairly.
//
// It converts a CV to an HTML document, whose hash identifies the PDF. Nothing else changes the PDF, so no
// outdated PDF is served and nothing is printed twice (behaviour: pdf#caching). Documents that are to be
// printed wait in a bounded queue. Slots, each of which has one Chromium, take documents from the shares in
// turn (behaviour: pdf#fair-queueing).
//
// The package must never return a PDF that it has not checked.
package render
