package pdf

import (
	"bytes"
	"fmt"
	"testing"
)

func skeleton(info string) []byte {
	body := fmt.Sprintf("%%PDF-1.4\n1 0 obj\n<<%s>>\nendobj\n2 0 obj\n<</Type /Pages\n/Count 3>>\nendobj\n", info)
	return fmt.Appendf(nil, "%sxref\nstartxref\n%d\n%%%%EOF\n", body, len(body))
}

func TestStabilizeRemovesDatesInPlace(t *testing.T) {
	at := func(when string) []byte {
		return skeleton("/Title (CV)\n/CreationDate (D:" + when + "+00'00')\n/ModDate (D:" + when + "+00'00')")
	}
	one, two := at("20260101000000"), at("20270203040506")
	length := len(one)
	for _, f := range [][]byte{one, two} {
		if err := Stabilize(f); err != nil {
			t.Fatal(err)
		}
		if err := Check(f); err != nil {
			t.Error(err)
		}
	}
	if !bytes.Equal(one, two) || len(one) != length {
		t.Errorf("the files differ:\n%s\n%s", one, two)
	}
}

func TestStabilizeChangesOnlyDates(t *testing.T) {
	f := skeleton("/Title (CV)")
	f = append(f[:len(f):len(f)], "/CreationDate (D:20260101000000Z)"...)
	before := bytes.Clone(f)
	if err := Stabilize(f); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(f, before) {
		t.Error("bytes after the first object changed")
	}
	if err := Stabilize([]byte("nothing")); err == nil {
		t.Error("an invalid PDF was accepted")
	}
}

func TestPagesCountsWholeTree(t *testing.T) {
	f := []byte("<</Type /Pages\n/Count 8\n/Kids []>> <</Type /Pages\n/Count 12>> <</Type /Pages\n/Count 4>>")
	if got := Pages(f); got != 12 {
		t.Errorf("Pages = %d, want 12", got)
	}
}

func FuzzCheck(f *testing.F) {
	f.Add(skeleton(""))
	f.Add([]byte("%PDF-1."))
	f.Fuzz(func(_ *testing.T, b []byte) {
		_ = Check(b)
		_ = Stabilize(b)
	})
}
