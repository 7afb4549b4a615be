package redirecturi_test

import (
	"net/url"
	"strings"
	"testing"

	"vitae.internal/services/auth/internal/oauth/redirecturi"
)

func TestOnlySafeURIsCanBeRegistered(t *testing.T) {
	cases := map[string]bool{
		"https://partner.example/callback":               true,
		"https://partner.example:8443/cb?a=b":            true,
		"https://partner.example":                        true,
		"http://127.0.0.1/cb":                            true,
		"http://127.0.0.1:8090/cb":                       true,
		"http://[::1]/cb":                                true,
		"http://[::1]:4000/cb":                           true,
		"http://localhost:3000/cb":                       true,
		"com.example.app:/cb":                            true,
		"com.example.app://cb":                           true,
		"":                                               false,
		"/cb":                                            false,
		"partner.example/cb":                             false,
		"https:partner.example":                          false,
		"https:///cb":                                    false,
		"https://:443/cb":                                false,
		"https://partner.example:/cb":                    false,
		"https://partner.example:0/cb":                   false,
		"https://partner.example:65536/cb":               false,
		"HTTPS://partner.example/cb":                     false,
		"http://partner.example/cb":                      false,
		"http://127.0.0.1.evil.example/cb":               false,
		"http://localhost.evil.example/cb":               false,
		"http://127.0.0.1@evil.example/cb":               false,
		"https://user:pw@partner.example/cb":             false,
		"https://partner.example/cb#x":                   false,
		"https://partner.example/cb#":                    false,
		"https://partner.example\\@evil.example/":        false,
		"https://partner.example/ cb":                    false,
		"https://partner.example/\ncb":                   false,
		"https://partner.example/\x00":                   false,
		"https://*.partner.example/cb":                   false,
		"https://pärtner.example/cb":                     false,
		"https://partner%2eexample/cb":                   false,
		"javascript:alert(1)":                            false,
		"data:text/html,x":                               false,
		"myapp:/cb":                                      false,
		"com.example.app:":                               false,
		"https://a.example/" + strings.Repeat("a", 2048): false,
	}
	for uri, ok := range cases {
		if err := redirecturi.Validate(uri); (err == nil) != ok {
			t.Errorf("Validate(%q) = %v, want allowed %v", uri, err, ok)
		}
	}
}

func TestOnlyLoopbackPortsMayDiffer(t *testing.T) {
	cases := []struct {
		registered, presented string
		want                  bool
	}{
		{"https://a.example/cb", "https://a.example/cb", true},
		{"https://a.example/cb", "https://a.example/cb/", false},
		{"https://a.example/cb", "http://a.example/cb", false},
		{"https://a.example/cb", "https://a.example/cb?x=1", false},
		{"https://a.example/cb", "https://A.example/cb", false},
		{"https://a.example/cb", "https://a.example:443/cb", false},
		{"https://a.example/cb", "https://a.example/%63b", false},
		{"http://127.0.0.1/cb", "http://127.0.0.1:54321/cb", true},
		{"http://127.0.0.1/cb", "http://127.0.0.1:54321/other", false},
		{"http://127.0.0.1/cb", "http://127.0.0.1:/cb", false},
		{"http://127.0.0.1/cb", "http://127.0.0.1:0/cb", false},
		{"http://127.0.0.1/cb", "http://127.0.0.1:70000/cb", false},
		{"http://127.0.0.1/cb", "http://127.0.0.1:1@evil.example/cb", false},
		{"http://127.0.0.1/cb", "http://127.0.0.1:1/x/cb", false},
		{"http://127.0.0.1/cb", "http://localhost:1/cb", false},
		{"http://127.0.0.1/cb", "https://127.0.0.1:1/cb", false},
		{"http://127.0.0.1:80/cb", "http://127.0.0.1:81/cb", false},
		{"http://127.0.0.1", "http://127.0.0.1:9000", true},
		{"http://127.0.0.1", "http://127.0.0.1:9000/cb", false},
		{"http://[::1]/cb", "http://[::1]:9000/cb", true},
		{"http://localhost/cb?x=1", "http://localhost:9000/cb?x=1", true},
		{"https://localhost/cb", "https://localhost:9000/cb", false},
		{"com.example.app:/cb", "com.example.app:/cb", true},
		{"com.example.app:/cb", "com.example.app:/cb2", false},
	}
	for _, c := range cases {
		if got := redirecturi.Matches(c.registered, c.presented); got != c.want {
			t.Errorf("Matches(%q, %q) = %v", c.registered, c.presented, got)
		}
	}
}

// FuzzMatches checks that a matching URI leads the browser to the registered scheme, host, path and
// query, without additions.
func FuzzMatches(f *testing.F) {
	f.Add("http://127.0.0.1/cb", "http://127.0.0.1:54321/cb")
	f.Add("http://localhost?x=1", "http://localhost:1?x=1")
	f.Add("https://a.example/cb", "https://a.example/cb")
	f.Add("http://[::1]", "http://[::1]:1")
	f.Fuzz(func(t *testing.T, registered, presented string) {
		if redirecturi.Validate(registered) != nil || !redirecturi.Matches(registered, presented) {
			return
		}
		if err := redirecturi.Validate(presented); err != nil {
			t.Fatalf("%q matches %q but could not be registered: %v", presented, registered, err)
		}
		r, p := parse(t, registered), parse(t, presented)
		if r.Scheme != p.Scheme || r.Hostname() != p.Hostname() || r.RequestURI() != p.RequestURI() || p.User != nil || p.Fragment != "" {
			t.Fatalf("%q matches %q but leads elsewhere", presented, registered)
		}
		if r.Port() != p.Port() && (r.Port() != "" || r.Scheme != "http") {
			t.Fatalf("%q matches %q with a different port", presented, registered)
		}
	})
}

func parse(t *testing.T, s string) *url.URL {
	t.Helper()
	u, err := url.Parse(s)
	if err != nil {
		t.Fatalf("%q: %v", s, err)
	}
	return u
}
