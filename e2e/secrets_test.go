package e2e_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/stack"
	"vitae.internal/e2e/internal/world"
)

// The test of this file stands outside the rule that the suite reads no database:
// it looks for what must not be in one.

// canary is a text that is nowhere else. It has no character that any of our
// encodings writes in another way.
func canary(what string) string { return "canary" + what + world.Unique() + world.Unique() }

// planted are the secrets of one run, by what they are. Every one of them is also
// told to the system where it does not belong.
type planted map[string]string

// TestNoSecretIsFoundInLogsTracesMetricsPostgresOrRedis has secrets made and used,
// rightly and wrongly, with parts that answer and with parts that do not, and then
// reads everything that the system keeps or says of itself.
func TestNoSecretIsFoundInLogsTracesMetricsPostgresOrRedis(t *testing.T) {
	traces := collect(t)
	s := judged(must(stack.New(stack.Options{
		Binaries: programs, Dir: filepath.Join(scratch, "secrets"), Replicas: 2,
		Env: []string{
			"VITAE_SURFACE_TIERS=off", "OTEL_EXPORTER_OTLP_ENDPOINT=http://" + traces.address,
			"OTEL_EXPORTER_OTLP_COMPRESSION=none", "OTEL_BSP_SCHEDULE_DELAY=100",
		},
	}))(t))
	begin(t, s)
	t.Cleanup(func() {
		if s.Running() {
			stop(t, s)
		}
	})

	password, file := canary("password"), canary("resume")
	w := applicants()
	w.People[0].Password = password
	for i := range w.Applications {
		if r := w.Applications[i].Resume; r != nil {
			r.Content = append(bytes.Clone(r.Content), []byte("\n% "+file+"\n")...)
		}
	}
	dev := world.OneDeveloper()
	w.Developers = []world.Developer{dev}
	p := platformOn(t, s, w)
	secrets := planted{"password": password, "resume contents": file}
	c := secrets.signIn(t, p)
	secrets.ofTheDeployment(t, s)
	used := secrets.use(t, p, c)
	frozen(t, s, used, "redis-server", "candidate")
	frozen(t, s, used, "auth")
	secrets.misuse(t, p, c)

	look := secrets.search()
	if !look.found("a planted one", []byte("x "+password+" y")) || !look.found("in base64", []byte(base64.StdEncoding.EncodeToString([]byte("ab"+password)))) {
		t.Fatal("the search would not find a secret")
	}
	look.t = t
	look.metrics(s)
	look.postgres(s)
	look.redis(s)
	stop(t, s) // the parts send the spans that are left
	look.files(s)
	look.traces(traces)
}

// signIn connects an app, and notes every secret on the way.
func (secrets planted) signIn(t *testing.T, p platform) connected {
	t.Helper()
	c := connected{scene: p.scene, app: p.app(t, "web"), person: p.person(t, "layla")}
	wrong := person.New(c.person.Email, canary("wrongpassword"))
	mistaken := person.New(canary("passwordasaddress"), c.person.Password)
	for what, visitor := range map[string]*person.Person{"wrong password": wrong, "password as the address": mistaken} {
		at := must(visitor.Open(t.Context(), p.stack.AppURLs[0]+"/connections"))(t)
		must(visitor.SignIn(t.Context(), at.Page))(t)
		secrets[what] = visitor.Password
	}
	secrets["password as the address"] = mistaken.Email

	request := c.app.NewRequest(allScopes)
	back := must(c.person.Authorize(t.Context(), c.app.URL(request), person.Choice{Photo: true}))(t)
	secrets["code"], secrets["verifier"] = back.Query().Get("code"), request.Verifier
	// A wrong verifier first: it must not be kept either.
	secrets["wrong verifier"] = canary("verifier") + canary("verifier")
	must(c.app.Exchange(t.Context(), secrets["code"], secrets["wrong verifier"]))(t)
	again := c.app.NewRequest(allScopes)
	back = must(c.person.Authorize(t.Context(), c.app.URL(again), person.Choice{Photo: true}))(t)
	secrets["second code"], secrets["second verifier"] = back.Query().Get("code"), again.Verifier
	c.tokens = must(must(c.app.Exchange(t.Context(), secrets["second code"], again.Verifier))(t).Tokens())(t)
	secrets["access token"], secrets["refresh token"] = c.tokens.Access, c.tokens.Refresh
	c.tokens = must(must(c.app.Refresh(t.Context(), c.tokens.Refresh, ""))(t).Tokens())(t)
	secrets["second access token"], secrets["second refresh token"] = c.tokens.Access, c.tokens.Refresh

	secrets["client secret"] = c.app.Secret
	secrets["API key"] = p.api.Key
	link := c.link(t)
	secrets["durable link"] = link[strings.LastIndexByte(link, '/')+1:]
	for _, line := range c.person.SetCookies {
		cookie := must(http.ParseSetCookie(line))(t)
		if len(cookie.Value) >= 20 {
			secrets["cookie "+cookie.Name] = cookie.Value
		}
	}
	address, _ := p.resumeOf(t, "file")
	if secrets["signature"] = must(url.Parse(address))(t).Query().Get("signature"); len(secrets["signature"]) < 32 {
		t.Fatalf("the resume's address has no signature: %s", address)
	}
	if a := open(t, address); a.Status != http.StatusOK || !bytes.Contains(a.Body, []byte(secrets["resume contents"])) {
		t.Fatalf("the resume is not served: %s", a)
	}
	return c
}

// ofTheDeployment notes the secrets with which the parts were started.
func (secrets planted) ofTheDeployment(t *testing.T, s *stack.Stack) {
	t.Helper()
	for part, names := range map[string][]string{
		"gateway": {"VITAE_CV_LINK_KEY", "VITAE_COOKIE_KEY"}, "candidate": {"VITAE_BLOB_SIGNING_KEY"},
	} {
		for _, name := range names {
			secrets[name] = must(s.Setting(part, name))(t)
		}
	}
	for part, name := range map[string]string{"auth": "VITAE_POSTGRES_URL", "candidate": "VITAE_POSTGRES_URL", "gateway": "VITAE_REDIS_URL"} {
		if password, ok := must(url.Parse(must(s.Setting(part, name))(t)))(t).User.Password(); ok {
			secrets[part+" "+name] = password
		}
	}
}

// use gives requests that are right, to be sent whatever the parts do: what they
// are answered does not matter here.
func (secrets planted) use(t *testing.T, p platform, c connected) []func(context.Context) {
	t.Helper()
	link := c.link(t)
	address, _ := p.resumeOf(t, "file")
	get := func(target, token string) func(context.Context) {
		return func(ctx context.Context) { _, _ = partner.Get(ctx, target, token) }
	}
	all := []func(context.Context){
		get(p.stack.BaseURLs[0]+"/v1/companies", p.api.Key), get(link, ""), get(address, ""),
		func(ctx context.Context) { _, _ = c.person.Open(ctx, p.stack.AppURLs[0]+"/connections") },
		func(ctx context.Context) {
			visitor := person.New(c.person.Email, c.person.Password)
			if at, err := visitor.Open(ctx, p.stack.AppURLs[0]+"/connections"); err == nil && at.Page != nil {
				_, _ = visitor.SignIn(ctx, at.Page)
			}
		},
	}
	for _, at := range c.replicas(c.app) {
		for _, path := range []string{"/v1/me", "/v1/me/cv", "/v1/me/cv.pdf"} {
			all = append(all, get(at.BaseURL+path, c.tokens.Access))
		}
		all = append(all,
			func(ctx context.Context) { _, _ = at.Introspect(ctx, c.tokens.Access) },
			func(ctx context.Context) { _, _ = at.Exchange(ctx, secrets["code"], secrets["verifier"]) })
	}
	return all
}

// patience is longer than the edge takes to give a part up, but for PDFs.
const patience = 12 * time.Second

// frozen sends requests while the processes of some parts do not run.
func frozen(t *testing.T, s *stack.Stack, requests []func(context.Context), parts ...string) {
	t.Helper()
	signal := func(sig syscall.Signal) {
		for _, part := range parts {
			processes := s.Parts(part)
			if len(processes) == 0 {
				t.Fatalf("no process of %s", part)
			}
			for _, p := range processes {
				if err := syscall.Kill(p.PID, sig); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	signal(syscall.SIGSTOP)
	defer signal(syscall.SIGCONT)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var sent sync.WaitGroup
	for _, request := range requests {
		sent.Go(func() { request(ctx) })
	}
	sent.Wait()
}

// misuse presents every secret, and what is nearly one, where it does not belong.
func (secrets planted) misuse(t *testing.T, p platform, c connected) {
	t.Helper()
	ctx := t.Context()
	send := func(req *http.Request, err error) {
		t.Helper()
		if err == nil {
			_, err = partner.Do(req)
		}
		if err != nil {
			t.Log(err) // a path that no client can write
		}
	}
	for what, secret := range secrets {
		q := url.QueryEscape(secret)
		for _, at := range []string{
			"/v1/me?access_token=" + q, "/v1/jobs/" + q, "/v1/cv-links/" + q, "/" + q, "/resumes?a=" + q, "/v1/me?cvId=" + q + "%zz",
			"/oauth/authorize?client_id=" + q + "&redirect_uri=" + q + "&state=" + q + "&scope=" + q,
		} {
			send(http.NewRequestWithContext(ctx, http.MethodGet, p.stack.BaseURLs[0]+at, nil))
		}
		for _, bearer := range []string{"Bearer " + secret, "Basic " + base64.StdEncoding.EncodeToString([]byte(secret+":"+secret)), secret} {
			for _, path := range []string{"/v1/me", "/v1/companies"} {
				req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.stack.BaseURLs[0]+path, nil)
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
		stranger := partner.Client{BaseURL: p.stack.BaseURLs[1], ID: c.app.ID, Secret: secret, Redirect: c.app.Redirect, Method: partner.Body}
		for _, form := range []url.Values{
			{"grant_type": {"refresh_token"}, "refresh_token": {secret}}, {"grant_type": {secret}}, {"token": {secret}},
			{"grant_type": {"authorization_code"}, "code": {secret}, "code_verifier": {secret}, "redirect_uri": {secret}},
		} {
			for _, client := range []partner.Client{c.app, stranger, {BaseURL: p.stack.BaseURLs[0], ID: secret, Secret: secret}} {
				for _, path := range []string{"/oauth/token", "/oauth/introspect", "/oauth/revoke"} {
					if _, err := client.Post(ctx, path, form); err != nil {
						t.Fatalf("%s: %v", what, err)
					}
				}
			}
		}
		_, _ = p.api.Call(ctx, http.MethodPost, "/v1/companies", `{"name":7,"`+q+`":"`+q+`"}`)
		_, _ = partner.Employer{BaseURL: p.stack.BaseURLs[0], Key: secret}.Companies(ctx, "page="+q)
	}
}
