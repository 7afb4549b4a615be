package app_test

import (
	"testing"
	"time"

	"vitae.internal/services/auth/internal/credentials/cleanup"
)

func (w *world) rows() (n struct{ sessions, codes, families, rotated, access int }) {
	w.Helper()
	w.must(w.db.QueryRow(w.Context(), `SELECT (SELECT count(*) FROM sessions), (SELECT count(*) FROM authorization_codes),
		(SELECT count(*) FROM token_families), (SELECT count(*) FROM rotated_refresh_tokens), (SELECT count(*) FROM access_tokens)`).
		Scan(&n.sessions, &n.codes, &n.families, &n.rotated, &n.access))
	return n
}

// cleanUp runs a single round of the job that deletes expired rows.
func (w *world) cleanUp() {
	w.Helper()
	w.must(cleanup.Job(w.stores().Cleanup, w.clock).Round(w.Context()))
}

func TestCleanUpKeepsWhatReplayDetectionNeeds(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	w := newWorld(t)
	p, c := w.person("a@example.com"), w.confidential()
	w.consent(p, c, "profile") // a code that is never redeemed
	code := w.consent(p, c, everything...)
	tokens := w.exchange(c, code)
	current := tokens
	for range 3 {
		w.clock.Advance(80 * day)
		current = w.refresh(c, current.GetRefreshToken())
		w.cleanUp()
	}
	if n := w.rows(); n.sessions != 0 || n.codes != 1 || n.families != 1 || n.rotated != 3 || n.access != 1 {
		t.Errorf("rows left: %+v", n)
	}
	// Most of a year later, replaying the code still ends the token family.
	_, err := w.oauth.ExchangeCode(t.Context(), exchangeRequest(c, code))
	wantCode(t, err, "OAUTH_INVALID_GRANT")
	wantCode(t, w.refreshError(c, current.GetRefreshToken()), "OAUTH_INVALID_GRANT")
	w.clock.Advance(8 * day)
	w.cleanUp()
	if n := w.rows(); n.codes != 0 || n.families != 0 || n.rotated != 0 || n.access != 0 {
		t.Errorf("rows left: %+v", n)
	}
}
