package app_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"vitae.internal/pkg/testkit"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	"vitae.internal/services/auth/app"
)

// manyTokens returns more access tokens than the auth service has Postgres connections.
func (w *world) manyTokens(c client) []string {
	w.Helper()
	tokens := make([]string, 40)
	p := w.person("a@example.com")
	for i := range tokens {
		tokens[i] = w.connect(p, c, everything...).GetAccessToken()
	}
	return tokens
}

// revokeAll starts revoking every token. The returned wait function waits for the responses and returns the number
// of errors.
func (w *world) revokeAll(ctx context.Context, c client, tokens []string) (wait func() (failed int)) {
	var (
		revokes sync.WaitGroup
		errors  atomic.Int32
	)
	for _, token := range tokens {
		revokes.Go(func() {
			_, err := w.oauth.RevokeToken(ctx, &authv1.RevokeTokenRequest{Client: c.auth(), Token: token})
			if err != nil {
				errors.Add(1)
			}
		})
	}
	return func() int {
		revokes.Wait()
		return int(errors.Load())
	}
}

func TestWaitingRevokesDelayNoOtherCall(t *testing.T) {
	t.Parallel()
	server := testkit.PrivateRedis(t)
	w := newWorldOn(t, server.URL(), app.WithWaitOut(time.Hour))
	c := w.confidential()
	revoked := w.manyTokens(c)
	alive := w.connect(w.person("b@example.com"), c, everything...).GetAccessToken()
	w.must(server.Freeze())
	ctx, cancel := context.WithCancel(t.Context())
	wait := w.revokeAll(ctx, c, revoked)
	defer func() { cancel(); wait() }()
	eventually(t, "every revoke is committed", func() bool { return w.outbox() == len(revoked) })
	w.clock.Advance(3 * time.Second) // from now on, the job also publishes the outbox entries of these calls
	for range 5 {
		if !w.introspect(c, alive).GetActive() {
			t.Fatal("a live token is reported as invalid")
		}
		if _, err := w.resolve(accessToken, alive); err != nil {
			t.Fatal(err)
		}
	}
	if n := w.outbox(); n != len(revoked) {
		t.Errorf("only %d of %d revocations still wait, so the test proves nothing", n, len(revoked))
	}
}
