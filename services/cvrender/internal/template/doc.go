// Package template lays out a CV as one HTML document: A4, English or Arabic, with an embedded
// style and nothing to fetch.
//
// html/template escapes every text of the CV for its context. Only these values are marked as safe:
// the style sheet, the photo, which package photo has encoded, and links that links.go has built
// (mailto:, tel:, http and https).
//
// It must never put a script or an address to fetch into the document, nor anything that does not
// come from the CV and the photo: the document's hash names the PDF.
package template
