package partnerapi_test

import (
	"net/http"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
)

func TestSeveralKeysOfAnAppWorkAtOnce(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t)
	company := p.Company(t)
	all := strings.Join(world.CompanyScopes, ",")
	second, id := p.NewKey(t, "ats", "--scopes", all)
	reader, _ := p.NewKey(t, "ats", "--scopes", "companies:read")
	for _, c := range []partner.Employer{p.API, second, reader} {
		for _, edge := range p.Edges(c) {
			expect.Success(t, expect.Must(edge.Company(t.Context(), company))(t))
		}
	}
	expect.Refused(t, expect.Must(reader.Jobs(t.Context(), company, ""))(t), keyNarrow.status, keyNarrow.code)
	p.Exits(t, 0, "key", "delete", id)
	for _, edge := range p.Edges(p.API) {
		expect.Success(t, expect.Must(edge.Company(t.Context(), company))(t))
	}
}

func TestKeysAndUserTokensNeverMix(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t, world.World{People: []world.Person{world.Full()}})
	app := p.Client(t, "ats")
	tokens := scene.Connect(t, app, p.NewPerson(t, "layla"), world.EveryScope, person.Choice{})
	for _, edge := range p.Edges(p.API) {
		for _, path := range []string{"/v1/me", "/v1/me/cv", "/v1/me/cv.pdf"} {
			a := expect.Must(edge.Get(t.Context(), path, ""))(t)
			expect.Refused(t, a, http.StatusUnauthorized, "OAUTH_INVALID_TOKEN")
			expect.Message(t, a, "This path takes an access token, not an API key.")
		}
		expect.Message(t, expect.Must(edge.With(tokens.Access).Companies(t.Context(), ""))(t), "This path takes an API key, not an access token.")
		for _, credential := range []string{tokens.Access, tokens.Refresh, app.Secret, app.ID} {
			expect.Refused(t, expect.Must(edge.With(credential).Companies(t.Context(), ""))(t), keyDead.status, keyDead.code)
		}
	}
	// To the OAuth endpoints a key is an unknown token.
	expect.Inactive(t, expect.Must(app.Introspect(t.Context(), p.API.Key))(t))
	expect.Revoked(t, expect.Must(app.Revoke(t.Context(), p.API.Key))(t))
	expect.Listed(t, expect.Must(p.API.Companies(t.Context(), ""))(t))
}

func TestMissingAndDeadKeysAreChallenged(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t)
	for key, hint := range map[string]string{
		"": "", "x": `error="invalid_token"`, "svc_sk_": `error="invalid_token"`, strings.Repeat("A", 7000): `error="invalid_token"`,
		p.API.Key + "A": `error="invalid_token"`, strings.ToUpper(p.API.Key): `error="invalid_token"`,
	} {
		a := expect.Must(p.API.With(key).Companies(t.Context(), ""))(t)
		expect.Refused(t, a, keyDead.status, keyDead.code)
		h := a.Header.Get("WWW-Authenticate")
		if !strings.HasPrefix(h, "Bearer") || !strings.Contains(h, hint) || (hint == "" && strings.Contains(h, "error=")) {
			t.Errorf("%.20q: WWW-Authenticate %q", key, h)
		}
	}
	for _, headers := range [][]string{{"Authorization", "Basic " + p.API.Key}, {"Authorization", p.API.Key}, {"X-Api-Key", p.API.Key}} {
		a := expect.Must(p.API.With("").Call(t.Context(), http.MethodGet, "/v1/companies?api_key="+p.API.Key, nil, headers...))(t)
		expect.Refused(t, a, keyDead.status, keyDead.code)
	}
	narrow, _ := p.NewKey(t, "ats", "--scopes", "jobs:read")
	a := expect.Must(narrow.Companies(t.Context(), ""))(t)
	expect.Refused(t, a, keyNarrow.status, keyNarrow.code)
	if h := a.Header.Get("WWW-Authenticate"); !strings.Contains(h, `error="insufficient_scope"`) {
		t.Errorf("WWW-Authenticate %q (RFC 6750 §3.1)", h)
	}
}
