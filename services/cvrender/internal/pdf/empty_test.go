package pdf

import (
	"strings"
	"testing"
)

// A marked-content sequence remains on the page even if none of it is drawn. An element without
// content would make the parent tree invalid (ISO 32000-1, 14.7.4.4).
func TestInvisibleMarkedContentIsKept(t *testing.T) {
	marks, err := readContent([]byte("/P <</MCID 0>> BDC 0 0 1 1 re f EMC /P <</MCID 1>> BDC EMC /P <</MCID 2>> BDC 0 0 1 1 re f EMC"), nil)
	if err != nil {
		t.Fatal(err)
	}
	written := string(writeMarks(marks, func(m *mark) reading { return reading{place: m.id} }))
	for _, want := range []string{"/MCID 0>> BDC", "/MCID 1>> BDC\nEMC", "/MCID 2>> BDC"} {
		if !strings.Contains(written, want) {
			t.Errorf("%q is missing in\n%s", want, written)
		}
	}
}
