package tokens_test

import (
	"net/http"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
)

func TestRevokingARefreshTokenEndsFamilyAccessTokensAndLink(t *testing.T) {
	t.Parallel()
	c := scene.Everything(t)
	link := c.Link(t)
	other := scene.Connect(t, c.App, c.Person, world.EveryScope, person.Choice{}) // another family of the same connection
	next := expect.Must(expect.Must(c.App.Refresh(t.Context(), c.Tokens.Refresh, ""))(t).Tokens())(t)

	expect.Revoked(t, expect.Must(c.App.Revoke(t.Context(), next.Refresh))(t))
	for _, access := range []string{c.Tokens.Access, next.Access, other.Access} {
		c.Dead(t, access)
	}
	expect.Refused(t, scene.Open(t, link), http.StatusNotFound, "CV_LINK_NOT_FOUND")
	c.RefreshDead(t, next.Refresh)
	// The other family lives on. A read with its tokens gives a new link.
	renewed := expect.Must(expect.Must(c.App.Refresh(t.Context(), other.Refresh, ""))(t).Tokens())(t)
	c.Tokens = renewed
	if again := c.Link(t); again == link {
		t.Error("the dead link was given out again")
	} else if a := scene.Open(t, again); a.Status != http.StatusOK {
		t.Errorf("the new link: %s", a)
	}
}

func TestRevokingARotatedRefreshTokenEndsItsFamily(t *testing.T) {
	t.Parallel()
	c := scene.Everything(t)
	next := expect.Must(expect.Must(c.App.Refresh(t.Context(), c.Tokens.Refresh, ""))(t).Tokens())(t)
	expect.Revoked(t, expect.Must(c.App.Revoke(t.Context(), c.Tokens.Refresh))(t))
	c.Dead(t, next.Access)
	c.RefreshDead(t, next.Refresh)
}

func TestRevokingAnAccessTokenEndsOnlyThatToken(t *testing.T) {
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

func TestRevokingSucceedsForAnythingAndTouchesNoOtherClientsToken(t *testing.T) {
	t.Parallel()
	c := scene.Everything(t)
	stranger := c.Client(t, "other")
	for _, token := range []string{c.Tokens.Access, c.Tokens.Refresh, "unknown", "svc_at_unknown"} {
		expect.Revoked(t, expect.Must(stranger.Revoke(t.Context(), token))(t))
	}
	c.Alive(t, c.Tokens.Access)
	for range 2 { // the second revocation changes nothing
		expect.Revoked(t, expect.Must(c.App.Revoke(t.Context(), c.Tokens.Access))(t))
	}
	expect.Must(expect.Must(c.App.Refresh(t.Context(), c.Tokens.Refresh, ""))(t).Tokens())(t)
}
