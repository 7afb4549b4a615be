package main

import (
	"net/http"
	"strings"
	"testing"
)

func TestPageShowsPersonCVAndPDF(t *testing.T) {
	v := newVitae(t)
	b := visit(t, v)
	b.signIn(v)
	p := b.do("GET", "/")
	for _, want := range []string{"Mona Al Hashimi", "Main CV", `dir="rtl"`, v.URL + "/v1/cv-links/tok", "cv:contact", "req-1", "Connected since 21 November 2026, 05:23 UTC"} {
		if !strings.Contains(p.text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for _, never := range []string{"<script", `href="javascript:`, "access-1", "refresh-1"} {
		if strings.Contains(p.text, never) {
			t.Errorf("the page contains %q", never)
		}
	}
	if pdf := b.do("GET", "/cv.pdf"); pdf.status != 200 || pdf.text != "%PDF-1.7" || pdf.header.Get("Content-Type") != "application/pdf" {
		t.Errorf("the PDF returns %d %q", pdf.status, pdf.text)
	}
}

func TestDisconnectRevokesAndSignsOut(t *testing.T) {
	v := newVitae(t)
	b := visit(t, v)
	b.signIn(v)
	b.do("POST", "/disconnect")
	if !v.ended {
		t.Error("the refresh token still works")
	}
	p := b.do("GET", "/")
	for _, want := range []string{"You are disconnected", "this site can no longer read your data", "Vitae may still list it",
		`href="` + v.URL + `/connections"`, "Sign in with Vitae"} {
		if !strings.Contains(p.text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

func TestDisconnectInVitaeSignsOutWithReason(t *testing.T) {
	for name, shortLived := range map[string]bool{"access token still valid": false, "access token must be refreshed": true} {
		t.Run(name, func(t *testing.T) {
			v := newVitae(t)
			v.shortLived = shortLived
			b := visit(t, v)
			b.signIn(v)
			v.ended = true
			if p := b.do("GET", "/"); p.status != http.StatusSeeOther {
				t.Fatalf("the page returns %d", p.status)
			}
			if p := b.do("GET", "/"); !strings.Contains(p.text, "Vitae has ended this site") {
				t.Errorf("the page does not explain why: %s", p.text)
			}
			if p := b.do("GET", "/"); strings.Contains(p.text, "Vitae has ended this site") {
				t.Error("the notice is shown twice")
			}
		})
	}
}

func TestPersonWithoutSharedCVStaysSignedIn(t *testing.T) {
	for _, code := range []string{"OAUTH_INSUFFICIENT_SCOPE", "CV_NOT_FOUND"} {
		v := newVitae(t)
		v.noCV = code
		b := visit(t, v)
		b.signIn(v)
		if p := b.do("GET", "/"); p.status != 200 || !strings.Contains(p.text, "Mona") || !strings.Contains(p.text, "No CV") {
			t.Errorf("%s: the page returns %d", code, p.status)
		}
	}
}

func TestFormsFromOtherSitesAreRejected(t *testing.T) {
	v := newVitae(t)
	b := visit(t, v)
	b.signIn(v)
	for _, path := range []string{"/sign-in", "/sign-out", "/disconnect"} {
		if p := b.do("POST", path, "Sec-Fetch-Site", "cross-site"); p.status != http.StatusForbidden {
			t.Errorf("POST %s returns %d, want 403", path, p.status)
		}
	}
	if v.ended {
		t.Error("a form from another site disconnected the person")
	}
}

func TestOnlyInlineImagesAreMarkedSafe(t *testing.T) {
	photo := viewFuncs["photo"].(func(string) any)
	for address, inline := range map[string]bool{
		"data:image/png;base64,iVBORw0KGgo=":              true,
		"data:text/html;base64,PHNjcmlwdD4=":              false,
		"data:image/svg+xml;base64,PHN2Zz4=":              false,
		"data:image/png;base64,x\" onerror=\"alert(1)":    false,
		"https://img.vitae.example/a.png":                 false,
		"javascript:alert(1)//data:image/png;base64,AAAA": false,
	} {
		if _, plain := photo(address).(string); plain == inline {
			t.Errorf("%q: inline %v, want %v", address, !plain, inline)
		}
	}
}

func TestConfigErrorNamesMissingVariables(t *testing.T) {
	if _, err := configFrom(func(string) string { return "" }); err == nil || !strings.Contains(err.Error(), "CLIENT_ID") {
		t.Errorf("error %v", err)
	}
	env := map[string]string{"VITAE_BASE_URL": "http://v/", "CLIENT_ID": "c"}
	c, err := configFrom(func(name string) string { return env[name] })
	if err != nil || c.vitaeURL != "http://v" || c.addr != "127.0.0.1:8090" || c.url != "http://127.0.0.1:8090" {
		t.Errorf("configuration %+v, error %v", c, err)
	}
}
