package operators_test

import (
	"context"
	"encoding/base64"
	"net/http"
	"net/url"
	"sync"
	"syscall"
	"testing"
	"time"

	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/stack"
	"vitae.internal/e2e/internal/suite"
)

// use returns requests that use the secrets as intended. Their responses do not matter, because some
// services may be suspended.
func (secrets planted) use(t *testing.T, p scene.Platform, c scene.Connected) []func(context.Context) {
	t.Helper()
	link := c.Link(t)
	resume, _ := p.ResumeURL(t, "file")
	get := func(target, token string) func(context.Context) {
		return func(ctx context.Context) { _, _ = partner.Get(ctx, target, token) }
	}
	all := []func(context.Context){
		get(p.Stack.BaseURLs[0]+"/v1/companies", p.API.Key), get(link, ""), get(resume, ""),
		func(ctx context.Context) { _, _ = c.Person.Open(ctx, p.Stack.AppURLs[0]+"/connections") },
		func(ctx context.Context) {
			visitor := person.New(c.Person.Email, c.Person.Password)
			if at, err := visitor.Open(ctx, p.Stack.AppURLs[0]+"/connections"); err == nil && at.Page != nil {
				_, _ = visitor.SignIn(ctx, at.Page)
			}
		},
	}
	for _, at := range c.Replicas(c.App) {
		for _, path := range []string{"/v1/me", "/v1/me/cv", "/v1/me/cv.pdf"} {
			all = append(all, get(at.BaseURL+path, c.Tokens.Access))
		}
		all = append(all,
			func(ctx context.Context) { _, _ = at.Introspect(ctx, c.Tokens.Access) },
			func(ctx context.Context) { _, _ = at.Exchange(ctx, secrets["code"], secrets["verifier"]) })
	}
	return all
}

// frozenFor is longer than the gateway waits for a service that does not respond, except for PDFs.
const frozenFor = 12 * time.Second

// sendWhileSuspended sends requests while the processes of some services are suspended (SIGSTOP).
func sendWhileSuspended(t *testing.T, s *stack.Stack, requests []func(context.Context), services ...string) {
	t.Helper()
	signal := func(sig syscall.Signal) {
		for _, service := range services {
			processes := s.Services(service)
			if len(processes) == 0 {
				t.Fatalf("no process of %s", service)
			}
			for _, p := range processes {
				suite.Signal(t, p, sig)
			}
		}
	}
	signal(syscall.SIGSTOP)
	defer signal(syscall.SIGCONT)
	ctx, cancel := context.WithTimeout(t.Context(), frozenFor)
	defer cancel()
	var sent sync.WaitGroup
	for _, request := range requests {
		sent.Go(func() { request(ctx) })
	}
	sent.Wait()
}

// misuse sends every secret in wrong places: in paths, queries, headers and bodies of other requests.
func (secrets planted) misuse(t *testing.T, p scene.Platform, c scene.Connected) {
	t.Helper()
	ctx := t.Context()
	send := func(req *http.Request, err error) {
		t.Helper()
		if err == nil {
			_, err = partner.Do(req)
		}
		if err != nil {
			t.Log(err) // no client can send such a path
		}
	}
	for what, secret := range secrets {
		q := url.QueryEscape(secret)
		for _, at := range []string{
			"/v1/me?access_token=" + q, "/v1/jobs/" + q, "/v1/cv-links/" + q, "/" + q, "/resumes?a=" + q, "/v1/me?cvId=" + q + "%zz",
			"/oauth/authorize?client_id=" + q + "&redirect_uri=" + q + "&state=" + q + "&scope=" + q,
		} {
			send(http.NewRequestWithContext(ctx, http.MethodGet, p.Stack.BaseURLs[0]+at, nil))
		}
		for _, bearer := range []string{"Bearer " + secret, "Basic " + base64.StdEncoding.EncodeToString([]byte(secret+":"+secret)), secret} {
			for _, path := range []string{"/v1/me", "/v1/companies"} {
				req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.Stack.BaseURLs[0]+path, nil)
				if err == nil {
					req.Header.Set("Authorization", bearer)
					req.Header.Set("User-Agent", secret)
					req.Header.Set("Referer", "https://example.com/"+q)
					req.Header.Set("X-Request-Id", secret)
					req.AddCookie(&http.Cookie{Name: "session", Value: q})
				}
				send(req, err)
			}
		}
		stranger := partner.Client{BaseURL: p.Stack.BaseURLs[1], ID: c.App.ID, Secret: secret, Redirect: c.App.Redirect, Method: partner.Body}
		for _, form := range []url.Values{
			{"grant_type": {"refresh_token"}, "refresh_token": {secret}}, {"grant_type": {secret}}, {"token": {secret}},
			{"grant_type": {"authorization_code"}, "code": {secret}, "code_verifier": {secret}, "redirect_uri": {secret}},
		} {
			for _, client := range []partner.Client{c.App, stranger, {BaseURL: p.Stack.BaseURLs[0], ID: secret, Secret: secret}} {
				for _, path := range []string{"/oauth/token", "/oauth/introspect", "/oauth/revoke"} {
					if _, err := client.Post(ctx, path, form); err != nil {
						t.Fatalf("%s: %v", what, err)
					}
				}
			}
		}
		for _, command := range [][]string{{"key", "delete"}, {"app", "rotate-secret"}, {"account", "suspend"}, {"audit", "--account"}} {
			if _, err := p.Stack.Vitaectl(ctx, append(command, secret)...); err != nil { // as if an operator mistook it for an id
				t.Fatalf("%s: %v", what, err)
			}
		}
		_, _ = p.API.Call(ctx, http.MethodPost, "/v1/companies", `{"name":7,"`+q+`":"`+q+`"}`)
		_, _ = partner.Employer{BaseURL: p.Stack.BaseURLs[0], Key: secret}.Companies(ctx, "page="+q)
	}
}
