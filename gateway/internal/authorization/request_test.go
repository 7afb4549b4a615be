package authorization

import (
	"net/url"
	"testing"
)

// The REST API and the consent page must read the same from a query.
func TestAQueryIsTheSameToWhoeverIsRedirectedWithIt(t *testing.T) {
	for raw, want := range map[string]string{
		"state=a%20b+c&x=%7e": "state=a%20b+c&x=%7e", "state=a b\xc3\xbc\x00": "state=a%20b%C3%BC%00", "state=a#b&scope=x": "state=a%23b&scope=x",
	} {
		got := Printable(raw)
		u, err := url.Parse("https://app.vitae.example/oauth/authorize?" + got)
		if got != want || err != nil || u.RawQuery != want || u.Fragment != "" {
			t.Errorf("%q becomes %q, %v", raw, got, err)
		}
	}
}
