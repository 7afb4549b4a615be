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
	requests := l.requests()
	l.plan(t, 1000, 5)
	for range 2 {
		expect.Must(requests[0](t.Context()))(t)
	}
	before := outages(t, l)
	servers := l.Stack.Services("redis-server")
	if len(servers) != 1 {
		t.Fatalf("%d Redis servers", len(servers))
	}
	suite.Signal(t, servers[0], syscall.SIGSTOP)
	t.Cleanup(func() { _ = syscall.Kill(servers[0].PID, syscall.SIGCONT) })
	// Each replica enforces the limits on its own, and admits no more than the quota.
	for i, replica := range []func(context.Context) (partner.Response, error){requests[0], requests[3]} {
		useUp(t, i, 5, replica)
	}
	if got := outages(t, l) - before; got != len(l.Stack.BaseURLs) {
		t.Errorf("%d log lines about the outage, want one for each replica", got)
	}
	suite.Signal(t, servers[0], syscall.SIGCONT)
	l.plan(t, 1000, 100_000)
	expect.Eventually(t, "both replicas share the counter again", func(ctx context.Context) error {
		return shareCounter(ctx, t, requests[0], requests[3], requests[0])
	})
}

// outages returns the number of log lines about Redis being unavailable.
func outages(t *testing.T, l limited) int {
	t.Helper()
	log := expect.Must(os.ReadFile(filepath.Join(l.Stack.Dir(), "vitae.log")))(t)
	return strings.Count(string(log), "redis does not answer: auth checks")
}

// useUp sends requests to a replica until the quota is used up.
func useUp(t *testing.T, replica, quota int, send func(context.Context) (partner.Response, error)) {
	t.Helper()
	for most := quota; ; most-- {
		a := expect.Must(send(t.Context()))(t)
		if a.Status == http.StatusTooManyRequests {
			limitedTo(t, a, "QUOTA_EXCEEDED")
			return
		}
		now := remaining(t, a, "quota")
		if a.Status != http.StatusOK || now >= quota || most < 0 {
			t.Fatalf("replica %d: %d remaining, %d before: %s", replica, now, quota, a)
		}
		quota = now
	}
}

// shareCounter returns an error unless the remaining quota decreases by one with each request.
func shareCounter(ctx context.Context, t *testing.T, requests ...func(context.Context) (partner.Response, error)) error {
	t.Helper()
	last := 0
	for i, send := range requests {
		a, err := send(ctx)
		if err != nil {
			return err
		}
		now := remaining(t, a, "quota")
		if i > 0 && now != last-1 {
			return fmt.Errorf("%d remaining, then %d", last, now)
		}
		last = now
	}
	return nil
}
