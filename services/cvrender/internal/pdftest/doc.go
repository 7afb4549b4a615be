// Package pdftest checks PDFs against PDF/UA-1, and runs programs that read PDFs.
package pdftest
