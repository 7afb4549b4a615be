package app_test

import (
	"testing"
	"time"

	"vitae.internal/pkg/testkit"
)

func (w *world) outbox() (n int) {
	w.Helper()
	w.must(w.db.QueryRow(w.Context(), "SELECT count(*) FROM forget_outbox").Scan(&n))
	return n
}

func TestSignInAndTokensWorkWithoutRedis(t *testing.T) {
	t.Parallel()
	server := testkit.PrivateRedis(t)
	w := newWorldOn(t, server.URL())
	server.Kill()
	p, c := w.person("a@example.com"), w.confidential()
	tokens := w.connect(p, c, everything...)
	for range 3 {
		if _, err := w.resolve(accessToken, tokens.GetAccessToken()); err != nil {
			t.Fatal(err)
		}
	}
	w.refresh(c, tokens.GetRefreshToken())
}

func TestRevokeWithoutRedisWaitsForExpiry(t *testing.T) {
	t.Parallel()
	server := testkit.PrivateRedis(t)
	w := newWorldOn(t, server.URL())
	c := w.confidential()
	tokens := w.connect(w.person("a@example.com"), c, everything...)
	w.live(c, tokens.GetAccessToken())
	server.Kill()
	begun := time.Now()
	w.revoke(c, tokens.GetAccessToken())
	if took := time.Since(begun); took < waitOut {
		t.Errorf("the call returned after %v although Redis was unreachable", took)
	}
	w.dead(accessToken, c.app.GetAccountId(), tokens.GetAccessToken())
	if n := w.outbox(); n != 0 {
		t.Errorf("%d entries are left although their records have expired", n)
	}
}

// A crash between the commit and the publication leaves an outbox entry, which the next start
// publishes.
func TestEntryLeftByCrashIsPublishedAtStart(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.confidential()
	token := w.connect(w.person("a@example.com"), c, everything...).GetAccessToken()
	w.live(c, token)
	_, err := w.db.Exec(t.Context(), `WITH dead AS (UPDATE access_tokens SET revoked_at = $1 RETURNING hash)
		INSERT INTO forget_outbox (account_id, whole_account, hashes, created_at)
		SELECT $2, false, array_agg(hash), $1 FROM dead`, w.clock.Now(), c.app.GetAccountId())
	w.must(err)
	if w.record(accessToken, c.app.GetAccountId(), token) == nil {
		t.Fatal("the record was deleted although nothing was published")
	}
	w.clock.Advance(3 * time.Second)
	w.replica()
	eventually(t, "the entry is published", func() bool { return w.outbox() == 0 })
	w.dead(accessToken, c.app.GetAccountId(), token)
}
