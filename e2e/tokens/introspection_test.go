package tokens_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
)

func TestTokenResponsesHaveTheirFiveFields(t *testing.T) {
	t.Parallel()
	s := scene.New(t)
	app := s.Client(t, "web")
	r := app.NewRequest("cv:read profile email cv:read")
	answer := expect.Must(app.Exchange(t.Context(), scene.Code(t, app, s.NewPerson(t, "layla"), r, person.Choice{Drop: []string{"email"}}), r.Verifier))(t)
	want := map[string]any{
		"access_token": credential("svc_at_"), "refresh_token": credential("svc_rt_"),
		"token_type": "Bearer", "expires_in": json.Number("3600"), "scope": "profile cv:read",
	}
	expect.Matches(t, "token response", want, expect.Flat(t, answer, http.StatusOK))
	again := expect.Must(app.Refresh(t.Context(), expect.Must(answer.Tokens())(t).Refresh, ""))(t)
	expect.Matches(t, "refresh response", want, expect.Flat(t, again, http.StatusOK))
}

func credential(prefix string) expect.Matcher {
	return func(v any) error {
		if s, ok := v.(string); !ok || !strings.HasPrefix(s, prefix) || len(s) < len(prefix)+43 {
			return expect.Identifier(nil)
		}
		return nil
	}
}

func TestIntrospectionDescribesALiveTokenToItsOwner(t *testing.T) {
	t.Parallel()
	c := scene.Everything(t)
	me := expect.Success(t, c.Get(t, "/v1/me"))
	for token, life := range map[string]time.Duration{c.Tokens.Access: time.Hour, c.Tokens.Refresh: 90 * 24 * time.Hour} {
		for _, at := range c.Replicas(c.App) {
			body := expect.Flat(t, expect.Must(at.Introspect(t.Context(), token))(t), http.StatusOK)
			expect.Matches(t, "introspection", map[string]any{
				"active": true, "scope": world.EveryScope, "client_id": c.App.ID, "token_type": "Bearer",
				"sub": me["id"], "exp": unixNear(time.Now().Add(life)), "connection_id": me["connection"].(map[string]any)["id"],
			}, body)
		}
	}
}

// unixNear matches a whole number of seconds within five minutes of a moment.
func unixNear(want time.Time) expect.Matcher {
	return func(v any) error {
		n, _ := v.(json.Number)
		seconds, err := n.Int64()
		if err != nil || time.Unix(seconds, 0).Sub(want).Abs() > 5*time.Minute {
			return expect.Identifier(nil)
		}
		return nil
	}
}

func TestIntrospectionAnswersAreByteIdenticalForEveryOtherToken(t *testing.T) {
	t.Parallel()
	c := scene.Everything(t)
	stranger := c.Client(t, "other")
	foreign := scene.Connect(t, stranger, c.Person, "profile", person.Choice{})
	rotated := c.Tokens.Refresh
	next := expect.Must(expect.Must(c.App.Refresh(t.Context(), rotated, ""))(t).Tokens())(t)
	expect.Revoked(t, expect.Must(c.App.Revoke(t.Context(), next.Access))(t))
	for name, token := range map[string]string{
		"unknown": "svc_at_unknown", "no token at all": "x", "foreign access": foreign.Access, "foreign refresh": foreign.Refresh,
		"rotated": rotated, "revoked": next.Access, "a client id": c.App.ID,
	} {
		a := expect.Must(c.App.Introspect(t.Context(), token))(t)
		expect.Flat(t, a, http.StatusOK)
		if string(a.Body) != `{"active":false}` {
			t.Errorf("%s: %s", name, a)
		}
	}
}

func TestIntrospectionShowsTheScopesInForce(t *testing.T) {
	t.Parallel()
	c := scene.Everything(t)
	c.Share(t, false)
	body := expect.Flat(t, expect.Must(c.App.Introspect(t.Context(), c.Tokens.Access))(t), http.StatusOK)
	if body["scope"] != "profile email" {
		t.Errorf("scope %v, want profile email", body["scope"])
	}
}
