package main

import (
	"net/http"
	"strings"
	"testing"
)

const (
	suspendedPage = "This site may not read from Vitae now"
	signInButton  = "Sign in with Vitae"
)

func TestErrorIsExplainedByItsCode(t *testing.T) {
	for name, c := range map[string]struct {
		at, page   string // the endpoint that returns the error, and the page that the person opens
		no         refusal
		status     int
		says       string
		retryAfter string
	}{
		"suspended, page":             {"/v1/me", "/", refusal{403, "DEVELOPER_ACCOUNT_SUSPENDED", ""}, 403, suspendedPage, ""},
		"suspended, CV":               {"/v1/me/cv", "/", refusal{403, "DEVELOPER_ACCOUNT_SUSPENDED", ""}, 403, suspendedPage, ""},
		"suspended, PDF":              {"/v1/me/cv.pdf", "/cv.pdf", refusal{403, "DEVELOPER_ACCOUNT_SUSPENDED", ""}, 403, suspendedPage, ""},
		"suspended, token refresh":    {"/oauth/token", "/", refusal{403, "access_denied", ""}, 403, suspendedPage, ""},
		"platform off":                {"/v1/me", "/", refusal{404, "DEVELOPER_PLATFORM_DISABLED", ""}, 503, "No site may read", ""},
		"platform off, token refresh": {"/oauth/token", "/", refusal{404, "temporarily_unavailable", ""}, 503, "No site may read", ""},
		"no CV, PDF":                  {"/v1/me/cv.pdf", "/cv.pdf", refusal{404, "CV_NOT_FOUND", ""}, 404, "There is no CV to share yet", ""},
		"no CV granted, PDF":          {"/v1/me/cv.pdf", "/cv.pdf", refusal{403, "OAUTH_INSUFFICIENT_SCOPE", ""}, 403, "You do not share a CV", ""},
		"service down":                {"/v1/me", "/", refusal{503, "SERVICE_UNAVAILABLE", "5"}, 503, "try again in 5 seconds", "5"},
		"service down, token refresh": {"/oauth/token", "/", refusal{503, "temporarily_unavailable", "5"}, 503, "try again in 5 seconds", "5"},
		"too many requests":           {"/v1/me", "/", refusal{429, "RATE_LIMIT_EXCEEDED", "30"}, 503, "try again in 30 seconds", "30"},
		"quota used up":               {"/v1/me", "/", refusal{429, "QUOTA_EXCEEDED", "7201"}, 503, "try again in 3 hours", "7201"},
		"busy, without Retry-After":   {"/v1/me", "/", refusal{503, "", ""}, 503, "try again in a moment", ""},
		"internal error":              {"/v1/me", "/", refusal{500, "INTERNAL_ERROR", ""}, 502, "Please try again", ""},
		"unknown code":                {"/v1/me", "/", refusal{403, "SOMETHING_NEW", ""}, 502, "403 SOMETHING_NEW", ""},
	} {
		t.Run(name, func(t *testing.T) {
			v := newVitae(t)
			v.shortLived = true // so that each request needs a token refresh
			b := visit(t, v)
			b.signIn(v)
			v.refusals = map[string]refusal{c.at: c.no}
			p := b.do("GET", c.page)
			if p.status != c.status || !strings.Contains(p.text, c.says) || p.header.Get("Retry-After") != c.retryAfter {
				t.Errorf("the page returns %d, Retry-After %q: %s", p.status, p.header.Get("Retry-After"), p.text)
			}
			if strings.Contains(p.text, signInButton) || !strings.Contains(p.text, "Sign out") {
				t.Error("the page treats the person as signed out")
			}
			v.refusals = nil
			if p := b.do("GET", "/"); p.status != 200 || !strings.Contains(p.text, "Mona") {
				t.Errorf("after Vitae has recovered, the page returns %d", p.status)
			}
		})
	}
}

func TestSuspensionIsExplainedAtSignIn(t *testing.T) {
	v := newVitae(t)
	v.refusals = map[string]refusal{"/oauth/token": {403, "access_denied", ""}}
	b := visit(t, v)
	if p := b.do("GET", "/callback?"+b.answerOf(v).Encode()); p.status != 403 || !strings.Contains(p.text, suspendedPage) {
		t.Errorf("the callback returns %d: %s", p.status, p.text)
	}
}

func TestFailedDisconnectKeepsSession(t *testing.T) {
	for status, no := range map[int]refusal{
		403: {403, "DEVELOPER_ACCOUNT_SUSPENDED", ""},
		503: {503, "SERVICE_UNAVAILABLE", "5"},
		502: {500, "INTERNAL_ERROR", ""},
	} {
		v := newVitae(t)
		b := visit(t, v)
		b.signIn(v)
		v.refusals = map[string]refusal{"/oauth/revoke": no}
		p := b.do("POST", "/disconnect")
		if p.status != status || !strings.Contains(p.text, "You are still connected") || !strings.Contains(p.text, v.URL+"/connections") {
			t.Errorf("%s: the page returns %d: %s", no.code, p.status, p.text)
		}
		if p := b.do("GET", "/"); !strings.Contains(p.text, "Mona") {
			t.Errorf("%s: the person is signed out", no.code)
		}
	}
}

func TestConnectionsURLFollowsConsentPage(t *testing.T) {
	for authorization, want := range map[string]string{
		"https://app.vitae.example/oauth/authorize": "https://app.vitae.example/connections",
		"https://app.vitae.example/elsewhere":       "",
	} {
		if got := (provider{Authorization: authorization}).connections(); got != want {
			t.Errorf("%s: %q, want %q", authorization, got, want)
		}
	}
}

func TestMissingIconIsNotAnError(t *testing.T) {
	if p := visit(t, newVitae(t)).do("GET", "/favicon.ico"); p.status != http.StatusNoContent {
		t.Errorf("the icon returns %d, want 204", p.status)
	}
}

func TestDatesAreFormattedForPeople(t *testing.T) {
	period := viewFuncs["period"].(func(start, end *string, current bool) string)
	date := func(s string) *string { return &s }
	for _, c := range []struct {
		start, end *string
		current    bool
		want       string
	}{
		{date("2025-09"), nil, true, "Sep 2025 – Present"},
		{date("2025-02"), date("2025-07"), false, "Feb 2025 – Jul 2025"},
		{date("2008"), date("2012-06-30"), false, "2008 – Jun 2012"},
		{nil, date("2012"), false, "2012"},
		{nil, nil, true, "Present"},
		{date("long ago, at sea"), nil, false, "long ago, at sea"},
		{nil, nil, false, ""},
	} {
		if got := period(c.start, c.end, c.current); got != c.want {
			t.Errorf("period %q, want %q", got, c.want)
		}
	}
	for instant, want := range map[string]string{
		"2026-11-21T05:23:09.120Z":  "21 November 2026, 05:23 UTC",
		"2026-11-21T01:23:09+04:00": "20 November 2026, 21:23 UTC",
		"soon":                      "soon",
	} {
		if got := moment(instant); got != want {
			t.Errorf("%q is formatted as %q, want %q", instant, got, want)
		}
	}
}
