package main

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/oauth2"
)

func TestSignInAsksForACodeWithPKCEAndState(t *testing.T) {
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
			t.Errorf("%s is missing or the same twice", name)
		}
	}
}

func TestPersonSeesThemselvesTheirCVAndItsPDF(t *testing.T) {
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
			t.Errorf("the page holds %q", never)
		}
	}
	if pdf := b.do("GET", "/cv.pdf"); pdf.status != 200 || pdf.text != "%PDF-1.7" || pdf.header.Get("Content-Type") != "application/pdf" {
		t.Errorf("the PDF answers %d %q", pdf.status, pdf.text)
	}
}

func TestAnswerThatIsNotOursSignsNobodyIn(t *testing.T) {
	for name, change := range map[string]func(url.Values){
		"state of another sign-in": func(q url.Values) { q.Set("state", "other") },
		"no state":                 func(q url.Values) { q.Del("state") },
		"another issuer":           func(q url.Values) { q.Set("iss", "https://evil.example") },
		"no issuer":                func(q url.Values) { q.Del("iss") },
		"a code that Vitae refuses": func(q url.Values) {
			q.Set("code", "made-up")
		},
	} {
		t.Run(name, func(t *testing.T) {
			v := newVitae(t)
			b := visit(t, v)
			answer := b.answerOf(v)
			change(answer)
			if p := b.do("GET", "/callback?"+answer.Encode()); p.status != 400 || !strings.Contains(p.text, `role="alert"`) {
				t.Errorf("the callback answers %d", p.status)
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

func TestAnswerWorksOnceAndInItsOwnBrowserOnly(t *testing.T) {
	v := newVitae(t)
	b := visit(t, v)
	answer := "/callback?" + b.answerOf(v).Encode()
	if p := newBrowser(t, b.site).do("GET", answer); p.status != 400 {
		t.Errorf("another browser gets %d", p.status)
	}
	if p := b.do("GET", answer); p.status != http.StatusSeeOther {
		t.Errorf("the browser gets %d", p.status)
	}
	if p := b.do("GET", answer); p.status != 400 {
		t.Errorf("a second time it gets %d", p.status)
	}
}

func TestDecliningIsToldKindly(t *testing.T) {
	v := newVitae(t)
	b := visit(t, v)
	answer := b.answerOf(v)
	answer.Del("code")
	answer.Set("error", "access_denied")
	answer.Set("error_description", "<b>no</b>")
	p := b.do("GET", "/callback?"+answer.Encode())
	if p.status != 200 || !strings.Contains(p.text, "<h1>You chose not to connect</h1>") {
		t.Errorf("the page answers %d and says %s", p.status, p.text)
	}
	for _, never := range []string{"<b>no", "did not work", `role="alert"`} {
		if strings.Contains(p.text, never) {
			t.Errorf("the page holds %q", never)
		}
	}
}

func TestSignInGivesTheBrowserANewSession(t *testing.T) {
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
		t.Error("the session id from before the sign-in still stands")
	}
}

func TestRefreshReadsTheCVOnlyWhenItChanged(t *testing.T) {
	v := newVitae(t)
	b := visit(t, v)
	b.signIn(v)
	b.do("GET", "/")
	if p := b.do("GET", "/"); !strings.Contains(p.text, "<b>304</b>") || !strings.Contains(p.text, "Main CV &#34;one&#34;") {
		t.Errorf("no 304, or no CV, in %s", p.text)
	}
	v.etag = `"two"`
	if p := b.do("GET", "/"); strings.Contains(p.text, "<b>304</b>") || !strings.Contains(p.text, "Main CV &#34;two&#34;") {
		t.Error("the changed CV does not show")
	}
	want := []string{"/v1/me ", "/v1/me/cv ", "/v1/me ", `/v1/me/cv "one"`, "/v1/me ", `/v1/me/cv "one"`}
	if !slices.Equal(v.asked, want) {
		t.Errorf("asked %q, want %q", v.asked, want)
	}
}

func TestRotatedTokensAreStoredAndUsedOnce(t *testing.T) {
	v := newVitae(t)
	v.shortLived = true // every request needs a refresh
	b := visit(t, v)
	b.signIn(v)
	for range 3 {
		if p := b.do("GET", "/"); p.status != 200 || !strings.Contains(p.text, "Mona") {
			t.Fatalf("after a refresh the page answers %d", p.status)
		}
	}
	if v.reused {
		t.Error("an old refresh token was presented again")
	}
	if v.generation < 4 {
		t.Errorf("only %d pairs were issued", v.generation)
	}
	if p := b.do("POST", "/disconnect"); p.status != http.StatusSeeOther || !v.ended {
		t.Error("the disconnect did not revoke the newest refresh token")
	}
}

func TestConcurrentRequestsShareOneRefresh(t *testing.T) {
	v := newVitae(t)
	v.generation = 1
	p, err := discover(t.Context(), v.Client(), v.URL)
	if err != nil {
		t.Fatal(err)
	}
	var stored []string
	ctx := context.WithValue(context.Background(), oauth2.HTTPClient, v.Client())
	expired := &oauth2.Token{AccessToken: "access-1", RefreshToken: "refresh-1", Expiry: time.Unix(1, 0)}
	k := newKeeper(ctx, p.oauthConfig(config{clientID: "client", clientSecret: "secret"}), expired, func(t *oauth2.Token) error {
		stored = append(stored, t.RefreshToken)
		return nil
	})
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if got, err := k.Token(); err != nil || got.AccessToken != "access-2" {
				t.Errorf("token %v, error %v", got, err)
			}
		})
	}
	all.Wait()
	if !slices.Equal(stored, []string{"refresh-2"}) || v.reused {
		t.Errorf("stored %q, reused %v", stored, v.reused)
	}
}

func TestTokenThatCannotBeStoredIsNotUsed(t *testing.T) {
	v := newVitae(t)
	v.generation = 1
	p, err := discover(t.Context(), v.Client(), v.URL)
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.WithValue(context.Background(), oauth2.HTTPClient, v.Client())
	broken := errors.New("disk full")
	k := newKeeper(ctx, p.oauthConfig(config{clientID: "client", clientSecret: "secret"}), &oauth2.Token{RefreshToken: "refresh-1"},
		func(*oauth2.Token) error { return broken })
	if _, err := k.Token(); !errors.Is(err, broken) {
		t.Errorf("error %v, want that of the store", err)
	}
}

func TestDisconnectHereRevokesAndSignsOut(t *testing.T) {
	v := newVitae(t)
	b := visit(t, v)
	b.signIn(v)
	b.do("POST", "/disconnect")
	if !v.ended {
		t.Error("the refresh token still works")
	}
	p := b.do("GET", "/")
	for _, want := range []string{"You are disconnected", "this site has given its access back", "Vitae may still list it",
		`href="` + v.URL + `/connections"`, "Sign in with Vitae"} {
		if !strings.Contains(p.text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

func TestDisconnectAtVitaeSignsOutWithAReason(t *testing.T) {
	for name, shortLived := range map[string]bool{"while the access token lives": false, "when it must be renewed": true} {
		t.Run(name, func(t *testing.T) {
			v := newVitae(t)
			v.shortLived = shortLived
			b := visit(t, v)
			b.signIn(v)
			v.ended = true
			if p := b.do("GET", "/"); p.status != http.StatusSeeOther {
				t.Fatalf("the page answers %d", p.status)
			}
			if p := b.do("GET", "/"); !strings.Contains(p.text, "Vitae has ended this site") {
				t.Errorf("the page says %s", p.text)
			}
			if p := b.do("GET", "/"); strings.Contains(p.text, "Vitae has ended this site") {
				t.Error("the notice shows twice")
			}
		})
	}
}

func TestPersonWhoSharesNoCVIsStillSignedIn(t *testing.T) {
	for _, code := range []string{"OAUTH_INSUFFICIENT_SCOPE", "CV_NOT_FOUND"} {
		v := newVitae(t)
		v.noCV = code
		b := visit(t, v)
		b.signIn(v)
		if p := b.do("GET", "/"); p.status != 200 || !strings.Contains(p.text, "Mona") || !strings.Contains(p.text, "No CV") {
			t.Errorf("%s: the page answers %d", code, p.status)
		}
	}
}

func TestFormsOfOtherSitesAreRefused(t *testing.T) {
	v := newVitae(t)
	b := visit(t, v)
	b.signIn(v)
	for _, path := range []string{"/sign-in", "/sign-out", "/disconnect"} {
		if p := b.do("POST", path, "Sec-Fetch-Site", "cross-site"); p.status != http.StatusForbidden {
			t.Errorf("POST %s answers %d", path, p.status)
		}
	}
	if v.ended {
		t.Error("a foreign form disconnected")
	}
}

func TestStartWaitsForVitae(t *testing.T) {
	v := newVitae(t)
	tries := 0
	gate := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if tries++; tries < 2 {
			http.Error(w, "not yet", http.StatusServiceUnavailable)
			return
		}
		reply(w, 200, map[string]any{"issuer": "http://" + r.Host})
	}))
	t.Cleanup(gate.Close)
	if _, err := discover(t.Context(), v.Client(), gate.URL); err != nil || tries != 2 {
		t.Errorf("error %v after %d tries", err, tries)
	}
}

func TestInlinePhotosAreShownAndNoOtherDataIsLetIn(t *testing.T) {
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

func TestConfigurationNamesWhatIsMissing(t *testing.T) {
	if _, err := configFrom(func(string) string { return "" }); err == nil || !strings.Contains(err.Error(), "CLIENT_ID") {
		t.Errorf("error %v", err)
	}
	env := map[string]string{"VITAE_BASE_URL": "http://v/", "CLIENT_ID": "c"}
	c, err := configFrom(func(name string) string { return env[name] })
	if err != nil || c.vitaeURL != "http://v" || c.addr != "127.0.0.1:8090" || c.url != "http://127.0.0.1:8090" {
		t.Errorf("configuration %+v, error %v", c, err)
	}
}
