package operators_test

import (
	"bytes"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/stack"
	"vitae.internal/e2e/internal/world"
)

// canary returns a unique string. It consists of letters and digits, which no encoding changes.
func canary(what string) string { return "canary" + what + world.Unique() + world.Unique() }

// planted maps descriptions to the secrets of one run.
type planted map[string]string

// signIn connects an app, and records every secret that is used for that.
func (secrets planted) signIn(t *testing.T, p scene.Platform) scene.Connected {
	t.Helper()
	c := scene.Connected{Scene: p.Scene, App: p.Client(t, "web"), Person: p.NewPerson(t, "layla")}
	wrong := person.New(c.Person.Email, canary("wrongpassword"))
	mistaken := person.New(canary("passwordasaddress"), c.Person.Password)
	for what, visitor := range map[string]*person.Person{"wrong password": wrong, "password as the address": mistaken} {
		at := expect.Must(visitor.Open(t.Context(), p.Stack.AppURLs[0]+"/connections"))(t)
		expect.Must(visitor.SignIn(t.Context(), at.Page))(t)
		secrets[what] = visitor.Password
	}
	secrets["password as the address"] = mistaken.Email

	request := c.App.NewRequest(world.EveryScope)
	back := expect.Must(c.Person.Authorize(t.Context(), c.App.URL(request), person.Choice{Photo: true}))(t)
	secrets["code"], secrets["verifier"] = back.Query().Get("code"), request.Verifier
	// A wrong verifier is sent first; it must not be stored either.
	secrets["wrong verifier"] = canary("verifier") + canary("verifier")
	expect.Must(c.App.Exchange(t.Context(), secrets["code"], secrets["wrong verifier"]))(t)
	again := c.App.NewRequest(world.EveryScope)
	back = expect.Must(c.Person.Authorize(t.Context(), c.App.URL(again), person.Choice{Photo: true}))(t)
	secrets["second code"], secrets["second verifier"] = back.Query().Get("code"), again.Verifier
	c.Tokens = expect.Must(expect.Must(c.App.Exchange(t.Context(), secrets["second code"], again.Verifier))(t).Tokens())(t)
	secrets["access token"], secrets["refresh token"] = c.Tokens.Access, c.Tokens.Refresh
	c.Tokens = expect.Must(expect.Must(c.App.Refresh(t.Context(), c.Tokens.Refresh, ""))(t).Tokens())(t)
	secrets["second access token"], secrets["second refresh token"] = c.Tokens.Access, c.Tokens.Refresh

	secrets["client secret"] = c.App.Secret
	secrets["API key"] = p.API.Key
	link := c.Link(t)
	secrets["durable link"] = link[strings.LastIndexByte(link, '/')+1:]
	for _, line := range c.Person.SetCookies {
		cookie := expect.Must(http.ParseSetCookie(line))(t)
		if len(cookie.Value) >= 20 {
			secrets["cookie "+cookie.Name] = cookie.Value
		}
	}
	address, _ := p.ResumeURL(t, "file")
	if secrets["signature"] = expect.Must(url.Parse(address))(t).Query().Get("signature"); len(secrets["signature"]) < 32 {
		t.Fatalf("the resume's URL has no signature: %s", address)
	}
	if a := scene.Open(t, address); a.Status != http.StatusOK || !bytes.Contains(a.Body, []byte(secrets["resume contents"])) {
		t.Fatalf("the resume is not served: %s", a)
	}
	return c
}

// ofDeployment records the secrets in the settings of the services.
func (secrets planted) ofDeployment(t *testing.T, s *stack.Stack) {
	t.Helper()
	for service, names := range map[string][]string{
		"gateway": {"VITAE_CV_LINK_KEYS", "VITAE_COOKIE_KEYS", "VITAE_RECORD_KEYS"}, "candidate": {"VITAE_BLOB_SIGNING_KEYS"},
	} {
		for _, name := range names {
			_, key, named := strings.Cut(expect.Must(s.Setting(service, name))(t), ":")
			if !named || len(key) < 40 {
				t.Fatalf("%s is not a key ring", name)
			}
			secrets[name] = key
		}
	}
	for service, name := range map[string]string{"auth": "VITAE_POSTGRES_URL", "candidate": "VITAE_POSTGRES_URL", "gateway": "VITAE_REDIS_URL"} {
		if password, ok := expect.Must(url.Parse(expect.Must(s.Setting(service, name))(t)))(t).User.Password(); ok {
			secrets[service+" "+name] = password
		}
	}
}
