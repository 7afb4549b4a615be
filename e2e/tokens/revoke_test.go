package tokens_test

import (
	"net/http"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
)

func TestRevokedRefreshTokenRevokesFamily(t *testing.T) {
	t.Parallel()
	c := scene.Everything(t)
	link := c.Link(t)
	other := scene.Connect(t, c.App, c.Person, world.EveryScope, person.Choice{}) // a second family of the same connection
	next := expect.Must(expect.Must(c.App.Refresh(t.Context(), c.Tokens.Refresh, ""))(t).Tokens())(t)

	expect.Revoked(t, expect.Must(c.App.Revoke(t.Context(), next.Refresh))(t))
	for _, access := range []string{c.Tokens.Access, next.Access, other.Access} {
		c.Dead(t, access)
	}
	expect.Refused(t, scene.Open(t, link), http.StatusNotFound, "CV_LINK_NOT_FOUND")
	c.RefreshDead(t, next.Refresh)
	// The other family stays valid. A read with its tokens creates a new link.
	renewed := expect.Must(expect.Must(c.App.Refresh(t.Context(), other.Refresh, ""))(t).Tokens())(t)
	c.Tokens = renewed
	if again := c.Link(t); again == link {
		t.Error("the revoked link was issued again")
	} else if a := scene.Open(t, again); a.Status != http.StatusOK {
		t.Errorf("the new link: %s", a)
	}
}

func TestRevokedAccessTokenRevokesOnlyItself(t *testing.T) {
	t.Parallel()
	c := scene.Everything(t)
	link := c.Link(t)
	next := expect.Must(expect.Must(c.App.Refresh(t.Context(), c.Tokens.Refresh, ""))(t).Tokens())(t)
	expect.Revoked(t, expect.Must(c.App.Revoke(t.Context(), next.Access))(t))
	c.Dead(t, next.Access)
	c.Alive(t, c.Tokens.Access)
	if a := scene.Open(t, link); a.Status != http.StatusOK {
		t.Errorf("the durable link: %s", a)
	}
	expect.Must(expect.Must(c.App.Refresh(t.Context(), next.Refresh, ""))(t).Tokens())(t)
}
