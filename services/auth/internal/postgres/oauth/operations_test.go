package oauth_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/id"
	"vitae.internal/pkg/testkit"
	"vitae.internal/services/auth/internal/authtest"
	"vitae.internal/services/auth/internal/credentials/state"
	"vitae.internal/services/auth/internal/oauth/authorize"
	"vitae.internal/services/auth/internal/oauth/connection"
	"vitae.internal/services/auth/internal/oauth/grant"
	"vitae.internal/services/auth/internal/oauth/pkce"
	"vitae.internal/services/auth/internal/oauth/scope"
	"vitae.internal/services/auth/internal/oauth/token"
)

func TestMain(m *testing.M) { testkit.Main(m) }

func TestFailedStatementFailsTheCall(t *testing.T) {
	t.Parallel()
	authtest.CheckFaults(t, consentOperations, connectionOperations, grantOperations, revokeOperations)
}

func TestChangeHasOneAuditEvent(t *testing.T) {
	t.Parallel()
	authtest.CheckEvents(t, consentOperations, connectionOperations, grantOperations, revokeOperations)
}

func scopesOf(scopes ...string) map[string]string {
	return map[string]string{audit.Scopes: strings.Join(scopes, " ")}
}

func consentOperations(w *authtest.World) []authtest.Operation {
	p, a, now := w.Person(), w.Confidential(), w.Clock.Now()
	connectionID, n := id.New("con"), 0
	consent := func(scopes ...string) authtest.Operation {
		n++
		link := id.New("cvl")
		c := authorize.Consent{
			ConnectionID: connectionID, PersonID: p, AppID: a.App.ID, RedirectURI: authtest.RedirectURI, Scopes: scope.Stored(scopes), CvID: "master", LinkID: link,
			LinkHash: state.LinkHash(link), CodeHash: credential.Hash(fmt.Sprint("consent ", n)), CodeExpiresAt: now.Add(time.Hour),
		}
		return authtest.Operation{fmt.Sprintf("consent %d to %v", n, scopes), func(ctx context.Context) error {
			_, err := w.Stores.Grants.Consent(ctx, c, now)
			return err
		}, &audit.Event{
			Actor: audit.ByPerson(p), PersonID: p, AppID: a.App.ID, AccountID: a.AccountID,
			Object: audit.Object{ID: connectionID}, Details: scopesOf(scopes...),
		}}
	}
	return []authtest.Operation{consent("profile", "cv:read"), consent("profile"), consent("profile"), consent("profile", "cv:read")}
}

func connectionOperations(w *authtest.World) []authtest.Operation {
	p, a, c, _ := authtest.Connected(w, authtest.Everything...)
	now := w.Clock.Now()
	about := func(details map[string]string) *audit.Event {
		return &audit.Event{
			Actor: audit.ByPerson(p), PersonID: p, AppID: a.App.ID, AccountID: a.AccountID, Object: audit.Object{ID: c.ID}, Details: details,
		}
	}
	share := func(sharing bool) func(context.Context) error {
		return func(ctx context.Context) error {
			_, _, err := w.Stores.Connections.ChangeConnection(ctx, p, c.ID, now, func(c connection.Connection) (connection.Connection, error) {
				c.Sharing = sharing
				return c, nil
			})
			return err
		}
	}
	end := func(ctx context.Context) error {
		_, err := w.Stores.Connections.EndConnection(ctx, p, c.ID, now)
		return err
	}
	return []authtest.Operation{
		{"connections", func(ctx context.Context) error { _, err := w.Stores.Connections.Connections(ctx, p, now); return err }, nil},
		{"stop sharing", share(false), about(map[string]string{audit.Sharing: "off"})},
		{"share", share(true), about(map[string]string{audit.Sharing: "on"})},
		{"disconnect", end, about(nil)},
		{"disconnect again", authtest.Expecting(connection.ErrNotFound.Code, end), nil},
	}
}

// issuing returns tokens, derived from the given name, that an exchange is to issue.
func issuing(w *authtest.World, name string) grant.Issue {
	now := w.Clock.Now()
	return grant.Issue{
		Access: credential.Hash(name + " access"), Refresh: credential.Hash(name + " refresh"), At: now,
		AccessExpiresAt: now.Add(authtest.AccessLife), RefreshUntil: now.Add(authtest.RefreshLife),
	}
}

// won returns an error if no tokens were issued.
func won(_ scope.Set, won bool, err error) error {
	if err == nil && !won {
		return fmt.Errorf("the grant failed")
	}
	return err
}

func grantOperations(w *authtest.World) []authtest.Operation {
	p, a, now := w.Person(), w.Legacy(), w.Clock.Now()
	tokens := w.Tokens(p, a, "profile", "email")
	code, legacy, family := credential.Hash(w.Code(p, a, "profile", "email")), credential.Hash(w.LegacyCode(p, a)), id.New("fam")
	all, err := w.Stores.Connections.Connections(w.Context(), p, w.Clock.Now())
	w.Must(err)
	about := func(action audit.Action, legacy bool, scopes ...string) *audit.Event {
		e := &audit.Event{Action: action, Actor: audit.ByApp(a.App.ID), PersonID: p, AppID: a.App.ID, AccountID: a.AccountID, Details: scopesOf(scopes...)}
		for _, c := range all {
			if c.Legacy == legacy {
				e.Object.ID = c.ID
			}
		}
		return e
	}
	replay := about(audit.TokenReplay, false)
	replay.Details = nil
	issued, rotated, older := issuing(w, "redeemed"), issuing(w, "rotated"), issuing(w, "legacy")
	return []authtest.Operation{
		{"redeem a code", func(ctx context.Context) error {
			return won(w.Stores.Grants.RedeemCode(ctx, grant.Redemption{
				Client: a.Prove(), Code: code, RedirectURI: authtest.RedirectURI, Challenge: pkce.Challenge(authtest.Verifier), FamilyID: family,
			}, issued))
		}, about(audit.TokenExchangeCode, false, "profile", "email")},
		{"redeem a legacy code", func(ctx context.Context) error {
			return won(w.Stores.Grants.RedeemLegacyCode(ctx, grant.LegacyRedemption{
				Client: a.Prove(), Code: legacy, Access: older.Access, At: now, AccessExpiresAt: older.AccessExpiresAt,
				FamilyID: id.New("fam"), FamilyUntil: older.RefreshUntil,
			}))
		}, about(audit.TokenExchangeCode, true, "profile:read")},
		{"rotate", func(ctx context.Context) error {
			return won(w.Stores.Grants.Rotate(ctx, grant.Rotation{Client: a.Prove(), Refresh: credential.Hash(tokens.Refresh)}, rotated))
		}, about(audit.TokenRefresh, false, "profile", "email")},
		{"code", func(ctx context.Context) error { _, _, err := w.Stores.Grants.Code(ctx, code); return err }, nil},
		{"family", func(ctx context.Context) error { _, _, err := w.Stores.Grants.Family(ctx, issued.Refresh); return err }, nil},
		{"end a family", func(ctx context.Context) error { _, err := w.Stores.Grants.EndFamily(ctx, family, now); return err }, replay},
		{"end an ended family", func(ctx context.Context) error { _, err := w.Stores.Grants.EndFamily(ctx, family, now); return err }, replay},
	}
}

func revokeOperations(w *authtest.World) []authtest.Operation {
	p, a, now := w.Person(), w.Legacy(), w.Clock.Now()
	first, second := w.Tokens(p, a, "profile"), w.Tokens(p, a, "profile")
	older, alone := w.LegacyToken(p, a), w.LegacyToken(w.Person(), a)
	live, _ := w.State(state.AccessToken, first.Access)
	old, _ := w.State(state.LegacyToken, older)
	other, _ := w.State(state.LegacyToken, alone)
	about := func(c *state.Connection) *audit.Event {
		return &audit.Event{Actor: audit.ByApp(a.App.ID), PersonID: c.PersonID, AppID: a.App.ID, AccountID: a.AccountID, Object: audit.Object{ID: c.ID}}
	}
	introspect := func(kind token.Kind, secret string) func(context.Context) error {
		return func(ctx context.Context) error {
			_, _, err := w.Stores.Grants.Introspect(ctx, a.ClientID, kind, credential.Hash(secret), now)
			return err
		}
	}
	access := func(secret string) func(context.Context) error {
		return func(ctx context.Context) error {
			_, err := w.Stores.Grants.RevokeAccess(ctx, a.App.ID, credential.Hash(secret), now)
			return err
		}
	}
	legacy := func(ctx context.Context) error {
		_, err := w.Stores.Grants.RevokeLegacy(ctx, credential.Hash(alone), now)
		return err
	}
	refresh := func(ctx context.Context) error {
		_, err := w.Stores.Grants.RevokeRefresh(ctx, credential.Hash(second.Refresh), now, func(token.Family) bool { return true })
		return err
	}
	return []authtest.Operation{
		{"introspect an access token", introspect(token.Access, first.Access), nil},
		{"introspect a refresh token", introspect(token.Refresh, first.Refresh), nil},
		{"revoke an access token", access(first.Access), about(live.Connection)},
		{"revoke what is no token", access("none"), nil},
		{"revoke a legacy token by its client", access(older), about(old.Connection)},
		{"revoke a legacy token", legacy, about(other.Connection)},
		{"revoke a revoked legacy token", authtest.Expecting(state.ErrUnknown.Code, legacy), nil},
		{"revoke a refresh token", refresh, about(live.Connection)},
		{"revoke a revoked refresh token", refresh, about(live.Connection)},
	}
}
