package tokens_test

import (
	"net/http"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
)

func TestRefreshRotatesAndTheOldTokenEndsTheFamily(t *testing.T) {
	t.Parallel()
	c := scene.Everything(t)
	second := expect.Must(expect.Must(c.App.Refresh(t.Context(), c.Tokens.Refresh, ""))(t).Tokens())(t)
	if second.Refresh == c.Tokens.Refresh || second.Access == c.Tokens.Access {
		t.Fatal("the refresh token was not rotated")
	}
	c.Alive(t, second.Access)
	expect.Inactive(t, expect.Must(c.App.Introspect(t.Context(), c.Tokens.Refresh))(t))
	third := expect.Must(expect.Must(c.App.At(c.Stack.BaseURLs[1]).Refresh(t.Context(), second.Refresh, ""))(t).Tokens())(t)
	c.Alive(t, third.Access)

	expect.FlatRefused(t, expect.Must(c.App.Refresh(t.Context(), c.Tokens.Refresh, ""))(t), http.StatusBadRequest, "invalid_grant")
	c.RefreshDead(t, third.Refresh)
	c.Dead(t, third.Access)
}

func TestRefreshTokenThatAnotherClientPresentsHarmsNobody(t *testing.T) {
	t.Parallel()
	c := scene.Everything(t)
	stranger := c.Client(t, "other")
	expect.FlatRefused(t, expect.Must(stranger.Refresh(t.Context(), c.Tokens.Refresh, ""))(t), http.StatusBadRequest, "invalid_grant")
	expect.Must(expect.Must(c.App.Refresh(t.Context(), c.Tokens.Refresh, ""))(t).Tokens())(t)
}

func TestRefreshMayNarrowTheScopeAndNeverWidenIt(t *testing.T) {
	t.Parallel()
	s := scene.New(t)
	app := s.Client(t, "web")
	tokens := scene.Connect(t, app, s.NewPerson(t, "layla"), "profile email cv:read", person.Choice{})

	narrow := expect.Must(expect.Must(app.Refresh(t.Context(), tokens.Refresh, "profile"))(t).Tokens())(t)
	if narrow.Scope != "profile" {
		t.Errorf("scope %q, want profile", narrow.Scope)
	}
	expect.Refused(t, expect.Must(app.Get(t.Context(), "/v1/me/cv", narrow.Access))(t), http.StatusForbidden, "OAUTH_INSUFFICIENT_SCOPE")
	if data := expect.Success(t, expect.Must(app.Get(t.Context(), "/v1/me", narrow.Access))(t)); data["email"] != nil {
		t.Error("a token without the email scope shows the e-mail address")
	}
	// The refresh token keeps what was granted (RFC 6749 §6).
	wide := expect.Must(expect.Must(app.Refresh(t.Context(), narrow.Refresh, ""))(t).Tokens())(t)
	if wide.Scope != "profile email cv:read" {
		t.Errorf("scope %q, want all that was granted", wide.Scope)
	}
	for _, wider := range []string{world.EveryScope, "profile cv:contact", "profile admin"} {
		expect.FlatRefused(t, expect.Must(app.Refresh(t.Context(), wide.Refresh, wider))(t), http.StatusBadRequest, "invalid_scope")
	}
	// A refusal does not use up the refresh token.
	expect.Must(expect.Must(app.Refresh(t.Context(), wide.Refresh, ""))(t).Tokens())(t)
}
