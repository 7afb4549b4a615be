package legacy_test

import (
	"context"
	"net/http"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
)

func TestCodesWorkOnlyOnIssuingInterface(t *testing.T) {
	t.Parallel()
	o := scene.NewLegacy(t, world.Full())
	modern := o.Client(t, "older")
	request := modern.NewRequest(world.EveryScope)
	newCode, oldCode := scene.Code(t, modern, o.Person, request, person.Choice{}), o.Code(t, person.Choice{})
	expect.LegacyRefused(t, expect.Must(o.App.Exchange(t.Context(), newCode))(t), http.StatusBadRequest, "INVALID_CODE")
	expect.FlatRefused(t, expect.Must(modern.Exchange(t.Context(), oldCode, request.Verifier))(t), http.StatusBadRequest, "invalid_grant")
	expect.Must(expect.Must(modern.Exchange(t.Context(), newCode, request.Verifier))(t).Tokens())(t)
	o.Alive(t, o.Token(t, expect.Must(o.App.Exchange(t.Context(), oldCode))(t)))
}

func TestRESTAPIRejectsLegacyToken(t *testing.T) {
	t.Parallel()
	o := scene.NewLegacy(t, world.Full())
	token := o.Connect(t, person.Choice{})
	o.Alive(t, token) // the gateway now has a session record of the legacy token
	for _, u := range o.Stack.BaseURLs {
		for _, path := range []string{"/v1/me", "/v1/me/cv", "/v1/me/cv.pdf"} {
			a := expect.Must(partner.Get(t.Context(), u+path, token))(t)
			expect.Refused(t, a, http.StatusUnauthorized, "OAUTH_INVALID_TOKEN")
			if a.Header.Get("x-quota-limit") != "" {
				t.Errorf("%s: the request counts against the account's quota", path)
			}
		}
		key := partner.Employer{BaseURL: u, Key: token}
		for _, send := range []func(context.Context) (partner.Response, error){
			func(ctx context.Context) (partner.Response, error) { return key.Companies(ctx, "") },
			func(ctx context.Context) (partner.Response, error) { return key.CreateCompany(ctx, "{}") },
			func(ctx context.Context) (partner.Response, error) { return key.Job(ctx, "job_none") },
		} {
			expect.Refused(t, expect.Must(send(t.Context()))(t), http.StatusUnauthorized, "API_KEY_INVALID")
		}
	}
	o.Alive(t, token)
}

func TestLegacyRejectsOtherCredentials(t *testing.T) {
	t.Parallel()
	o := scene.NewLegacy(t, world.Full())
	modern := o.Client(t, "older")
	tokens := scene.Connect(t, modern, o.Person, world.EveryScope, person.Choice{})
	expect.Success(t, expect.Must(modern.Get(t.Context(), "/v1/me", tokens.Access))(t))
	code := o.Code(t, person.Choice{})
	for name, presented := range map[string]string{
		"a REST API access token": tokens.Access, "a refresh token": tokens.Refresh, "a code": code, "a secret": o.App.Secret,
		"an API key": "svc_sk_none", "no credential": "x",
	} {
		for _, c := range o.Everywhere() {
			a := expect.Must(c.Profile(t.Context(), presented))(t)
			expect.LegacyRefused(t, a, http.StatusUnauthorized, "UNAUTHORIZED")
			expect.LegacyRefused(t, expect.Must(c.Revoke(t.Context(), presented))(t), http.StatusUnauthorized, "UNAUTHORIZED")
			if a.Header.Get("X-RateLimit-Limit") != "" {
				t.Errorf("%s: the request counts against a partner", name)
			}
		}
	}
	expect.Success(t, expect.Must(modern.Get(t.Context(), "/v1/me", tokens.Access))(t))
	for _, path := range []string{"/api/oauth/profile", "/api/oauth/revoke"} {
		method := map[string]string{"/api/oauth/profile": http.MethodGet, "/api/oauth/revoke": http.MethodPost}[path]
		a := expect.Must(o.App.Send(t.Context(), method, path, ""))(t)
		expect.LegacyRefused(t, a, http.StatusUnauthorized, "UNAUTHORIZED")
		if got := a.Header.Get("WWW-Authenticate"); got != `Bearer realm="vitae"` {
			t.Errorf("without a token the challenge is %q", got)
		}
		two := expect.Must(o.App.Send(t.Context(), method, path, "", "Authorization", "Bearer a", "Authorization", "Bearer b"))(t)
		expect.LegacyRefused(t, two, http.StatusUnauthorized, "UNAUTHORIZED")
	}
}
