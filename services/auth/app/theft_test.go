package app_test

import (
	"testing"
	"time"

	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
)

// replays are the two ways in which a theft shows: the code that was exchanged, and the
// refresh token that was rotated, are presented again.
var replays = map[string]func(w *world, c client, code, rotated string) error{
	"code": func(w *world, c client, code, _ string) error {
		return second(w.oauth.ExchangeCode(w.Context(), exchangeRequest(c, code)))
	},
	"rotated refresh token": func(w *world, c client, _, rotated string) error { return w.refreshError(c, rotated) },
}

func TestReplayEndsTheDurableLinkTooAndTheNextReadGivesANewOne(t *testing.T) {
	t.Parallel()
	for name, replay := range replays {
		w := newWorld(t)
		p, c := w.person("a@example.com"), w.confidential()
		account := c.app.GetAccountId()
		code := w.consent(p, c, everything...)
		first := w.exchange(c, code)
		stolen := w.refresh(c, first.GetRefreshToken())
		honest := w.connect(p, c, everything...).GetAccessToken() // another sign-in of the person
		link := w.live(c, stolen.GetAccessToken()).GetPrincipal().GetCvLinkId()
		if w.live(c, honest).GetPrincipal().GetCvLinkId() != link || w.record(cvLink, account, link) == nil {
			t.Fatal("the link is not the connection's")
		}
		wantCode(t, replay(w, c, code, first.GetRefreshToken()), "OAUTH_INVALID_GRANT")
		w.dead(accessToken, account, stolen.GetAccessToken())
		w.dead(cvLink, account, link)
		renewed := w.live(c, honest).GetPrincipal().GetCvLinkId()
		if renewed == "" || renewed == link || w.record(cvLink, account, renewed) == nil {
			t.Fatalf("%s: link %q after %q", name, renewed, link)
		}
		// A thief who goes on presenting it ends nothing that came since.
		wantCode(t, replay(w, c, code, first.GetRefreshToken()), "OAUTH_INVALID_GRANT")
		if w.record(cvLink, account, renewed) == nil || w.live(c, honest).GetPrincipal().GetCvLinkId() != renewed {
			t.Errorf("%s: a repeated replay ended the new link", name)
		}
	}
}

func TestReplayOfALegacyCodeEndsTheLinkOfItsConsent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, c := w.person("a@example.com"), w.legacyClient()
	account := c.app.GetAccountId()
	code := w.legacyConsent(p, c)
	stolen, modern := w.legacyExchange(c, code), w.connect(p, c, everything...).GetAccessToken()
	link := w.legacyLive(c, stolen).GetPrincipal().GetCvLinkId()
	w.record(cvLink, account, link)
	untouched := w.live(c, modern).GetPrincipal().GetCvLinkId()
	wantCode(t, second(w.tryLegacyExchange(c.auth(), code)), "OAUTH_INVALID_GRANT")
	w.dead(legacyToken, account, stolen)
	w.dead(cvLink, account, link)
	if w.record(cvLink, account, untouched) == nil {
		t.Error("the link of another consent died")
	}
	if renewed := w.legacyLive(c, w.legacyConnect(p, c)).GetPrincipal().GetCvLinkId(); renewed == "" || renewed == link {
		t.Errorf("link %q after %q", renewed, link)
	}
}

func TestRevokeOfTheLastLegacyTokenEndsTheLinkOfItsConsent(t *testing.T) {
	t.Parallel()
	for name, revoke := range map[string]func(*world, client, string){
		"at the legacy interface": func(w *world, _ client, token string) { w.must(w.legacyRevoke(token)) },
		"at the other":            func(w *world, c client, token string) { w.revoke(c, token) },
	} {
		w := newWorld(t)
		p, c := w.person("a@example.com"), w.legacyClient()
		account := c.app.GetAccountId()
		first, last := w.legacyConnect(p, c), w.legacyConnect(p, c)
		link := w.legacyLive(c, first).GetPrincipal().GetCvLinkId()
		w.legacyLive(c, last)
		revoke(w, c, first)
		if w.record(cvLink, account, link) == nil {
			t.Fatalf("%s: the link died although another token lives", name)
		}
		revoke(w, c, last)
		w.dead(legacyToken, account, last)
		w.dead(cvLink, account, link)
		if n := w.outbox(); n != 0 {
			t.Errorf("%s: %d entries are left", name, n)
		}
		again := w.legacyConnect(p, c)
		renewed := w.legacyLive(c, again).GetPrincipal().GetCvLinkId()
		if renewed == "" || renewed == link {
			t.Fatalf("%s: link %q after %q", name, renewed, link)
		}
		w.revoke(c, last) // it was revoked before, so it ends nothing
		if w.record(cvLink, account, renewed) == nil {
			t.Errorf("%s: a repeated revoke ended the new link", name)
		}
	}
}

// Each of two simultaneous revokes could take the other's token for a live one, and
// leave the link.
func TestSimultaneousRevokesOfTheLastLegacyTokensEndTheLink(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, c := w.person("a@example.com"), w.legacyClient()
	for range 20 {
		tokens := []string{w.legacyConnect(p, c), w.legacyConnect(p, c), w.legacyConnect(p, c)}
		link := w.legacyLive(c, tokens[0]).GetPrincipal().GetCvLinkId()
		atOnce(len(tokens), []*world{w}, func(i int, w *world) {
			if err := w.legacyRevoke(tokens[i]); err != nil {
				t.Error(err)
			}
		})
		w.dead(cvLink, c.app.GetAccountId(), link)
	}
}

func TestAnExpiredLegacyTokenKeepsNoLinkAlive(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, c := w.person("a@example.com"), w.legacyClient()
	account := c.app.GetAccountId()
	old := w.legacyConnect(p, c)
	link := w.legacyLive(c, old).GetPrincipal().GetCvLinkId()
	w.clock.Advance(2 * time.Hour)
	w.loseRecords(c)
	if w.record(cvLink, account, link) == nil {
		t.Fatal("the link died of its token's age")
	}
	if err := w.legacyRevoke(old); !errs.HasCode(err, "CREDENTIAL_EXPIRED") {
		t.Fatal(err)
	}
	w.must(w.legacyRevoke(w.legacyConnect(p, c)))
	w.dead(cvLink, account, link)
	if err := w.legacyRevoke(credential.New(credential.AccessToken)); !errs.HasCode(err, "CREDENTIAL_UNKNOWN") {
		t.Error(err)
	}
}
