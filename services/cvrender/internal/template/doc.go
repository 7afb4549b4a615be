// Package template lays out a CV as a single HTML document in A4 format, in English or Arabic, with an
// embedded style sheet and nothing to fetch.
//
// html/template escapes every string in the CV for its context. Only three values are marked as safe: the
// style sheet, the photo that package photo has encoded, and the links built in links.go.
//
// The package must never put a script, or a URL that would be fetched, into the document. The document's hash
// identifies the PDF, so the document must contain nothing but the CV and the photo.
package template
