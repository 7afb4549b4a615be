package resume

import (
	"bytes"
	"slices"
	"testing"
	"time"
)

func TestKindIsDetectedFromContent(t *testing.T) {
	embedded := compoundFile(root(1),
		object{name: "Workbook", kind: 2, left: cfbNone, right: 2, child: cfbNone},
		object{name: "MBD0001", kind: 1, left: cfbNone, right: cfbNone, child: 3},
		stream("WordDocument", cfbNone))
	storage := compoundFile(root(1), object{name: "WordDocument", kind: 1, left: cfbNone, right: cfbNone, child: cfbNone})
	for name, tc := range map[string]struct {
		content []byte
		want    string // the expected media type, or "" if the file is rejected
	}{
		"PDF":                                  {pdfFile(), pdf.contentType},
		"PDF after a mail's header":            {append(make([]byte, 1019), "%PDF-"...), pdf.contentType},
		"PDF header that comes too late":       {append(make([]byte, 1020), "%PDF-"...), ""},
		"RTF":                                  {rtfFile(), rtf.contentType},
		"RTF that speaks of %PDF-":             {[]byte(`{\rtf1 %PDF-1.7}`), rtf.contentType},
		"DOC":                                  {docFile(), doc.contentType},
		"DOC by its first sector":              {compoundFile(root(1), stream("WordDocument", cfbNone)), doc.contentType},
		"sheet":                                {compoundFile(root(1), stream("Workbook", cfbNone)), ""},
		"spreadsheet that contains a document": {embedded, ""},
		"storage with the name of a document":  {storage, ""},
		"truncated compound file":              {docFile()[:600], ""},
		"compound header":                      {compoundMagic, ""},
		"DOCX":                                 {docxFile(), docx.contentType},
		"DOCX, names in capitals":              {zipFile("[CONTENT_TYPES].XML", "WORD/DOCUMENT.XML"), docx.contentType},
		"XLSX":                                 {zipFile("[Content_Types].xml", "xl/workbook.xml"), ""},
		"archive that contains a document":     {zipFile("a.pdf", "word/document.xml"), ""},
		"archive that contains %PDF-":          {zipFile("%PDF-1.7"), ""},
		"DOCX of very many files":              {zipFile(append(slices.Repeat([]string{"a"}, 5000), "[Content_Types].xml", "word/document.xml")...), ""},
		"DOCX, cut":                            {docxFile()[:len(docxFile())-30], ""},
		"program with a DOCX appended":         {append([]byte("MZ"), docxFile()...), ""},
		"picture":                              {[]byte("\x89PNG\r\n\x1a\n"), ""},
		"page":                                 {[]byte("<!doctype html><script>alert(1)</script>"), ""},
		"text":                                 {[]byte("Layla Haddad"), ""},
		"nothing":                              {nil, ""},
	} {
		got, taken := kindOf(tc.content)
		if taken != (tc.want != "") || taken && got.contentType != tc.want {
			t.Errorf("%s: the kind is %v, accepted: %v", name, got, taken)
		}
	}
}

// Such a file must not occupy an upload slot forever.
func TestCyclicTreeTerminates(t *testing.T) {
	circle := compoundFile(root(1), stream("A", 2), stream("B", 1))
	result := make(chan bool, 1)
	go func() {
		_, taken := kindOf(circle)
		result <- taken
	}()
	select {
	case taken := <-result:
		if taken {
			t.Error("the cyclic file is accepted as a document")
		}
	case <-time.After(10 * time.Second): // a correct search takes microseconds
		t.Error("the search of the tree does not end")
	}
}

func FuzzKindOf(f *testing.F) {
	for _, content := range [][]byte{pdfFile(), rtfFile(), docFile(), docxFile(), zipFile(), compoundMagic} {
		f.Add(content)
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		k, taken := kindOf(content)
		if !taken {
			return
		}
		if kindFor(k.contentType) != k {
			t.Errorf("the kind %v is not found by its content type", k)
		}
		// No accepted file may start like an HTML page or a script.
		for _, first := range []string{"<!doctype", "<html", "#!"} {
			if k != pdf && bytes.HasPrefix(bytes.ToLower(content), []byte(first)) {
				t.Errorf("%q is accepted as %s", content, k.contentType)
			}
		}
	})
}

func TestFilenameIsCleaned(t *testing.T) {
	for name, want := range map[string]string{
		"Layla Haddad.pdf":         "Layla Haddad.pdf",
		"سيرة ليلى.docx":           "سيرة ليلى.docx",
		"/etc/passwd":              "passwd",
		`C:\Users\layla\cv.doc`:    "cv.doc",
		"../../cv.pdf":             "cv.pdf",
		"cv\r\nX-Header: 1.pdf":    "cvX-Header: 1.pdf",
		"cv\u202efdp.exe":          "cvfdp.exe",
		"a\u2066b\u2069\u200e.pdf": "ab.pdf",
		"a\u2028b.pdf":             "ab.pdf",
		"a\u00a0b.pdf":             "a b.pdf",
		"  cv.pdf  ":               "cv.pdf",
		"\x00":                     "",
		"..":                       "",
		"folder/":                  "",
		"":                         "",
		"cv\xff.pdf":               "cv.pdf",
	} {
		if got := cleanFilename(name); got != want {
			t.Errorf("%q becomes %q, want %q", name, got, want)
		}
	}
}
