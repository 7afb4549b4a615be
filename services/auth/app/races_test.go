package app_test

import (
	"testing"

	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// liveTokens counts the live tokens in the database.
func (w *world) liveTokens() (access, families int) {
	w.Helper()
	w.must(w.db.QueryRow(w.Context(), `SELECT
		(SELECT count(*) FROM access_tokens WHERE revoked_at IS NULL),
		(SELECT count(*) FROM token_families WHERE revoked_at IS NULL)`).Scan(&access, &families))
	return access, families
}

func TestExchangeDuringDisconnectLeavesNoToken(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, c := w.person("a@example.com"), w.legacyClient()
	replicas := []*world{w, w.replica()}
	for i := range 100 {
		legacy := i%2 == 1
		code, conn, exchange := "", "", func(w *world, code string) error {
			return second(w.oauth.ExchangeCode(w.Context(), exchangeRequest(c, code)))
		}
		if legacy {
			code, conn = w.legacyConsent(p, c), w.legacyConnectionOf(p).GetId()
			exchange = func(w *world, code string) error { return second(w.tryLegacyExchange(c.auth(), code)) }
		} else {
			code, conn = w.consent(p, c, everything...), w.connectionOf(p).GetId()
		}
		atOnce(2, replicas, func(i int, w *world) {
			if i == 0 {
				if _, err := w.connections.Disconnect(w.Context(), &authv1.DisconnectRequest{Actor: bySession(p), Id: conn}); err != nil {
					t.Error(err)
				}
				return
			}
			if err := exchange(w, code); err != nil && !errs.HasCode(err, "OAUTH_INVALID_GRANT") {
				t.Error(err)
			}
		})
		if access, families := w.liveTokens(); access != 0 || families != 0 {
			t.Fatalf("legacy %v: %d access tokens and %d families are still valid", legacy, access, families)
		}
	}
}

func TestRefreshDuringRevokeLeavesNoToken(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, c := w.person("a@example.com"), w.confidential()
	replicas := []*world{w, w.replica()}
	for range 200 {
		token, issued := w.connect(p, c, everything...).GetRefreshToken(), ""
		atOnce(2, replicas, func(i int, w *world) {
			if i == 0 {
				w.revoke(c, token)
				return
			}
			resp, err := w.oauth.RefreshToken(w.Context(), &authv1.RefreshTokenRequest{Client: c.auth(), RefreshToken: token})
			if err != nil && !errs.HasCode(err, "OAUTH_INVALID_GRANT") {
				t.Error(err)
			}
			issued = resp.GetTokens().GetAccessToken()
		})
		if access, families := w.liveTokens(); access != 0 || families != 0 {
			t.Fatalf("%d access tokens and %d families are still valid", access, families)
		}
		if issued != "" && w.record(accessToken, c.app.GetAccountId(), issued) != nil {
			t.Fatal("the new access token is accepted")
		}
	}
}
