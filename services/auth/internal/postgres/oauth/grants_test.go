package oauth_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/id"
	"vitae.internal/services/auth/internal/authtest"
	"vitae.internal/services/auth/internal/credentials/revocation"
	"vitae.internal/services/auth/internal/credentials/state"
	"vitae.internal/services/auth/internal/oauth/grant"
	"vitae.internal/services/auth/internal/oauth/pkce"
	"vitae.internal/services/auth/internal/oauth/scope"
	"vitae.internal/services/auth/internal/oauth/token"
)

// grants holds single-use credentials of a person's app, which can be exchanged for tokens.
type grants struct {
	person                string
	app                   authtest.App
	code, legacy, refresh credential.Digest
}

func newGrants(w *authtest.World) grants {
	w.Helper()
	g := grants{person: w.Person(), app: w.Legacy()}
	g.refresh = credential.Hash(w.Tokens(g.person, g.app, "profile", "email").Refresh)
	g.code = credential.Hash(w.Code(g.person, g.app, "profile", "email"))
	g.legacy = credential.Hash(w.LegacyCode(g.person, g.app))
	return g
}

// use exchanges one of the credentials for tokens derived from name. It reports whether the exchange succeeded, and
// returns the scopes that were issued.
func (g grants) use(w *authtest.World, which, name string) (scope.Set, bool) {
	w.Helper()
	issue := issuing(w, name+" "+g.person)
	var scopes scope.Set
	var won bool
	var err error
	switch which {
	case "code":
		scopes, won, err = w.Stores.Grants.RedeemCode(w.Context(), grant.Redemption{
			Client: g.app.Prove(), Code: g.code, RedirectURI: authtest.RedirectURI, Challenge: pkce.Challenge(authtest.Verifier), FamilyID: id.New("fam"),
		}, issue)
	case "legacy code":
		scopes, won, err = w.Stores.Grants.RedeemLegacyCode(w.Context(), grant.LegacyRedemption{
			Client: g.app.Prove(), Code: g.legacy, Access: issue.Access, At: issue.At, AccessExpiresAt: issue.AccessExpiresAt,
			FamilyID: id.New("fam"), FamilyUntil: issue.RefreshUntil,
		})
	case "refresh token":
		scopes, won, err = w.Stores.Grants.Rotate(w.Context(), grant.Rotation{Client: g.app.Prove(), Refresh: g.refresh}, issue)
	}
	w.Must(err)
	return scopes, won
}

// Usually, one change that ends a grant causes others that end it too. Each of them must revoke the grant even
// without the others, because a statement may run between two of them, and a later version of the code may omit one.
func TestEachWayOfEndingRevokesOnlyItsGrants(t *testing.T) {
	t.Parallel()
	const code, legacy, refresh = "code", "legacy code", "refresh token"
	w := authtest.New(t)
	for name, c := range map[string]struct {
		change string // changes the rows of person $1 and app $2 at time $3
		loses  []string
	}{
		"nothing":                   {"SELECT $1::text, $2::text, $3::timestamptz", nil},
		"the connection ended":      {"UPDATE connections SET ended_at = $3 WHERE person_id = $1 AND app_id = $2", []string{code, legacy, refresh}},
		"nothing granted is left":   {"UPDATE connections SET granted_scopes = '{cv:read}' WHERE person_id = $1 AND app_id = $2 AND $3::timestamptz IS NOT NULL", []string{code, legacy, refresh}},
		"the person paused":         {"UPDATE connections SET paused_at = $3 WHERE person_id = $1 AND app_id = $2", []string{code, legacy, refresh}},
		"its own end has come":      {"UPDATE connections SET ends_at = $3 WHERE person_id = $1 AND app_id = $2", []string{code, legacy, refresh}},
		"the account is suspended":  {"UPDATE accounts SET suspended_at = $3 WHERE id = (SELECT account_id FROM apps WHERE id = $2) AND $1 <> ''", []string{code, legacy, refresh}},
		"the codes were revoked":    {"UPDATE authorization_codes SET revoked_at = $3 WHERE app_id = $2 AND $1 <> ''", []string{code, legacy}},
		"the codes were used":       {"UPDATE authorization_codes SET used_at = $3 WHERE app_id = $2 AND $1 <> ''", []string{code, legacy}},
		"the codes expire now":      {"UPDATE authorization_codes SET expires_at = $3 WHERE app_id = $2 AND $1 <> ''", []string{code, legacy}},
		"the family was revoked":    {"UPDATE token_families SET revoked_at = $3 WHERE app_id = $2 AND $1 <> ''", []string{refresh}},
		"the family expires now":    {"UPDATE token_families SET expires_at = $3 WHERE app_id = $2 AND $1 <> ''", []string{refresh}},
		"the secret ends now":       {"UPDATE client_secrets SET expires_at = $3 WHERE app_id = $2 AND $1 <> ''", []string{code, legacy, refresh}},
		"the app was deleted":       {"UPDATE apps SET deleted_at = $3 WHERE id = $2 AND $1 <> ''", []string{code, legacy, refresh}},
		"the app is public now":     {"UPDATE apps SET client_type = 'public' WHERE id = $2 AND $1 <> '' AND $3::timestamptz IS NOT NULL", []string{code, legacy, refresh}},
		"the older interface is no": {"UPDATE apps SET legacy = false WHERE id = $2 AND $1 <> '' AND $3::timestamptz IS NOT NULL", []string{legacy}},
	} {
		all := []grants{newGrants(w), newGrants(w), newGrants(w)}
		_, err := w.Pool.Exec(t.Context(), c.change, all[1].person, all[1].app.App.ID, w.Clock.Now())
		w.Must(err)
		for i, g := range all {
			for _, which := range []string{code, legacy, refresh} {
				scopes, won := g.use(w, which, which)
				if want := i != 1 || !slices.Contains(c.loses, which); won != want {
					t.Errorf("%s: the %s of %d succeeds: %t", name, which, i, won)
				}
				if want := map[string]scope.Set{code: {"profile", "email"}, legacy: {"profile:read"}, refresh: {"profile", "email"}}[which]; won && !slices.Equal(scopes, want) {
					t.Errorf("%s: the %s of %d issues %v", name, which, i, scopes)
				}
			}
		}
	}
}

// A legacy code has neither a challenge nor a redirect URI to compare.
func TestCodeWorksInOneInterface(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	g := newGrants(w)
	// The code must not be accepted even if the request contains the redirect URI that is stored with it.
	_, won, err := w.Stores.Grants.RedeemCode(t.Context(), grant.Redemption{
		Client: g.app.Prove(), Code: g.legacy, RedirectURI: authtest.RedirectURI, FamilyID: id.New("fam"),
	}, issuing(w, "a legacy code"))
	if err != nil || won {
		t.Errorf("a code of the legacy interface: %t, %v", won, err)
	}
	swapped := g
	swapped.legacy = g.code
	if _, won := swapped.use(w, "legacy code", "a code"); won {
		t.Error("a code is accepted by the older interface")
	}
	for _, which := range []string{"code", "legacy code"} {
		if _, won := g.use(w, which, which); !won {
			t.Errorf("the %s fails after that", which)
		}
	}
}

// A partner may remove a redirect URI because an attacker has taken it over. Removing it must invalidate the codes
// sent to it.
func TestCodeNeedsRegisteredRedirectURI(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	g := newGrants(w)
	register := func(uri string) {
		_, err := w.Pool.Exec(t.Context(), "UPDATE apps SET redirect_uris = ARRAY[$1] WHERE id = $2", uri, g.app.App.ID)
		w.Must(err)
	}
	register("https://another.example/callback")
	for _, which := range []string{"code", "legacy code"} {
		if _, won := g.use(w, which, "taken back "+which); won {
			t.Errorf("the %s is accepted", which)
		}
	}
	register(authtest.RedirectURI)
	for _, which := range []string{"code", "legacy code"} {
		if _, won := g.use(w, which, "registered again "+which); !won {
			t.Errorf("the %s fails although its redirect URI is registered again", which)
		}
	}
}

// The time at which a row ended determines how long the row is retained, and ends the photo URL. Ending it a second
// time must not change that time.
func TestLaterEndKeepsTheEarlierTime(t *testing.T) {
	t.Parallel()
	early := authtest.Start.Add(time.Minute)
	for name, end := range map[string]func(w *authtest.World, g grants, connectionID string) error{
		"disconnect": func(w *authtest.World, g grants, connectionID string) error {
			_, err := w.Stores.Connections.EndConnection(t.Context(), g.person, connectionID, w.Clock.Now())
			return err
		},
		"replay": func(w *authtest.World, g grants, _ string) error {
			for _, family := range authtest.Names(w, "SELECT id FROM token_families") {
				if _, err := w.Stores.Grants.EndFamily(t.Context(), family, w.Clock.Now()); err != nil {
					return err
				}
			}
			return nil
		},
		"revoke": func(w *authtest.World, g grants, _ string) error {
			_, err := w.Stores.Grants.RevokeRefresh(t.Context(), g.refresh, w.Clock.Now(), func(token.Family) bool { return true })
			return err
		},
		"the end of the app": func(w *authtest.World, g grants, _ string) error {
			if _, err := authtest.DeleteApp(w, g.app); err != nil {
				return err
			}
			_, err := w.Stores.Connections.EndConnections(t.Context(), w.Clock.Now(), 100)
			return err
		},
	} {
		w := authtest.New(t)
		g := newGrants(w)
		tokens := w.Tokens(g.person, g.app, authtest.Everything...)
		expired := w.Tokens(g.person, g.app, authtest.Everything...)
		live, _ := w.State(state.AccessToken, tokens.Access)
		hash, dead := credential.Hash(tokens.Access), credential.Hash(expired.Access)
		for _, change := range []string{
			"UPDATE authorization_codes SET revoked_at = $1 WHERE used_at IS NULL AND connection_id = '" + live.Connection.ID + "'",
			"UPDATE cv_links SET ended_at = $1 WHERE connection_id = '" + live.Connection.ID + "'",
			fmt.Sprintf("UPDATE access_tokens SET revoked_at = $1 WHERE hash = '\\x%x'", hash[:]),
			"UPDATE token_families SET revoked_at = $1 WHERE id = (SELECT min(id) FROM token_families)",
		} {
			_, err := w.Pool.Exec(t.Context(), change, early)
			w.Must(err)
		}
		w.Clock.Advance(2 * time.Minute)
		_, err := w.Pool.Exec(t.Context(), "UPDATE access_tokens SET expires_at = $2 WHERE hash = $1", dead[:], w.Clock.Now())
		w.Must(err)
		w.Must(end(w, g, live.Connection.ID))
		const ends = `SELECT 'a code' AS what, revoked_at AS at FROM authorization_codes WHERE used_at IS NULL UNION ALL SELECT 'a link', ended_at FROM cv_links UNION ALL
			SELECT 'a token', revoked_at FROM access_tokens UNION ALL (SELECT 'the first family', revoked_at FROM token_families ORDER BY id LIMIT 1)`
		query := fmt.Sprintf("SELECT DISTINCT what FROM (%s) AS ends WHERE at = '%s'", ends, early.Format(time.RFC3339))
		if got := authtest.Names(w, query); !slices.Equal(got, []string{"a code", "a link", "a token", "the first family"}) {
			t.Errorf("%s: of the rows ended earlier, only %v kept their time", name, got)
		}
		if got := authtest.Names(w, fmt.Sprintf("SELECT 'revoked' FROM access_tokens WHERE hash = '\\x%x' AND revoked_at IS NOT NULL", dead[:])); len(got) != 0 {
			t.Errorf("%s: an expired token was revoked", name)
		}
		used := authtest.Names(w, "SELECT 'used and revoked' FROM authorization_codes WHERE used_at IS NOT NULL AND revoked_at IS NOT NULL")
		if len(used) != 0 {
			t.Errorf("%s: codes are %v", name, used)
		}
	}
}

// When a connection ends, its tokens and its link end too. A statement that runs before they have ended must not use
// them.
func TestEndedConnectionAllowsNothing(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	all := authtest.Tenants(w)
	_, err := w.Pool.Exec(t.Context(), "UPDATE connections SET ended_at = $1 WHERE person_id = $2", w.Clock.Now(), all[1].Person)
	w.Must(err)
	for i, m := range all {
		opens := i != 1
		for kind, hash := range map[state.Kind]credential.Digest{
			state.AccessToken: credential.Hash(m.Tokens.Access), state.LegacyToken: credential.Hash(m.Legacy), state.CVLink: state.LinkHash(m.Link),
		} {
			if _, err := w.Stores.States.Read(t.Context(), kind, hash, w.Clock.Now()); (err == nil) != opens {
				t.Errorf("%d: %s: %v", i, kind, err)
			}
		}
		for kind, secret := range map[token.Kind]string{token.Access: m.Tokens.Access, token.Refresh: m.Tokens.Refresh} {
			if _, d, err := w.Stores.Grants.Introspect(t.Context(), m.App.ClientID, kind, credential.Hash(secret), w.Clock.Now()); err != nil || d.Active != opens {
				t.Errorf("%d: kind %d is active: %t, %v", i, kind, d.Active, err)
			}
		}
		link, err := w.Stores.States.MakeLink(t.Context(), m.Connection, credential.Hash(m.Tokens.Access), id.New("lnk"), w.Clock.Now())
		if err != nil || (link != "") != opens {
			t.Errorf("%d: the link %q, %v", i, link, err)
		}
		f, _, err := w.Stores.Grants.Family(t.Context(), credential.Hash(m.Tokens.Refresh))
		if err != nil || f.Connected != opens {
			t.Errorf("%d: the family is connected: %t, %v", i, f.Connected, err)
		}
	}
	// If a family is revoked, its access token is no longer live, even if it has not expired.
	_, err = w.Pool.Exec(t.Context(), "UPDATE token_families SET revoked_at = $1 WHERE connection_id = $2", w.Clock.Now(), all[2].Consented)
	w.Must(err)
	w.Clock.Advance(authtest.AccessLife)
	for i, m := range all {
		if expired, err := w.Stores.States.LegacyTokenExpired(t.Context(), credential.Hash(m.Legacy), w.Clock.Now()); err != nil || expired != (i == 0) {
			t.Errorf("%d: the legacy token is reported as expired: %t, %v", i, expired, err)
		}
		if expired, err := w.Stores.States.LegacyTokenExpired(t.Context(), credential.Hash(m.Tokens.Access), w.Clock.Now()); err != nil || expired {
			t.Errorf("%d: an access token is reported as an expired legacy token: %t, %v", i, expired, err)
		}
	}
}

// An expired token doesn't need to be revoked, because it cannot have a session record.
func TestTokenIsRevocableUntilItExpires(t *testing.T) {
	t.Parallel()
	for name, revoke := range map[string]func(w *authtest.World, m authtest.Tenant) (revocation.Entry, error){
		"its own": func(w *authtest.World, m authtest.Tenant) (revocation.Entry, error) {
			return w.Stores.Grants.RevokeAccess(t.Context(), m.App.App.ID, credential.Hash(m.Tokens.Access), w.Clock.Now())
		},
		"a legacy one": func(w *authtest.World, m authtest.Tenant) (revocation.Entry, error) {
			return w.Stores.Grants.RevokeAccess(t.Context(), m.App.App.ID, credential.Hash(m.Legacy), w.Clock.Now())
		},
		"a legacy one by an operator": func(w *authtest.World, m authtest.Tenant) (revocation.Entry, error) {
			entry, err := w.Stores.Grants.RevokeLegacy(t.Context(), credential.Hash(m.Legacy), w.Clock.Now())
			if errors.Is(err, state.ErrExpired) {
				err = nil
			}
			return entry, err
		},
	} {
		w := authtest.New(t)
		all := authtest.Tenants(w)
		_, err := w.Pool.Exec(t.Context(), "UPDATE access_tokens SET expires_at = $1", w.Clock.Now().Add(time.Microsecond))
		w.Must(err)
		if entry, err := revoke(w, all[0]); err != nil || entry.ID == 0 {
			t.Errorf("%s, before its expiry: %+v, %v", name, entry, err)
		}
		w.Clock.Advance(time.Microsecond)
		if entry, err := revoke(w, all[1]); err != nil || entry.ID != 0 {
			t.Errorf("%s, at its expiry: %+v, %v", name, entry, err)
		}
		if revoked := authtest.Names(w, "SELECT 'x' FROM access_tokens WHERE revoked_at IS NOT NULL"); len(revoked) != 1 {
			t.Errorf("%s: %d tokens are revoked", name, len(revoked))
		}
	}
}
