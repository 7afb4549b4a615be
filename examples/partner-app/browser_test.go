package main

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"testing"
)

// browser is a visitor's browser. It does not follow redirects.
type browser struct {
	t      *testing.T
	site   string
	client *http.Client
}

func visit(t *testing.T, v *vitae) *browser {
	t.Helper()
	// The site needs its own URL, which is known only once the server is listening.
	var handler http.Handler
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { handler.ServeHTTP(w, r) }))
	t.Cleanup(server.Close)
	c := config{url: server.URL, vitaeURL: v.URL, clientID: "client", clientSecret: "secret"}
	p, err := discover(t.Context(), v.Client(), v.URL)
	if err != nil {
		t.Fatal(err)
	}
	handler = newSite(c, p, v.Client()).handler()
	return newBrowser(t, server.URL)
}

func newBrowser(t *testing.T, site string) *browser {
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &browser{t: t, site: site, client: &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}}
}

// page is a response from the site.
type page struct {
	status   int
	location *url.URL
	text     string
	header   http.Header
}

func (b *browser) do(method, path string, header ...string) page {
	b.t.Helper()
	req, err := http.NewRequestWithContext(b.t.Context(), method, b.site+path, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := b.client.Do(req)
	if err != nil {
		b.t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	location, _ := resp.Location() // nil if the response is not a redirect
	return page{resp.StatusCode, location, string(raw), resp.Header}
}

// answerOf starts a sign-in and returns the query parameters of Vitae's authorization response.
func (b *browser) answerOf(v *vitae) url.Values {
	b.t.Helper()
	sent := b.do("POST", "/sign-in").location.Query()
	v.mu.Lock()
	defer v.mu.Unlock()
	v.challenge = sent.Get("code_challenge")
	return url.Values{"code": {"the-code"}, "state": {sent.Get("state")}, "iss": {v.URL}}
}

func (b *browser) signIn(v *vitae) {
	b.t.Helper()
	if p := b.do("GET", "/callback?"+b.answerOf(v).Encode()); p.status != http.StatusSeeOther {
		b.t.Fatalf("the callback returns %d: %s", p.status, p.text)
	}
}
