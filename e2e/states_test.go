package e2e_test

import (
	"net/http"
	"testing"

	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
)

// The tests of this file are the rows of "Credentials and consent" in the
// specification's part States and transitions. That codes and tokens die of age is
// proven in the auth service, whose clock a test can set.

func TestCodeIsExchangedForTokensOnce(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	app, layla := s.app(t, "web"), s.person(t, "layla")
	r := app.NewRequest(allScopes)
	issued := code(t, app, layla, r, person.Choice{})
	first := must(must(app.Exchange(t.Context(), issued, r.Verifier))(t).Tokens())(t)
	c := connected{scene: s, app: app, person: layla, tokens: first}
	c.alive(t, first.Access)

	again := must(app.At(s.stack.BaseURLs[1]).Exchange(t.Context(), issued, r.Verifier))(t)
	flatRefused(t, again, http.StatusBadRequest, "invalid_grant")
	c.dead(t, first.Access)
	c.refreshDead(t, first.Refresh)
}

func TestCodeReplayAlsoRevokesWhatARefreshMadeOfTheFirstExchange(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	app := s.app(t, "web")
	r := app.NewRequest(allScopes)
	issued := code(t, app, s.person(t, "layla"), r, person.Choice{})
	first := must(must(app.Exchange(t.Context(), issued, r.Verifier))(t).Tokens())(t)
	next := must(must(app.Refresh(t.Context(), first.Refresh, ""))(t).Tokens())(t)
	flatRefused(t, must(app.Exchange(t.Context(), issued, r.Verifier))(t), http.StatusBadRequest, "invalid_grant")
	c := connected{scene: s, app: app}
	c.dead(t, first.Access)
	c.dead(t, next.Access)
	c.refreshDead(t, next.Refresh)
}

func TestCodeNeedsItsRedirectURIAndItsVerifier(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	app, layla := s.app(t, "web"), s.person(t, "layla")
	r := app.NewRequest("profile")
	for name, spoil := range map[string]func(*partner.Client, *partner.Request){
		"another verifier":             func(_ *partner.Client, r *partner.Request) { r.Verifier += "x" },
		"the challenge as verifier":    func(_ *partner.Client, r *partner.Request) { r.Verifier = r.Params.Get("code_challenge") },
		"a trailing slash":             func(c *partner.Client, _ *partner.Request) { c.Redirect += "/" },
		"an extra query":               func(c *partner.Client, _ *partner.Request) { c.Redirect += "?x=1" },
		"another scheme":               func(c *partner.Client, _ *partner.Request) { c.Redirect = "http" + c.Redirect[len("https"):] },
		"another registered-like host": func(c *partner.Client, _ *partner.Request) { c.Redirect = "https://PARTNER.example.com/callback" },
	} {
		issued := code(t, app, layla, r, person.Choice{})
		spoiled, request := app, r
		spoil(&spoiled, &request)
		flatRefused(t, must(spoiled.Exchange(t.Context(), issued, request.Verifier))(t), http.StatusBadRequest, "invalid_grant")
		if t.Failed() {
			t.Fatalf("with %s", name)
		}
	}
}

func TestCodeThatAnotherClientPresentsHarmsNobody(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	app, stranger := s.app(t, "web"), s.app(t, "other")
	r := app.NewRequest(allScopes)
	issued := code(t, app, s.person(t, "layla"), r, person.Choice{})
	flatRefused(t, must(stranger.Exchange(t.Context(), issued, r.Verifier))(t), http.StatusBadRequest, "invalid_grant")
	tokens := must(must(app.Exchange(t.Context(), issued, r.Verifier))(t).Tokens())(t)
	flatRefused(t, must(stranger.Exchange(t.Context(), issued, r.Verifier))(t), http.StatusBadRequest, "invalid_grant")
	c := connected{scene: s, app: app}
	c.alive(t, tokens.Access)
}

func TestRefreshRotatesAndTheOldTokenEndsTheFamily(t *testing.T) {
	t.Parallel()
	c := everything(t)
	second := must(must(c.app.Refresh(t.Context(), c.tokens.Refresh, ""))(t).Tokens())(t)
	if second.Refresh == c.tokens.Refresh || second.Access == c.tokens.Access {
		t.Fatal("the refresh token was not rotated")
	}
	c.alive(t, second.Access)
	inactive(t, must(c.app.Introspect(t.Context(), c.tokens.Refresh))(t))
	third := must(must(c.app.At(c.stack.BaseURLs[1]).Refresh(t.Context(), second.Refresh, ""))(t).Tokens())(t)
	c.alive(t, third.Access)

	flatRefused(t, must(c.app.Refresh(t.Context(), c.tokens.Refresh, ""))(t), http.StatusBadRequest, "invalid_grant")
	c.refreshDead(t, third.Refresh)
	c.dead(t, third.Access)
}

func TestRefreshTokenThatAnotherClientPresentsHarmsNobody(t *testing.T) {
	t.Parallel()
	c := everything(t)
	stranger := c.scene.app(t, "other")
	flatRefused(t, must(stranger.Refresh(t.Context(), c.tokens.Refresh, ""))(t), http.StatusBadRequest, "invalid_grant")
	must(must(c.app.Refresh(t.Context(), c.tokens.Refresh, ""))(t).Tokens())(t)
}

func TestRefreshMayNarrowTheScopeAndNeverWidenIt(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	app := s.app(t, "web")
	tokens := connect(t, app, s.person(t, "layla"), "profile email cv:read", person.Choice{})

	narrow := must(must(app.Refresh(t.Context(), tokens.Refresh, "profile"))(t).Tokens())(t)
	if narrow.Scope != "profile" {
		t.Errorf("scope %q, want profile", narrow.Scope)
	}
	refused(t, must(app.Get(t.Context(), "/v1/me/cv", narrow.Access))(t), http.StatusForbidden, "OAUTH_INSUFFICIENT_SCOPE")
	if data := success(t, must(app.Get(t.Context(), "/v1/me", narrow.Access))(t)); data["email"] != nil {
		t.Error("a token without the email scope shows the e-mail address")
	}
	// The refresh token keeps what was granted (RFC 6749 §6).
	wide := must(must(app.Refresh(t.Context(), narrow.Refresh, ""))(t).Tokens())(t)
	if wide.Scope != "profile email cv:read" {
		t.Errorf("scope %q, want all that was granted", wide.Scope)
	}
	for _, wider := range []string{allScopes, "profile cv:contact", "profile admin"} {
		flatRefused(t, must(app.Refresh(t.Context(), wide.Refresh, wider))(t), http.StatusBadRequest, "invalid_scope")
	}
	// A refusal spends nothing.
	must(must(app.Refresh(t.Context(), wide.Refresh, ""))(t).Tokens())(t)
}

func TestRevokingARefreshTokenEndsFamilyAccessTokensAndLink(t *testing.T) {
	t.Parallel()
	c := everything(t)
	link := c.link(t)
	other := connect(t, c.app, c.person, allScopes, person.Choice{}) // another family of the same connection
	next := must(must(c.app.Refresh(t.Context(), c.tokens.Refresh, ""))(t).Tokens())(t)

	revoked(t, must(c.app.Revoke(t.Context(), next.Refresh))(t))
	for _, access := range []string{c.tokens.Access, next.Access, other.Access} {
		c.dead(t, access)
	}
	refused(t, open(t, link), http.StatusNotFound, "CV_LINK_NOT_FOUND")
	c.refreshDead(t, next.Refresh)
	// The other family was not revoked; reading with it gives a new link.
	renewed := must(must(c.app.Refresh(t.Context(), other.Refresh, ""))(t).Tokens())(t)
	c.tokens = renewed
	if again := c.link(t); again == link {
		t.Error("the dead link was given out again")
	} else if a := open(t, again); a.Status != http.StatusOK {
		t.Errorf("the new link: %s", a)
	}
}

func TestRevokingARotatedRefreshTokenEndsItsFamily(t *testing.T) {
	t.Parallel()
	c := everything(t)
	next := must(must(c.app.Refresh(t.Context(), c.tokens.Refresh, ""))(t).Tokens())(t)
	revoked(t, must(c.app.Revoke(t.Context(), c.tokens.Refresh))(t))
	c.dead(t, next.Access)
	c.refreshDead(t, next.Refresh)
}

func TestRevokingAnAccessTokenEndsOnlyThatToken(t *testing.T) {
	t.Parallel()
	c := everything(t)
	link := c.link(t)
	next := must(must(c.app.Refresh(t.Context(), c.tokens.Refresh, ""))(t).Tokens())(t)
	revoked(t, must(c.app.Revoke(t.Context(), next.Access))(t))
	c.dead(t, next.Access)
	c.alive(t, c.tokens.Access)
	if a := open(t, link); a.Status != http.StatusOK {
		t.Errorf("the durable link: %s", a)
	}
	must(must(c.app.Refresh(t.Context(), next.Refresh, ""))(t).Tokens())(t)
}

func TestRevokingSucceedsForAnythingAndTouchesNoOtherClientsToken(t *testing.T) {
	t.Parallel()
	c := everything(t)
	stranger := c.scene.app(t, "other")
	for _, token := range []string{c.tokens.Access, c.tokens.Refresh, "unknown", "svc_at_unknown"} {
		revoked(t, must(stranger.Revoke(t.Context(), token))(t))
	}
	c.alive(t, c.tokens.Access)
	for range 2 { // the second time it is revoked already
		revoked(t, must(c.app.Revoke(t.Context(), c.tokens.Access))(t))
	}
	must(must(c.app.Refresh(t.Context(), c.tokens.Refresh, ""))(t).Tokens())(t)
}

func TestDisconnectingEndsEverythingAndANewConsentMakesANewConnection(t *testing.T) {
	t.Parallel()
	c := everything(t)
	link := c.link(t)
	before := at(success(t, c.get(t, "/v1/me")), "connection", "id")
	r := c.app.NewRequest(allScopes)
	unredeemed := code(t, c.app, c.person, r, person.Choice{})

	if err := c.person.Disconnect(t.Context(), c.stack.AppURLs[0], c.appName(t, "web")); err != nil {
		t.Fatal(err)
	}
	c.dead(t, c.tokens.Access)
	c.refreshDead(t, c.tokens.Refresh)
	refused(t, open(t, link), http.StatusNotFound, "CV_LINK_NOT_FOUND")
	flatRefused(t, must(c.app.Exchange(t.Context(), unredeemed, r.Verifier))(t), http.StatusBadRequest, "invalid_grant")

	c.tokens = connect(t, c.app, c.person, allScopes, person.Choice{})
	if after := at(success(t, c.get(t, "/v1/me")), "connection", "id"); after == before || after == nil {
		t.Errorf("connection %v after %v, want a new one", after, before)
	}
	if c.link(t) == link {
		t.Error("the dead link was given out again")
	}
}

func TestConsentingAgainUpdatesTheConnection(t *testing.T) {
	t.Parallel()
	c := everything(t)
	before := at(success(t, c.get(t, "/v1/me")), "connection").(map[string]any)
	c.tokens = connect(t, c.app, c.person, "profile cv:read", person.Choice{CV: "السيرة الذاتية"})
	after := at(success(t, c.get(t, "/v1/me")), "connection").(map[string]any)
	if after["id"] != before["id"] || after["createdAt"] != before["createdAt"] {
		t.Errorf("connection %v, was %v", after, before)
	}
	matches(t, "scopes", []any{"profile", "cv:read"}, after["scopes"])
	if title := at(after, "cv", "title"); title != "السيرة الذاتية" {
		t.Errorf("the shared CV is %v", title)
	}
}

func TestTurningSharingOffEndsTheLinkUntilThePersonTurnsItOnAgain(t *testing.T) {
	t.Parallel()
	c := everything(t)
	link := c.link(t)
	c.share(t, false)

	refused(t, open(t, link), http.StatusNotFound, "CV_LINK_NOT_FOUND")
	for _, at := range c.replicas(c.app) {
		for _, path := range []string{"/v1/me/cv", "/v1/me/cv.pdf"} {
			refused(t, must(at.Get(t.Context(), path, c.tokens.Access))(t), http.StatusForbidden, "OAUTH_INSUFFICIENT_SCOPE")
		}
	}
	connection := at(success(t, c.get(t, "/v1/me")), "connection").(map[string]any)
	matches(t, "scopes", []any{"profile", "email"}, connection["scopes"])
	if connection["cv"] != nil {
		t.Errorf("connection.cv %v, want null", connection["cv"])
	}
	// The app cannot turn it on again.
	next := must(must(c.app.Refresh(t.Context(), c.tokens.Refresh, ""))(t).Tokens())(t)
	refused(t, must(c.app.Get(t.Context(), "/v1/me/cv", next.Access))(t), http.StatusForbidden, "OAUTH_INSUFFICIENT_SCOPE")

	c.share(t, true)
	c.tokens = must(must(c.app.Refresh(t.Context(), next.Refresh, ""))(t).Tokens())(t)
	again := c.link(t)
	if again == link {
		t.Error("the dead link was given out again")
	}
	if a := open(t, again); a.Status != http.StatusOK {
		t.Errorf("the new link: %s", a)
	}
	refused(t, open(t, link), http.StatusNotFound, "CV_LINK_NOT_FOUND")
}

func (c connected) share(t testing.TB, on bool) {
	t.Helper()
	if err := c.person.Share(t.Context(), c.stack.AppURLs[0], c.appName(t, "web"), on); err != nil {
		t.Fatal(err)
	}
}

func revoked(t testing.TB, a partner.Answer) {
	t.Helper()
	matches(t, "data", map[string]any{"revoked": true}, success(t, a))
}

func TestTheTwoCredentialKindsNeverMix(t *testing.T) {
	t.Parallel()
	c := everything(t)
	key := must(c.stack.Vitaectl(t.Context(), "-o", "json", "key", "create", "--app", c.created.Apps["web"].ID, "--scopes", "companies:read"))(t)
	secret := jsonOf(t, key)["key"].(string)
	for _, path := range []string{"/v1/me", "/v1/me/cv", "/v1/me/cv.pdf"} {
		refused(t, must(c.app.Get(t.Context(), path, secret))(t), http.StatusUnauthorized, "OAUTH_INVALID_TOKEN")
		refused(t, must(c.app.Get(t.Context(), path, c.tokens.Refresh))(t), http.StatusUnauthorized, "OAUTH_INVALID_TOKEN")
	}
	if link := must(c.app.Get(t.Context(), "/v1/cv-links/"+c.tokens.Access, ""))(t); link.Status != http.StatusNotFound {
		t.Errorf("an access token as a link: %s", link)
	}
}
