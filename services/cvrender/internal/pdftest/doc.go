// Package pdftest checks PDFs against PDF/UA-1, and runs the programs with which others read them.
package pdftest
