package faults_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

const (
	// crowd is the number of clients that use one key on each replica.
	crowd = 40
	// sharing is the minimum number of requests per call to auth while Redis is down. If auth is
	// faster, fewer requests share a call; without sharing the number would be 1.
	sharing = 2
	// warm is the corresponding number while Redis works. Its session records expire after ten seconds.
	warm = 50
)

// The test also counts the log lines about the outage.
func TestRedisRecoveryDoesNotOverloadAuth(t *testing.T) {
	s := newSystem(t)
	c := newScene(t, s, fault{unharmed: everyRead})
	linesBefore := map[string]map[string]int{}
	for _, process := range slices.Concat([]string{"auth"}, edges) {
		s.startAgain(t, process) // forgets outages of earlier tests
		linesBefore[process] = s.countRedisLines(t, process)
	}
	c.awaitWhole(t)
	stop := c.Every(t, func(each func(time.Duration, func(context.Context))) {
		for edge := range edges {
			for range crowd {
				each(readEvery, func(ctx context.Context) {
					a, err := partner.Get(ctx, c.BaseURLs[edge]+companiesPath, c.Key)
					c.Served("a crowd's key on "+edges[edge], a, err, true)
				})
			}
		}
	})
	c.awaitRequests(t, 10*crowd)
	if err := s.redis.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.awaitRedisOut(t, 1)
	c.resolvedAtMost(t, "without Redis", 20*crowd, sharing)
	if err := s.redis.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.resolvedAtMost(t, "after the restart of Redis", 20*crowd, sharing)
	c.awaitRedisOut(t, 0)
	// Auth soon writes session records again.
	expect.Eventually(t, "session records are used again", func(ctx context.Context) error {
		before, err := s.resolved(ctx)
		if err != nil {
			return err
		}
		c.awaitRequests(t, 2*crowd)
		if after, err := s.resolved(ctx); err != nil || after > before {
			return fmt.Errorf("%v more calls to auth, %w", after-before, err)
		}
		return nil
	})
	c.resolvedAtMost(t, "with Redis", 50*crowd, warm)
	stop()
	for process, lines := range redisLogLines {
		now := s.countRedisLines(t, process)
		for _, line := range lines {
			if n := now[line] - linesBefore[process][line]; n != 1 {
				t.Errorf("%s logged %q %d times, want once", process, line, n)
			}
		}
	}
	c.Report(t)
}

// resolvedAtMost waits until the crowd has sent more requests, and asserts that on average at least
// share of them have shared a call to auth.
func (c *scene) resolvedAtMost(t *testing.T, when string, more int64, share float64) {
	t.Helper()
	requestsBefore, before := c.Requests.Load(), expect.Must(c.resolved(t.Context()))(t)
	c.awaitRequests(t, more)
	calls, requests := expect.Must(c.resolved(t.Context()))(t)-before, c.Requests.Load()-requestsBefore
	t.Logf("%s: %d requests led to %v calls to auth", when, requests, calls)
	if calls*share > float64(requests) {
		t.Errorf("%s, %d requests with one key led to %v calls to auth", when, requests, calls)
	}
}

// resolved returns the number of calls to resolve credentials that auth has received.
func (s *system) resolved(ctx context.Context) (float64, error) {
	return s.metric(ctx, "auth", "grpc_server_handled_total", methodLabels(authv1.CredentialService_ResolveCredential_FullMethodName)...)
}

// awaitRedisOut waits until the metric vitae_redis_out of every replica has the given value: 1 while Redis is
// unavailable, otherwise 0.
func (c *scene) awaitRedisOut(t *testing.T, want float64) {
	t.Helper()
	for _, edge := range edges {
		expect.Eventually(t, "vitae_redis_out", func(ctx context.Context) error {
			out, err := c.metric(ctx, edge, "vitae_redis_out")
			if err == nil && out != want {
				err = fmt.Errorf("%s has %v, want %v", edge, out, want)
			}
			return err
		})
	}
}

// redisLogLines holds the lines that each process logs once for an outage of Redis.
var redisLogLines = map[string][]string{
	"edge1": {"redis does not answer", "redis answers again"},
	"edge2": {"redis does not answer", "redis answers again"},
	"auth":  {"redis is out of reach", "redis is in reach again"},
}

func (s *system) countRedisLines(t *testing.T, process string) map[string]int {
	t.Helper()
	log := string(expect.Must(os.ReadFile(s.processes[process].logFile))(t))
	counts := map[string]int{}
	for _, line := range redisLogLines[process] {
		counts[line] = strings.Count(log, line)
	}
	return counts
}
