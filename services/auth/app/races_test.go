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

func TestExchangeRacingDisconnectLeavesNoLiveToken(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, c := w.person("a@example.com"), w.confidential()
	replicas := []*world{w, w.replica()}
	for range 100 {
		code := w.consent(p, c, everything...)
		conn := w.connectionOf(p)
		atOnce(2, replicas, func(i int, w *world) {
			if i == 0 {
				if _, err := w.connections.Disconnect(w.Context(), &authv1.DisconnectRequest{Actor: bySession(p), Id: conn.GetId()}); err != nil {
					t.Error(err)
				}
				return
			}
			if _, err := w.oauth.ExchangeCode(w.Context(), exchangeRequest(c, code)); err != nil && !errs.HasCode(err, "OAUTH_INVALID_GRANT") {
				t.Error(err)
			}
		})
		if access, families := w.liveTokens(); access != 0 || families != 0 {
			t.Fatalf("%d access tokens and %d families live on", access, families)
		}
	}
}
