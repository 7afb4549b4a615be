package oauth_test

import (
	"errors"
	"testing"
	"time"

	"vitae.internal/pkg/credential"
	"vitae.internal/services/auth/internal/authtest"
	"vitae.internal/services/auth/internal/credentials/state"
	"vitae.internal/services/auth/internal/oauth/grant"
	"vitae.internal/services/auth/internal/oauth/token"
	"vitae.internal/services/auth/internal/platform/app"
)

func TestTokenIsActiveForItsAppUntilItEnds(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	all := authtest.Tenants(w)
	own, other := all[1], all[2]
	_, _, err := w.Stores.Accounts.SuspendAccount(t.Context(), all[0].App.AccountID, "", w.Clock.Now(), nil)
	w.Must(err)
	_, err = w.Pool.Exec(t.Context(), "UPDATE accounts SET name = name WHERE id = $1", own.App.AccountID) // moves the row behind the row of the other account
	w.Must(err)
	now := w.Clock.Now()
	end := now.Add(time.Minute)
	for kind, c := range map[token.Kind]struct{ secret, expire, revoke string }{
		token.Access:  {own.Tokens.Access, "UPDATE access_tokens SET expires_at = $2 WHERE hash = $1", "UPDATE access_tokens SET revoked_at = created_at WHERE hash = $1"},
		token.Refresh: {own.Tokens.Refresh, "UPDATE token_families SET expires_at = $2 WHERE refresh_hash = $1", "UPDATE token_families SET revoked_at = created_at WHERE refresh_hash = $1"},
	} {
		active := func(name, clientID, secret string, at time.Time, want bool) {
			t.Helper()
			c, d, err := w.Stores.Grants.Introspect(t.Context(), clientID, kind, credential.Hash(secret), at)
			if err != nil || c.Suspended || d.Active != want {
				t.Errorf("kind %d, %s: active %t, account suspended %t, %v", kind, name, d.Active, c.Suspended, err)
			}
		}
		hash := credential.Hash(c.secret)
		_, err := w.Pool.Exec(t.Context(), c.expire, hash[:], end)
		w.Must(err)
		active("its own", own.App.ClientID, c.secret, now, true)
		active("another app's", other.App.ClientID, c.secret, now, false)
		active("none", own.App.ClientID, "none", now, false)
		active("of the older interface", own.App.ClientID, own.Legacy, now, false)
		active("before its end", own.App.ClientID, c.secret, end.Add(-time.Microsecond), true)
		active("at its end", own.App.ClientID, c.secret, end, false)
		active("after its end", own.App.ClientID, c.secret, end.Add(time.Hour), false)
		_, err = w.Pool.Exec(t.Context(), c.revoke, hash[:])
		w.Must(err)
		active("revoked", own.App.ClientID, c.secret, now, false)
	}
}

func TestRevokeRequiresTokensAppAndInterface(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	all := authtest.Tenants(w)
	own, other := all[1], all[2]
	for name, secret := range map[string]string{"of today": own.Tokens.Access, "of the older interface": own.Legacy} {
		if entry, err := w.Stores.Grants.RevokeAccess(t.Context(), other.App.App.ID, credential.Hash(secret), w.Clock.Now()); err != nil || entry.ID != 0 {
			t.Errorf("a token %s was revoked by a different app: %+v, %v", name, entry, err)
		}
	}
	if entry, err := w.Stores.Grants.RevokeLegacy(t.Context(), credential.Hash(own.Tokens.Access), w.Clock.Now()); !errors.Is(err, state.ErrUnknown) || entry.ID != 0 {
		t.Errorf("a current token was revoked through the older interface: %+v, %v", entry, err)
	}
	if _, lives := w.State(state.LegacyToken, own.Legacy); !lives || !w.Lives(own.Tokens.Access) {
		t.Error("a token was revoked")
	}
}

// Whether a revoked token was the last token of its consent must depend only on tokens of the same consent.
func TestRevokeEndsTheLinkAfterOtherRevokes(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	all := authtest.Tenants(w)
	live, _ := w.State(state.LegacyToken, all[1].Legacy)
	hash := credential.Hash(all[1].Legacy)
	for _, change := range []string{
		"UPDATE access_tokens SET revoked_at = created_at WHERE hash <> $1",
		"UPDATE access_tokens SET created_at = created_at WHERE hash = $1", // makes it the last row in the table
	} {
		_, err := w.Pool.Exec(t.Context(), change, hash[:])
		w.Must(err)
	}
	entry, err := w.Stores.Grants.RevokeAccess(t.Context(), all[1].App.App.ID, hash, w.Clock.Now())
	if err != nil || entry.ConnectionID != all[1].Consented || w.LinkLives(live.Connection.LinkID) {
		t.Errorf("%+v, %v, or the link is still live", entry, err)
	}
}

// Only in the legacy interface does a link end with a token.
func TestOnlyLegacyRevokeWaitsForConsent(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	all := authtest.Tenants(w)
	const lock = "SELECT 1 FROM connections WHERE id = $1 FOR NO KEY UPDATE"
	authtest.DoesNotWait(w, "a token of today", lock, all[0].Connection, func() error {
		_, err := w.Stores.Grants.RevokeAccess(t.Context(), all[0].App.App.ID, credential.Hash(all[0].Tokens.Access), w.Clock.Now())
		return err
	})
	authtest.DoesNotWait(w, "another's consent", lock, all[1].Consented, func() error {
		_, err := w.Stores.Grants.RevokeLegacy(t.Context(), credential.Hash(all[2].Legacy), w.Clock.Now())
		return err
	})
	authtest.WaitsFor(w, "the token's own consent", lock, all[1].Consented, func() error {
		_, err := w.Stores.Grants.RevokeLegacy(t.Context(), credential.Hash(all[1].Legacy), w.Clock.Now())
		return err
	})
}

// Public clients prove nothing, so they are distinguished only by their ids. A confidential client sends its id
// together with its secret.
func TestOnlyTheNamedClientRotatesAToken(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	for name, kind := range map[string]app.ClientType{"public": app.Public, "confidential": app.Confidential} {
		apps := make([]authtest.App, 3)
		for i := range apps {
			apps[i] = w.App(app.Creation{ClientType: kind, Scopes: authtest.Everything})
		}
		refresh := credential.Hash(w.Tokens(w.Person(), apps[1], "profile").Refresh)
		for _, other := range []authtest.App{apps[0], apps[2]} {
			for proof, named := range map[string]grant.Rotation{
				"another client": {Client: other.Prove(), Refresh: refresh}, "the client under another's id": {Client: apps[1].Prove(), Refresh: refresh},
			} {
				named.Client.ClientID = other.ClientID
				if _, won, err := w.Stores.Grants.Rotate(t.Context(), named, issuing(w, name+proof+other.ClientID)); err != nil || won {
					t.Errorf("%s: %s rotated the token: %t, %v", name, proof, won, err)
				}
			}
			if kind == app.Public {
				continue // a public client has no secret, so anyone can claim to be this client
			}
			stranger := grant.Rotation{Client: other.Prove(), Refresh: refresh}
			stranger.Client.ClientID = apps[1].ClientID
			if _, won, err := w.Stores.Grants.Rotate(t.Context(), stranger, issuing(w, name+" stranger "+other.ClientID)); err != nil || won {
				t.Errorf("a different client's secret rotated the token: %t, %v", won, err)
			}
		}
		if _, won, err := w.Stores.Grants.Rotate(t.Context(), grant.Rotation{Client: apps[1].Prove(), Refresh: refresh}, issuing(w, name)); err != nil || !won {
			t.Errorf("%s: its own client could not rotate the token: %v", name, err)
		}
	}
}
