package pdf

import (
	"strings"
	"testing"
)

// Marked content stays in the page even if nothing of it is drawn: an element without content would
// break the parent tree (ISO 32000-1, 14.7.4.4).
func TestInvisibleMarkedContentStays(t *testing.T) {
	marks, err := readContent([]byte("/P <</MCID 0>> BDC 0 0 1 1 re f EMC /P <</MCID 1>> BDC EMC /P <</MCID 2>> BDC 0 0 1 1 re f EMC"), nil)
	if err != nil {
		t.Fatal(err)
	}
	written := string(writeMarks(marks, func(m *mark) reading { return reading{place: m.id} }))
	for _, want := range []string{"/MCID 0>> BDC", "/MCID 1>> BDC\nEMC", "/MCID 2>> BDC"} {
		if !strings.Contains(written, want) {
			t.Errorf("no %q in\n%s", want, written)
		}
	}
}
