package resume

import (
	"archive/zip"
	"bytes"
	"errors"
	"strings"
)

// kind is an accepted file type.
type kind struct {
	contentType string
	// fallback is the name used for a file without a name.
	fallback string
}

// The accepted file types (behaviour: applications#uploaded-resumes).
var (
	pdf  = kind{"application/pdf", "resume.pdf"}
	doc  = kind{"application/msword", "resume.doc"}
	docx = kind{"application/vnd.openxmlformats-officedocument.wordprocessingml.document", "resume.docx"}
	rtf  = kind{"application/rtf", "resume.rtf"}
)

var (
	zipMagic      = []byte("PK\x03\x04")
	compoundMagic = []byte{0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1}
	// directoryMagic is the signature of a ZIP directory entry (APPNOTE 4.3.12).
	directoryMagic = []byte("PK\x01\x02")
	rtfMagic       = []byte(`{\rtf`)
	pdfMagic       = []byte("%PDF-")
)

// maxParts is the maximum number of files in a ZIP archive. No real document contains so many.
const maxParts = 5000

// pdfHeaderWithin is the number of bytes at the beginning of a file in which readers search for the
// header of a PDF (PDF 1.7, implementation note 13).
const pdfHeaderWithin = 1024

// kindOf detects the type of a file from its content, and reports whether it is accepted. A ZIP
// archive or compound file must contain the parts of a document.
func kindOf(content []byte) (kind, bool) {
	switch {
	case bytes.HasPrefix(content, zipMagic):
		return docx, isDocx(content)
	case bytes.HasPrefix(content, compoundMagic):
		return doc, hasRootStream(content, "WordDocument")
	case bytes.HasPrefix(content, rtfMagic):
		return rtf, true
	}
	head := content[:min(len(content), pdfHeaderWithin)]
	return pdf, bytes.Contains(head, pdfMagic)
}

// kindFor returns the kind with the given content type.
func kindFor(contentType string) kind {
	for _, k := range []kind{doc, docx, rtf} {
		if k.contentType == contentType {
			return k
		}
	}
	return pdf
}

// isDocx reports whether a ZIP archive contains the parts of a word-processing document. Part names
// are case-insensitive (ECMA-376 part 2).
func isDocx(content []byte) bool {
	// Package zip allocates about 150 bytes for each directory entry, although an entry takes only
	// 46 bytes in the file.
	if bytes.Count(content, directoryMagic) > maxParts {
		return false
	}
	archive, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return false
	}
	var types, document bool
	for _, f := range archive.File {
		types = types || strings.EqualFold(f.Name, "[Content_Types].xml")
		document = document || strings.EqualFold(f.Name, "word/document.xml")
	}
	return types && document
}
