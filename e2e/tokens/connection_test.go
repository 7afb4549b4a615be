package tokens_test

import (
	"net/http"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
)

func TestSuspendedAccountIsDeniedUntilResumed(t *testing.T) {
	t.Parallel()
	c := scene.Everything(t)
	link := c.Link(t)
	request := c.App.NewRequest(world.EveryScope)
	account := c.Created.Developers["dev"].ID
	c.Vitaectl(t, "account", "suspend", account)
	for _, edge := range c.Replicas(c.App) {
		for _, path := range []string{"/v1/me", "/v1/me/cv", "/v1/me/cv.pdf"} {
			expect.Refused(t, expect.Must(edge.Get(t.Context(), path, c.Tokens.Access))(t), http.StatusForbidden, "DEVELOPER_ACCOUNT_SUSPENDED")
		}
		expect.Refused(t, expect.Must(partner.Get(t.Context(), edge.BaseURL+scene.Path(t, link), ""))(t), http.StatusForbidden, "DEVELOPER_ACCOUNT_SUSPENDED")
		expect.FlatRefused(t, expect.Must(edge.Introspect(t.Context(), c.Tokens.Access))(t), http.StatusForbidden, "access_denied")
		expect.FlatRefused(t, expect.Must(edge.Refresh(t.Context(), c.Tokens.Refresh, ""))(t), http.StatusForbidden, "access_denied")
		expect.FlatRefused(t, expect.Must(edge.Exchange(t.Context(), "x", "y"))(t), http.StatusForbidden, "access_denied")
		expect.Refused(t, expect.Must(partner.Get(t.Context(), edge.URL(request), ""))(t), http.StatusForbidden, "DEVELOPER_ACCOUNT_SUSPENDED")
	}
	c.Vitaectl(t, "account", "resume", account)
	c.Alive(t, c.Tokens.Access)
	if a := scene.Open(t, link); a.Status != http.StatusOK {
		t.Errorf("the link after the account was resumed: %s", a)
	}
}

func TestSuspendedAccountCanRevoke(t *testing.T) {
	t.Parallel()
	c := scene.Everything(t)
	link := c.Link(t)
	second := scene.Connect(t, c.App, c.Person, world.EveryScope, person.Choice{}) // a second family of the same connection
	account := c.Created.Developers["dev"].ID
	c.Vitaectl(t, "account", "suspend", account)
	for i, token := range []string{c.Tokens.Access, c.Tokens.Refresh, "unknown"} {
		edges := c.Replicas(c.App)
		expect.Revoked(t, expect.Must(edges[i%len(edges)].Revoke(t.Context(), token))(t))
	}
	c.Vitaectl(t, "account", "resume", account)
	c.Dead(t, c.Tokens.Access)
	c.RefreshDead(t, c.Tokens.Refresh)
	expect.Refused(t, scene.Open(t, link), http.StatusNotFound, "CV_LINK_NOT_FOUND")
	renewed := expect.Must(expect.Must(c.App.Refresh(t.Context(), second.Refresh, ""))(t).Tokens())(t)
	c.Alive(t, renewed.Access)
}

func TestConsentAfterDisconnectIsNew(t *testing.T) {
	t.Parallel()
	c := scene.Everything(t)
	link := c.Link(t)
	before := expect.At(expect.Success(t, c.Get(t, "/v1/me")), "connection", "id")
	r := c.App.NewRequest(world.EveryScope)
	unredeemed := scene.Code(t, c.App, c.Person, r, person.Choice{})

	if err := c.Person.Disconnect(t.Context(), c.Stack.AppURLs[0], c.AppName(t, "web")); err != nil {
		t.Fatal(err)
	}
	c.Dead(t, c.Tokens.Access)
	c.RefreshDead(t, c.Tokens.Refresh)
	expect.Refused(t, scene.Open(t, link), http.StatusNotFound, "CV_LINK_NOT_FOUND")
	expect.FlatRefused(t, expect.Must(c.App.Exchange(t.Context(), unredeemed, r.Verifier))(t), http.StatusBadRequest, "invalid_grant")

	c.Tokens = scene.Connect(t, c.App, c.Person, world.EveryScope, person.Choice{})
	if after := expect.At(expect.Success(t, c.Get(t, "/v1/me")), "connection", "id"); after == before || after == nil {
		t.Errorf("connection %v after %v, want a new one", after, before)
	}
	if c.Link(t) == link {
		t.Error("the revoked link was issued again")
	}
}

func TestSharingSwitchEndsAndRenewsLink(t *testing.T) {
	t.Parallel()
	c := scene.Everything(t)
	link := c.Link(t)
	c.Share(t, false)

	expect.Refused(t, scene.Open(t, link), http.StatusNotFound, "CV_LINK_NOT_FOUND")
	for _, at := range c.Replicas(c.App) {
		for _, path := range []string{"/v1/me/cv", "/v1/me/cv.pdf"} {
			expect.Refused(t, expect.Must(at.Get(t.Context(), path, c.Tokens.Access))(t), http.StatusForbidden, "OAUTH_INSUFFICIENT_SCOPE")
		}
	}
	connection := expect.At(expect.Success(t, c.Get(t, "/v1/me")), "connection").(map[string]any)
	expect.Matches(t, "scopes", []any{"profile", "email"}, connection["scopes"])
	if connection["cv"] != nil {
		t.Errorf("connection.cv %v, want null", connection["cv"])
	}
	// A refresh does not enable sharing again.
	next := expect.Must(expect.Must(c.App.Refresh(t.Context(), c.Tokens.Refresh, ""))(t).Tokens())(t)
	expect.Refused(t, expect.Must(c.App.Get(t.Context(), "/v1/me/cv", next.Access))(t), http.StatusForbidden, "OAUTH_INSUFFICIENT_SCOPE")

	c.Share(t, true)
	c.Tokens = expect.Must(expect.Must(c.App.Refresh(t.Context(), next.Refresh, ""))(t).Tokens())(t)
	again := c.Link(t)
	if again == link {
		t.Error("the revoked link was issued again")
	}
	if a := scene.Open(t, again); a.Status != http.StatusOK {
		t.Errorf("the new link: %s", a)
	}
	expect.Refused(t, scene.Open(t, link), http.StatusNotFound, "CV_LINK_NOT_FOUND")
}
