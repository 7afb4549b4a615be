package credentials_test

import (
	"slices"
	"testing"
	"time"

	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/id"
	"vitae.internal/services/auth/internal/authtest"
	"vitae.internal/services/auth/internal/credentials/state"
	"vitae.internal/services/auth/internal/oauth/authorize"
	"vitae.internal/services/auth/internal/oauth/scope"
	"vitae.internal/services/auth/internal/platform/app"
)

// A token issued by one interface must not be valid in the other, and a token must not be valid from the microsecond
// of its expiry onwards.
func TestTokenIsLiveInItsInterfaceUntilExpiry(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	m := authtest.Tenants(w)[1]
	tokens := map[state.Kind]string{state.AccessToken: m.Tokens.Access, state.LegacyToken: m.Legacy}
	for kind, secret := range tokens {
		for as := range tokens {
			_, err := w.Stores.States.Route(t.Context(), as, credential.Hash(secret))
			if _, lives := w.State(as, secret); lives != (as == kind) || (err == nil) != lives {
				t.Errorf("the %s as %s: live %t, account: %v", kind, as, lives, err)
			}
		}
		hash, end := credential.Hash(secret), w.Clock.Now().Add(time.Minute)
		_, err := w.Pool.Exec(t.Context(), "UPDATE access_tokens SET expires_at = $2 WHERE hash = $1", hash[:], end)
		w.Must(err)
		for at, want := range map[time.Time]bool{end.Add(-time.Microsecond): true, end: false, end.Add(time.Hour): false} {
			if _, err := w.Stores.States.Read(t.Context(), kind, hash, at); (err == nil) != want {
				t.Errorf("the %s at %s, which expires at %s: %v", kind, at, end, err)
			}
		}
		_, err = w.Pool.Exec(t.Context(), "UPDATE access_tokens SET revoked_at = created_at WHERE hash = $1", hash[:])
		w.Must(err)
		if _, lives := w.State(kind, secret); lives {
			t.Errorf("the %s is still live after it was revoked", kind)
		}
	}
}

func TestEndedLinkIsUnknown(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	m := authtest.Tenants(w)[1]
	_, err := w.Pool.Exec(t.Context(), "UPDATE cv_links SET ended_at = created_at WHERE id = $1", m.Link)
	w.Must(err)
	if live, lives := w.State(state.AccessToken, m.Tokens.Access); !lives || live.Connection.LinkID != "" {
		t.Errorf("the token is live %t, with the link %q", lives, live.Connection.LinkID)
	}
	if w.LinkLives(m.Link) {
		t.Error("the ended link is still live")
	}
}

// If an app loses scopes (behaviour: apps#a-scope-that-an-app-loses), its credentials lose them at once, even if
// their rows still contain the scopes.
func TestLostScopesApplyToOldCredentials(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	all := authtest.Tenants(w)
	for i, m := range all[:2] {
		ended := i == 1
		if ended {
			_, err := w.Pool.Exec(t.Context(), "UPDATE cv_links SET ended_at = created_at WHERE id = $1", m.Link)
			w.Must(err)
		}
		_, _, err := w.Stores.Apps.ChangeApp(t.Context(), m.App.App.ID, w.Clock.Now(), nil, func(app *app.App) { app.Scopes = scope.Set{"email"} })
		w.Must(err)
		if w.LinkLives(m.Link) {
			t.Errorf("ended %t: the link opens the CV", ended)
		}
		if photo, err := w.Stores.States.PhotoAddress(t.Context(), m.Connection, 0, w.Clock.Now()); err == nil {
			t.Errorf("ended %t: the photo URL resolves to %+v", ended, photo)
		}
		made := id.New("lnk")
		if got, err := w.Stores.States.MakeLink(t.Context(), m.Connection, credential.Hash(m.Tokens.Access), made, w.Clock.Now()); err != nil || got != "" {
			t.Errorf("ended %t: the token has the link %q, %v", ended, got, err)
		}
		if rows := authtest.Names(w, "SELECT id FROM cv_links WHERE id = '"+made+"'"); len(rows) != 0 {
			t.Errorf("ended %t: a link was created", ended)
		}
		if live, lives := w.State(state.AccessToken, m.Tokens.Access); !lives || !slices.Equal(live.Connection.Scopes, []string{"email"}) {
			t.Errorf("ended %t: the token is live %t with %v", ended, lives, live.Connection)
		}
	}
	if m := all[2]; !w.LinkLives(m.Link) {
		t.Error("the link of a different app is no longer live")
	}
}

func TestConsentWithoutPhotoHasNoPhotoURL(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	a := w.Confidential()
	for _, shared := range []bool{false, true} {
		connectionID := id.New("con")
		_, err := w.Stores.Grants.Consent(t.Context(), authorize.Consent{
			ConnectionID: connectionID, PersonID: w.Person(), AppID: a.App.ID, RedirectURI: authtest.RedirectURI, Scopes: scope.Set{"profile"}, SharePhoto: shared,
			CodeHash: credential.Hash(connectionID), CodeExpiresAt: w.Clock.Now().Add(time.Hour),
		}, w.Clock.Now())
		w.Must(err)
		if photo, err := w.Stores.States.PhotoAddress(t.Context(), connectionID, 0, w.Clock.Now()); (err == nil) != shared {
			t.Errorf("shared %t: %+v, %v", shared, photo, err)
		}
	}
}
