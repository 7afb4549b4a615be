package app_test

import (
	"context"
	"testing"
	"time"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/testkit"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	"vitae.internal/services/auth/app"
)

func (w *world) outbox() (n int) {
	w.Helper()
	w.must(w.db.QueryRow(w.Context(), "SELECT count(*) FROM forget_outbox").Scan(&n))
	return n
}

// eventually waits for a condition.
func eventually(t testing.TB, what string, ok func() bool) {
	t.Helper()
	deadline := time.After(30 * time.Second)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for !ok() {
		select {
		case <-deadline:
			t.Fatal("never: " + what)
		case <-tick.C:
		}
	}
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

func TestFrozenRedisDoesNotStopResolving(t *testing.T) {
	t.Parallel()
	server := testkit.PrivateRedis(t)
	w := newWorldOn(t, server.URL())
	tokens := w.connect(w.person("a@example.com"), w.confidential(), "profile")
	w.must(server.Freeze())
	for range 10 {
		if _, err := w.resolve(accessToken, tokens.GetAccessToken()); err != nil {
			t.Fatal(err)
		}
	}
}

func TestRecordsAreLeftAgainOnceRedisIsBack(t *testing.T) {
	t.Parallel()
	server := testkit.PrivateRedis(t)
	w := newWorldOn(t, server.URL())
	tokens := w.connect(w.person("a@example.com"), w.confidential(), "profile")
	server.Kill()
	_, err := w.resolve(accessToken, tokens.GetAccessToken())
	w.must(err)
	w.must(server.Restart(t.Context()))
	eventually(t, "a record in Redis", func() bool {
		w.clock.Advance(time.Second) // past the rest that Redis is given
		if _, err := w.resolve(accessToken, tokens.GetAccessToken()); err != nil {
			t.Fatal(err)
		}
		return w.rdb.DBSize(t.Context()).Val() > 0
	})
}

func TestFlushedRedisRevivesNothing(t *testing.T) {
	t.Parallel()
	server := testkit.PrivateRedis(t)
	w := newWorldOn(t, server.URL())
	p, c := w.person("a@example.com"), w.confidential()
	tokens := w.connect(p, c, everything...)
	w.live(c, tokens.GetAccessToken())
	w.revoke(c, tokens.GetRefreshToken())
	w.must(w.rdb.FlushAll(t.Context()).Err())
	w.dead(accessToken, c.app.GetAccountId(), tokens.GetAccessToken())
}

func TestRevokeThatCannotReachRedisAnswersOnlyAfterRecordsHaveExpired(t *testing.T) {
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
		t.Errorf("answered after %v although Redis was out of reach", took)
	}
	w.dead(accessToken, c.app.GetAccountId(), tokens.GetAccessToken())
	if n := w.outbox(); n != 0 {
		t.Errorf("%d entries are left although their records have expired", n)
	}
}

// Most consents are those of people who sign in again. They must not wait for a Redis
// that is down.
func TestConsentThatChangesNothingDoesNotWaitForRedis(t *testing.T) {
	t.Parallel()
	server := testkit.PrivateRedis(t)
	w := newWorldOn(t, server.URL(), app.WithWaitOut(time.Hour))
	p, c := w.person("a@example.com"), w.confidential()
	w.connect(p, c, everything...)
	server.Kill()
	w.connect(p, c, everything...)
	w.connectionOf(p)
}

func TestRevokeAnswersOnceRedisIsBackAndHasDeletedTheRecord(t *testing.T) {
	t.Parallel()
	server := testkit.PrivateRedis(t)
	w := newWorldOn(t, server.URL(), app.WithWaitOut(time.Hour))
	c := w.confidential()
	tokens := w.connect(w.person("a@example.com"), c, everything...)
	w.live(c, tokens.GetAccessToken())
	w.must(server.Freeze())
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	answered := make(chan error, 1)
	go func() {
		_, err := w.oauth.RevokeToken(ctx, &authv1.RevokeTokenRequest{Client: c.auth(), Token: tokens.GetAccessToken()})
		answered <- err
	}()
	eventually(t, "the revoke is committed", func() bool { return w.outbox() == 1 })
	select {
	case err := <-answered:
		t.Fatalf("answered %v while Redis still holds the record", err)
	default:
	}
	w.must(server.Thaw())
	w.must(<-answered)
	w.dead(accessToken, c.app.GetAccountId(), tokens.GetAccessToken())
}

func TestCallerThatCannotWaitGetsAnErrorAndTheEntryIsPublishedLater(t *testing.T) {
	t.Parallel()
	server := testkit.PrivateRedis(t)
	w := newWorldOn(t, server.URL(), app.WithWaitOut(time.Hour))
	c := w.confidential()
	tokens := w.connect(w.person("a@example.com"), c, everything...)
	w.live(c, tokens.GetAccessToken())
	w.must(server.Freeze())
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
	defer cancel()
	_, err := w.oauth.RevokeToken(ctx, &authv1.RevokeTokenRequest{Client: c.auth(), Token: tokens.GetAccessToken()})
	if errs.KindOf(err) != errs.Unavailable {
		t.Fatalf("answered %v", err)
	}
	w.must(server.Thaw())
	w.clock.Advance(3 * time.Second) // the entry counts as left
	eventually(t, "the entry is published", func() bool { return w.outbox() == 0 })
	w.dead(accessToken, c.app.GetAccountId(), tokens.GetAccessToken())
}

// A crash between the commit and the publishing leaves an entry, which the next start
// publishes.
func TestEntryLeftByACrashIsPublishedAtTheNextStart(t *testing.T) {
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
		t.Fatal("the record is gone although nothing was published")
	}
	w.clock.Advance(3 * time.Second)
	w.replica()
	eventually(t, "the entry is published", func() bool { return w.outbox() == 0 })
	w.dead(accessToken, c.app.GetAccountId(), token)
}
