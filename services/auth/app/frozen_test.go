package app_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"

	"vitae.internal/pkg/testkit"

	"vitae.internal/services/auth/app"
)

// manyTokens gives access tokens of as many connections, more than the pool has
// connections.
func (w *world) manyTokens(c client) []string {
	w.Helper()
	tokens := make([]string, 40)
	p := w.person("a@example.com")
	for i := range tokens {
		tokens[i] = w.connect(p, c, everything...).GetAccessToken()
	}
	return tokens
}

// revokeAll begins a revoke of every token; wait waits for the answers.
func (w *world) revokeAll(ctx context.Context, c client, tokens []string) (wait func()) {
	var revokes sync.WaitGroup
	for _, token := range tokens {
		revokes.Go(func() {
			// An error is for a caller that gave up, which some of the tests make it do.
			_, _ = w.oauth.RevokeToken(ctx, &authv1.RevokeTokenRequest{Client: c.auth(), Token: token})
		})
	}
	return revokes.Wait
}

func TestRevokesThatWaitForAFrozenRedisHoldUpNobodyElse(t *testing.T) {
	server := testkit.PrivateRedis(t)
	w := newWorldOn(t, server.URL(), app.WithWaitOut(time.Hour))
	c := w.confidential()
	revoked := w.manyTokens(c)
	alive := w.connect(w.person("b@example.com"), c, everything...).GetAccessToken()
	w.must(server.Freeze())
	ctx, cancel := context.WithCancel(t.Context())
	wait := w.revokeAll(ctx, c, revoked)
	defer wait()
	defer cancel()
	eventually(t, "every revoke is committed", func() bool { return w.outbox() == len(revoked) })
	w.clock.Advance(3 * time.Second) // the worker takes them for left
	for range 5 {
		if !w.introspect(c, alive).GetActive() {
			t.Fatal("a live token is called dead")
		}
		if _, err := w.resolve(accessToken, alive); err != nil {
			t.Fatal(err)
		}
	}
	if n := w.outbox(); n != len(revoked) {
		t.Errorf("%d of %d revokes still wait: the test proves nothing", n, len(revoked))
	}
}

// Whoever locks the rows of the outbox must not get the whole pool to wait for
// them.
func TestRevokesThatCannotDeleteTheirOrderLeaveThePoolToOthers(t *testing.T) {
	server := testkit.PrivateRedis(t)
	w := newWorldOn(t, server.URL(), app.WithWaitOut(2*time.Second))
	c := w.confidential()
	revoked := w.manyTokens(c)
	w.must(server.Freeze())
	wait := w.revokeAll(t.Context(), c, revoked)
	eventually(t, "every revoke is committed", func() bool { return w.outbox() == len(revoked) })
	tx, err := w.db.Begin(t.Context())
	w.must(err)
	_, err = tx.Exec(t.Context(), "SELECT FROM forget_outbox FOR UPDATE")
	w.must(err)
	released := false
	release := func() {
		if !released {
			released = true
			w.must(tx.Rollback(context.Background()))
		}
	}
	defer wait()
	defer release()
	w.waiting(1)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	// Ends only if every revoke gives its connection back while the rows are locked.
	for i := range len(revoked) {
		if _, err := w.oauth.IntrospectToken(ctx, &authv1.IntrospectTokenRequest{Client: c.auth(), Token: revoked[i]}); err != nil {
			t.Fatal(fmt.Errorf("introspection %d: %w", i, err))
		}
	}
	wait()
	release()
}
