// Package render turns CVs into PDFs, each content once, fairly.
//
// A CV becomes an HTML document, and the document's hash names the PDF: what is
// not in the document cannot change the PDF, so nothing stale is ever served and
// nothing is printed twice. Printing goes through a bounded queue that gives
// every share its turn, to slots with one Chromium each (design: Promises, 8).
//
// It must never answer with a PDF that it has not checked.
package render
