package pdf

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strconv"
)

// Check reports what is wrong with a file that should be a complete PDF with
// at least one page. It knows how Skia writes PDFs, not all of ISO 32000.
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

// Pages is how many pages a file of Skia's has.
func Pages(file []byte) int {
	most := 0
	// The root of the page tree counts them all, the nodes below it their own.
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

// Stabilise removes, in place, what differs from one rendering of the same
// content to the next: the dates in the file's information dictionary, which is
// its first object. The texts in it cannot look like a date of ours, because
// brackets in strings are escaped.
func Stabilise(file []byte) error {
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
