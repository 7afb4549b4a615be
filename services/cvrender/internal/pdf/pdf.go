// Package pdf checks that a file from Chromium is a complete PDF, and rewrites it so that PDF
// readers and screen readers can read its text. The same content always has the same bytes.
package pdf

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strconv"
)

// Check returns an error unless file is a complete PDF with at least one page. It supports only the
// format that Skia writes, not all of ISO 32000.
func Check(file []byte) error {
	if !bytes.HasPrefix(file, []byte("%PDF-1.")) {
		return errors.New("pdf: no header")
	}
	end := bytes.TrimRight(file, "\r\n")
	if !bytes.HasSuffix(end, []byte("%%EOF")) {
		return errors.New("pdf: no end")
	}
	at := startXref.FindSubmatch(end)
	if at == nil {
		return errors.New("pdf: no startxref")
	}
	if pos, err := strconv.Atoi(string(at[1])); err != nil || pos >= len(file) || !bytes.HasPrefix(file[pos:], []byte("xref")) {
		return errors.New("pdf: startxref points to no cross-reference table")
	}
	if Pages(file) < 1 {
		return errors.New("pdf: no pages")
	}
	return nil
}

// Pages returns the number of pages in a file that Skia has written.
func Pages(file []byte) int {
	most := 0
	// The root of the page tree contains the total number of pages. The other nodes contain only
	// the numbers of pages below them.
	for _, m := range pageTree.FindAllSubmatch(file, -1) {
		if n, err := strconv.Atoi(string(m[1])); err == nil {
			most = max(most, n)
		}
	}
	return most
}

var (
	startXref = regexp.MustCompile(`startxref\s+(\d+)\s+%%EOF$`)
	pageTree  = regexp.MustCompile(`/Type /Pages\s+/Count (\d+)`)
	dates     = regexp.MustCompile(`/(?:CreationDate|ModDate) \(D:[0-9+\-Z']*\)`)
)

// Stabilize removes, in place, the only bytes that differ between two renderings of the same
// content. These are the dates in the information dictionary, which is the first object in the
// file. No text in this object can look like such a date, because parentheses in strings are
// escaped.
func Stabilize(file []byte) error {
	end := bytes.Index(file, []byte("endobj"))
	if end < 0 {
		return fmt.Errorf("pdf: no object")
	}
	info := file[:end]
	for _, at := range dates.FindAllIndex(info, -1) {
		for i := at[0]; i < at[1]; i++ {
			info[i] = ' '
		}
	}
	return nil
}
