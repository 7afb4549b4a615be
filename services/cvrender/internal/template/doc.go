// Package template lays a CV out as one HTML document: A4, English or Arabic,
// with its style inside and nothing to fetch.
//
// Every text of the CV passes through html/template's contextual escaping. The
// only values marked as safe are the style sheet, the photo that we encoded
// ourselves, and telephone links made of digits.
//
// It must never put a script, an address to fetch, or anything into the document
// that does not follow from the CV and the photo alone: the document's hash
// names the PDF.
package template
