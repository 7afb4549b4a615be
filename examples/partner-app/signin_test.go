package main

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

func TestSignInSendsPKCEChallengeAndState(t *testing.T) {
	b := visit(t, newVitae(t))
	first, second := b.do("POST", "/sign-in"), b.do("POST", "/sign-in")
	q := first.location.Query()
	for name, want := range map[string]string{
		"response_type": "code", "client_id": "client", "redirect_uri": b.site + "/callback",
		"scope": "profile email cv:read cv:contact", "code_challenge_method": "S256",
	} {
		if got := q.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	for _, name := range []string{"state", "code_challenge"} {
		if q.Get(name) == "" || q.Get(name) == second.location.Query().Get(name) {
			t.Errorf("%s is missing, or the same in two sign-ins", name)
		}
	}
}

func TestInvalidResponseDoesNotSignIn(t *testing.T) {
	for name, change := range map[string]func(url.Values){
		"state of another sign-in": func(q url.Values) { q.Set("state", "other") },
		"no state":                 func(q url.Values) { q.Del("state") },
		"another issuer":           func(q url.Values) { q.Set("iss", "https://evil.example") },
		"no issuer":                func(q url.Values) { q.Del("iss") },
		"a code that Vitae rejects": func(q url.Values) {
			q.Set("code", "made-up")
		},
	} {
		t.Run(name, func(t *testing.T) {
			v := newVitae(t)
			b := visit(t, v)
			answer := b.answerOf(v)
			change(answer)
			if p := b.do("GET", "/callback?"+answer.Encode()); p.status != 400 || !strings.Contains(p.text, `role="alert"`) {
				t.Errorf("the callback returns %d", p.status)
			}
			if p := b.do("GET", "/"); !strings.Contains(p.text, "Sign in with Vitae") {
				t.Error("somebody is signed in")
			}
			if v.generation != 0 {
				t.Error("tokens were issued")
			}
		})
	}
}

func TestCallbackWorksOnceInItsBrowser(t *testing.T) {
	v := newVitae(t)
	b := visit(t, v)
	answer := "/callback?" + b.answerOf(v).Encode()
	if p := newBrowser(t, b.site).do("GET", answer); p.status != 400 {
		t.Errorf("a different browser gets %d, want 400", p.status)
	}
	if p := b.do("GET", answer); p.status != http.StatusSeeOther {
		t.Errorf("the browser gets %d", p.status)
	}
	if p := b.do("GET", answer); p.status != 400 {
		t.Errorf("the second time, the browser gets %d, want 400", p.status)
	}
}

func TestDecliningIsNotShownAsAnError(t *testing.T) {
	v := newVitae(t)
	b := visit(t, v)
	answer := b.answerOf(v)
	answer.Del("code")
	answer.Set("error", "access_denied")
	answer.Set("error_description", "<b>no</b>")
	p := b.do("GET", "/callback?"+answer.Encode())
	if p.status != 200 || !strings.Contains(p.text, "<h1>You chose not to connect</h1>") || !strings.Contains(p.text, "Nothing has changed.") {
		t.Errorf("the page returns %d: %s", p.status, p.text)
	}
	for _, never := range []string{"<b>no", "did not work", `role="alert"`} {
		if strings.Contains(p.text, never) {
			t.Errorf("the page contains %q", never)
		}
	}
}

func TestSignInStartsANewSession(t *testing.T) {
	v := newVitae(t)
	b := visit(t, v)
	answer := b.answerOf(v)
	site, err := url.Parse(b.site)
	if err != nil {
		t.Fatal(err)
	}
	before := b.client.Jar.Cookies(site)[0].Value
	b.do("GET", "/callback?"+answer.Encode())
	if after := b.client.Jar.Cookies(site)[0].Value; after == before {
		t.Error("the session id did not change at sign-in")
	}
}
