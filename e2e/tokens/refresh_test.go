package tokens_test

import (
	"net/http"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/scene"
)

func TestRefreshReuseRevokesFamily(t *testing.T) {
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
