package location

import (
	"net/url"
	"testing"
)

// The endpoint and the page that it redirects to must read the same query.
func TestPrintableKeepsQueryMeaning(t *testing.T) {
	for raw, want := range map[string]string{
		"state=a%20b+c&x=%7e": "state=a%20b+c&x=%7e", "state=a b\xc3\xbc\x00": "state=a%20b%C3%BC%00", "state=a#b&scope=x": "state=a%23b&scope=x",
	} {
		got := Printable(raw)
		u, err := url.Parse("https://app.vitae.example/oauth/authorize?" + got)
		if got != want || err != nil || u.RawQuery != want || u.Fragment != "" {
			t.Errorf("%q was encoded as %q, %v", raw, got, err)
		}
	}
}

func TestPrintableKeepsPrintableCharacters(t *testing.T) {
	var printable string
	for c := range byte(0x80) {
		if got := Printable(string(c)); got == string(c) {
			printable += got
		}
	}
	const between = "$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ["
	if want := `!"` + between + `\]^_` + "`abcdefghijklmnopqrstuvwxyz{|}~"; printable != want {
		t.Errorf("characters left unencoded:\n%s, want\n%s", printable, want)
	}
	if got := Printable("\x00\x20\x7f\xff#"); got != "%00%20%7F%FF%23" {
		t.Errorf("encoded: %s", got)
	}
}
