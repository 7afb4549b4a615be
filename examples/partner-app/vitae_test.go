package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"golang.org/x/oauth2"
)

// vitae is a fake Vitae server with one client, one person and one authorization code. Like Vitae, it rotates
// refresh tokens and detects their reuse.
type vitae struct {
	*httptest.Server
	mu         sync.Mutex
	generation int  // the number of token pairs issued
	reused     bool // whether an old refresh token was used again
	ended      bool // whether the person has disconnected or the tokens were revoked
	shortLived bool // whether access tokens are already about to expire when they are issued
	noCV       string
	refusals   map[string]refusal // error responses, by path
	etag       string
	challenge  string // the PKCE challenge of the sign-in
	asked      []string
}

// refusal is an error response.
type refusal struct {
	status     int
	code       string
	retryAfter string // the Retry-After header, or "" to send none
}

// refuses writes the error response configured for the path, if any, and reports whether it did.
func (v *vitae) refuses(w http.ResponseWriter, path string) bool {
	no, found := v.refusals[path]
	if !found {
		return false
	}
	if no.retryAfter != "" {
		w.Header().Set("Retry-After", no.retryAfter)
	}
	if path == "/oauth/token" {
		reply(w, no.status, map[string]any{"error": no.code})
	} else {
		refuse(w, no.status, no.code)
	}
	return true
}

func newVitae(t *testing.T) *vitae {
	v := &vitae{etag: `"one"`}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/oauth-authorization-server", func(w http.ResponseWriter, _ *http.Request) {
		reply(w, 200, map[string]any{"issuer": v.URL, "authorization_endpoint": v.URL + "/oauth/authorize",
			"token_endpoint": v.URL + "/oauth/token", "revocation_endpoint": v.URL + "/oauth/revoke"})
	})
	mux.HandleFunc("POST /oauth/token", v.token)
	mux.HandleFunc("POST /oauth/revoke", v.revoke)
	mux.HandleFunc("GET /v1/", v.read)
	v.Server = httptest.NewServer(mux)
	t.Cleanup(v.Close)
	return v
}

func reply(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Request-Id", "req-1")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

func refuse(w http.ResponseWriter, status int, code string) {
	reply(w, status, map[string]any{"data": nil, "error": map[string]any{"code": code, "message": code}, "meta": nil})
}

func (v *vitae) token(w http.ResponseWriter, r *http.Request) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.refuses(w, r.URL.Path) {
		return
	}
	id, secret, _ := r.BasicAuth()
	current := fmt.Sprintf("refresh-%d", v.generation)
	switch grant := r.PostFormValue("grant_type"); {
	case id != "client" || secret != "secret":
		reply(w, 401, map[string]any{"error": "invalid_client"})
		return
	case v.ended,
		grant == "authorization_code" && (r.PostFormValue("code") != "the-code" || oauth2.S256ChallengeFromVerifier(r.PostFormValue("code_verifier")) != v.challenge),
		grant == "refresh_token" && r.PostFormValue("refresh_token") != current:
		v.reused = v.reused || grant == "refresh_token" && !v.ended
		reply(w, 400, map[string]any{"error": "invalid_grant"})
		return
	}
	v.generation++
	life := 3600
	if v.shortLived {
		life = 5 // x/oauth2 refreshes tokens that expire within ten seconds
	}
	reply(w, 200, map[string]any{"access_token": fmt.Sprintf("access-%d", v.generation), "token_type": "Bearer", "expires_in": life,
		"refresh_token": fmt.Sprintf("refresh-%d", v.generation), "scope": strings.Join(scopes, " ")})
}

func (v *vitae) revoke(w http.ResponseWriter, r *http.Request) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.refuses(w, r.URL.Path) {
		return
	}
	if id, secret, _ := r.BasicAuth(); id != "client" || secret != "secret" {
		refuse(w, 401, "OAUTH_INVALID_CLIENT")
		return
	}
	v.ended = v.ended || r.PostFormValue("token") == fmt.Sprintf("refresh-%d", v.generation)
	reply(w, 200, map[string]any{"data": map[string]any{"revoked": true}, "error": nil, "meta": nil})
}

func (v *vitae) read(w http.ResponseWriter, r *http.Request) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.asked = append(v.asked, r.URL.Path+" "+r.Header.Get("If-None-Match"))
	if v.ended || r.Header.Get("Authorization") != fmt.Sprintf("Bearer access-%d", v.generation) {
		refuse(w, 401, "OAUTH_INVALID_TOKEN")
		return
	}
	if v.refuses(w, r.URL.Path) {
		return
	}
	switch r.URL.Path {
	case "/v1/me":
		reply(w, 200, map[string]any{"data": map[string]any{"id": "usr_1", "name": "Mona Al Hashimi",
			"connection": map[string]any{"id": "con_1", "scopes": scopes, "createdAt": "2026-11-21T05:23:09.120Z"}}})
	case "/v1/me/cv":
		w.Header().Set("ETag", v.etag)
		switch {
		case v.noCV != "":
			refuse(w, 403, v.noCV)
		case r.Header.Get("If-None-Match") == v.etag:
			w.WriteHeader(http.StatusNotModified)
		default:
			reply(w, 200, map[string]any{"data": map[string]any{"id": "master", "title": "Main CV " + v.etag, "language": "ar",
				"pdf": map[string]any{"url": v.URL + "/v1/cv-links/tok"}, "document": map[string]any{"name": "Mona",
					"socials": map[string]any{"web": "javascript:alert(1)"}, "summary": "<script>alert(1)</script>"}}})
		}
	case "/v1/me/cv.pdf":
		w.Header().Set("Content-Type", "application/pdf")
		fmt.Fprint(w, "%PDF-1.7")
	}
}
