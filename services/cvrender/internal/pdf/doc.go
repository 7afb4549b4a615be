// Package pdf checks that a file of Chromium's is a whole PDF, and makes the same content
// the same bytes.
//
// It must never change the length of a file: the cross-reference table of a PDF holds
// positions of bytes.
package pdf
