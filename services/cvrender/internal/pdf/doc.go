// Package pdf looks over the files that Chromium writes: whether they are whole,
// and that the same content is the same bytes.
//
// It must never change the length of a file: its cross-reference table holds
// positions.
package pdf
