package main

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/oauth2"
)

func TestUnchangedCVIsNotReadAgain(t *testing.T) {
	v := newVitae(t)
	b := visit(t, v)
	b.signIn(v)
	b.do("GET", "/")
	if p := b.do("GET", "/"); !strings.Contains(p.text, "<b>304</b>") || !strings.Contains(p.text, "Main CV &#34;one&#34;") {
		t.Errorf("no 304, or no CV, in %s", p.text)
	}
	v.etag = `"two"`
	if p := b.do("GET", "/"); strings.Contains(p.text, "<b>304</b>") || !strings.Contains(p.text, "Main CV &#34;two&#34;") {
		t.Error("the page does not show the changed CV")
	}
	want := []string{"/v1/me ", "/v1/me/cv ", "/v1/me ", `/v1/me/cv "one"`, "/v1/me ", `/v1/me/cv "one"`}
	if !slices.Equal(v.asked, want) {
		t.Errorf("requests %q, want %q", v.asked, want)
	}
}

func TestRotatedTokensAreStoredAndUsedOnce(t *testing.T) {
	v := newVitae(t)
	v.shortLived = true // every request needs a refresh
	b := visit(t, v)
	b.signIn(v)
	for range 3 {
		if p := b.do("GET", "/"); p.status != 200 || !strings.Contains(p.text, "Mona") {
			t.Fatalf("after a refresh, the page returns %d", p.status)
		}
	}
	if v.reused {
		t.Error("an old refresh token was presented again")
	}
	if v.generation < 4 {
		t.Errorf("%d token pairs were issued, want at least 4", v.generation)
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
		t.Errorf("error %v, want %v", err, broken)
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
