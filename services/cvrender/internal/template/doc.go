// Package template lays out a CV as one HTML document: A4, English or Arabic, with an embedded
// style and nothing to fetch.
//
// html/template escapes every text of the CV for its context. Only three values are marked as safe:
// the style sheet, the photo that package photo has encoded, and the links of links.go.
//
// It must never put a script or an address to fetch into the document. As the document's hash names
// the PDF, it must contain nothing but the CV and the photo.
package template
