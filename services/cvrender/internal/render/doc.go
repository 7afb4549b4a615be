// Package render turns CVs into PDFs, once per content, and fairly.
//
// A CV becomes an HTML document, whose hash names the PDF. Only the document can change the PDF, so
// no outdated PDF is served and nothing is printed twice (behaviour: pdf#caching). Printing goes
// through a bounded queue, round-robin among shares, to slots with one Chromium each
// (behaviour: pdf#fair-queueing).
//
// It must never return a PDF that it has not checked.
package render
