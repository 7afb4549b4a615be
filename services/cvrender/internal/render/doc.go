// Package render turns CVs into PDFs, each content once, fairly.
//
// A CV becomes an HTML document, and the document's hash names the PDF. Only the document
// can change the PDF, so nothing stale is ever served and nothing is printed twice
// (behaviour: pdf#caching). Printing goes through a bounded queue
// that gives every share its turn, to slots with one Chromium each
// (behaviour: pdf#fair-queueing).
//
// It must never answer with a PDF that it has not checked.
package render
