package pdf

import (
	"bytes"
	"fmt"
	"testing"
	"testing/fstest"
)

// FuzzRefine checks that no invalid file does any harm, because Chromium is treated as compromised.
func FuzzRefine(f *testing.F) {
	r, err := NewRefiner(fstest.MapFS{})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(small("BT /F1 12 Tf 1 0 0 -1 0 0 Tm <0001> Tj ET"))
	f.Add(small("q 1 0 0 1 0 0 cm /P <</MCID 0>> BDC 0 0 1 1 re f EMC Q"))
	f.Add(bytes.Repeat([]byte("<<["), 1<<12))
	f.Fuzz(func(_ *testing.T, b []byte) {
		_, _ = r.Refine(b, Metadata{Author: "x"})
	})
}

func TestUnknownContentIsRejected(t *testing.T) {
	for name, content := range map[string]string{
		"an operator inside a text object": "BT 12 TL ET", "a text object without an end": "BT", "an end without a beginning": "EMC",
		"a state that is not restored": "q", "an inline image": "BI ID EI",
	} {
		if _, err := readContent([]byte(content), nil); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}

func TestRefinedFileNamesAuthor(t *testing.T) {
	r, err := NewRefiner(fstest.MapFS{})
	if err != nil {
		t.Fatal(err)
	}
	out, err := r.Refine(small("0 0 1 1 re f"), Metadata{Author: "نورة"})
	if err != nil {
		t.Fatal(err)
	}
	if err := Check(out); err != nil {
		t.Error(err)
	}
	for _, want := range []string{"/Author <FEFF064606480631", "<pdfuaid:part>1</pdfuaid:part>", "/ID [<"} {
		if !bytes.Contains(out, []byte(want)) {
			t.Errorf("%s is missing in\n%s", want, out)
		}
	}
	if bytes.Contains(out, []byte("CreationDate")) {
		t.Error("the file has a creation date")
	}
}

func TestLettersReplacesPresentationForms(t *testing.T) {
	for form, want := range map[string]string{"\ufefb": "لا", "\ufef3": "ي", "\ufe76": "\u064e", "a": "a", "ي": "ي"} {
		if got := letters(form); got != want {
			t.Errorf("letters(%q) = %q, want %q", form, got, want)
		}
	}
}

// small returns a file with one page, which has the given content.
func small(content string) []byte {
	var out bytes.Buffer
	var at []int
	object := func(text string) {
		at = append(at, out.Len())
		out.WriteString(text)
	}
	out.WriteString("%PDF-1.4\n")
	object("1 0 obj\n<</Title (CV)\n/CreationDate (D:20260101000000Z)>>\nendobj\n")
	object("2 0 obj\n<</Type /Catalog /Pages 3 0 R /Lang (en)>>\nendobj\n")
	object("3 0 obj\n<</Type /Pages\n/Count 1\n/Kids [4 0 R]>>\nendobj\n")
	object("4 0 obj\n<</Type /Page /Contents 5 0 R /Resources <<>>>>\nendobj\n")
	object(fmt.Sprintf("5 0 obj\n<</Length %d>> stream\n%s\nendstream\nendobj\n", len(content), content))
	table := out.Len()
	out.WriteString("xref\n0 6\n0000000000 65535 f \n")
	for _, offset := range at {
		fmt.Fprintf(&out, "%010d 00000 n \n", offset)
	}
	fmt.Fprintf(&out, "trailer\n<</Size 6\n/Root 2 0 R\n/Info 1 0 R>>\nstartxref\n%d\n%%%%EOF\n", table)
	return out.Bytes()
}
