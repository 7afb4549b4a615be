package limits_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/suite"
)

func limitsWithoutRedis(t *testing.T, l limited) {
	asks := l.asks()
	l.plan(t, 1000, 5)
	for range 2 {
		expect.Must(asks[0](t.Context()))(t)
	}
	before := outages(t, l)
	servers := l.Stack.Services("redis-server")
	if len(servers) != 1 {
		t.Fatalf("%d Redis servers", len(servers))
	}
	suite.Signal(t, servers[0], syscall.SIGSTOP)
	t.Cleanup(func() { _ = syscall.Kill(servers[0].PID, syscall.SIGCONT) })
	// Each replica counts alone, and admits no more than the quota.
	for i, replica := range []func(context.Context) (partner.Response, error){asks[0], asks[3]} {
		useUp(t, i, 5, replica)
	}
	if got := outages(t, l) - before; got != len(l.Stack.BaseURLs) {
		t.Errorf("%d lines about one outage, want one for each replica", got)
	}
	suite.Signal(t, servers[0], syscall.SIGCONT)
	l.plan(t, 1000, 100_000)
	expect.Eventually(t, "both replicas count together again", func(ctx context.Context) error {
		return countTogether(ctx, t, asks[0], asks[3], asks[0])
	})
}

// outages is how many lines of the log say that Redis does not answer.
func outages(t *testing.T, l limited) int {
	t.Helper()
	log := expect.Must(os.ReadFile(filepath.Join(l.Stack.Dir(), "vitae.log")))(t)
	return strings.Count(string(log), "redis does not answer: auth checks")
}

// useUp asks a replica until the quota is used up.
func useUp(t *testing.T, replica, quota int, ask func(context.Context) (partner.Response, error)) {
	t.Helper()
	for most := quota; ; most-- {
		a := expect.Must(ask(t.Context()))(t)
		if a.Status == http.StatusTooManyRequests {
			limitedTo(t, a, "QUOTA_EXCEEDED")
			return
		}
		now := left(t, a, "quota")
		if a.Status != http.StatusOK || now >= quota || most < 0 {
			t.Fatalf("replica %d: %d left, %d before: %s", replica, now, quota, a)
		}
		quota = now
	}
}

// countTogether returns an error unless each request has one less left than the one
// before.
func countTogether(ctx context.Context, t *testing.T, asks ...func(context.Context) (partner.Response, error)) error {
	t.Helper()
	last := 0
	for i, ask := range asks {
		a, err := ask(ctx)
		if err != nil {
			return err
		}
		now := left(t, a, "quota")
		if i > 0 && now != last-1 {
			return fmt.Errorf("%d left, then %d", last, now)
		}
		last = now
	}
	return nil
}
