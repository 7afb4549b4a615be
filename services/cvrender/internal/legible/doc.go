// Package legible runs the programs with which others read PDFs, and compares what they
// read with what the document says.
//
// It must never be imported by anything but tests.
package legible
