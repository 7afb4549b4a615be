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
	// crowd is how many clients use one key at each replica.
	crowd = 40
	// sharing is how many requests share one call of auth, at least, while Redis is down. A
	// faster auth answers fewer at a time; without sharing it is 1.
	sharing = 2
	// warm is the same number with Redis, whose session records expire after ten seconds.
	warm = 50
)

// TestRedisThatComesBackBringsNoStampedeOnAuth also counts the lines about the outage in
// the logs.
func TestRedisThatComesBackBringsNoStampedeOnAuth(t *testing.T) {
	s := newSystem(t)
	c := newScene(t, s, fault{unharmed: everyRead})
	linesBefore := map[string]map[string]int{}
	for _, part := range slices.Concat([]string{"auth"}, edges) {
		s.startAgain(t, part) // so that it remembers no outage of an earlier test
		linesBefore[part] = s.toldOfRedis(t, part)
	}
	c.awaitWhole(t)
	stop := c.Every(t, func(each func(time.Duration, func(context.Context))) {
		for edge := range edges {
			for range crowd {
				each(readEvery, func(ctx context.Context) {
					a, err := partner.Get(ctx, c.BaseURLs[edge]+companiesPath, c.Key)
					c.Served("a crowd's key at "+edges[edge], a, err, true)
				})
			}
		}
	})
	c.awaitAsked(t, 10*crowd)
	if err := s.redis.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.awaitRedisOut(t, 1)
	c.resolvedAtMost(t, "while Redis is gone", 20*crowd, sharing)
	if err := s.redis.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.resolvedAtMost(t, "when Redis is back", 20*crowd, sharing)
	c.awaitRedisOut(t, 0)
	// Auth soon writes session records again.
	expect.Eventually(t, "a record", func(ctx context.Context) error {
		before, err := s.resolved(ctx)
		if err != nil {
			return err
		}
		c.awaitAsked(t, 2*crowd)
		if after, err := s.resolved(ctx); err != nil || after > before {
			return fmt.Errorf("auth is still asked: %v, %w", after-before, err)
		}
		return nil
	})
	c.resolvedAtMost(t, "with Redis", 50*crowd, warm)
	stop()
	for part, lines := range toldOfRedis {
		now := s.toldOfRedis(t, part)
		for _, line := range lines {
			if n := now[line] - linesBefore[part][line]; n != 1 {
				t.Errorf("%s said %q %d times of one outage", part, line, n)
			}
		}
	}
	c.Report(t)
}

// resolvedAtMost lets the crowd send more requests, and asserts that at least share of
// them share one call of auth.
func (c *scene) resolvedAtMost(t *testing.T, when string, more int64, share float64) {
	t.Helper()
	askedBefore, before := c.Requests.Load(), expect.Must(c.resolved(t.Context()))(t)
	c.awaitAsked(t, more)
	calls, asked := expect.Must(c.resolved(t.Context()))(t)-before, c.Requests.Load()-askedBefore
	t.Logf("%s: %d requests cost %v calls", when, asked, calls)
	if calls*share > float64(asked) {
		t.Errorf("%s %d requests with one key had auth asked %v times", when, asked, calls)
	}
}

// resolved returns how many calls auth received about credentials.
func (s *system) resolved(ctx context.Context) (float64, error) {
	return s.metric(ctx, "auth", "grpc_server_handled_total", methodLabels(authv1.CredentialService_ResolveCredential_FullMethodName)...)
}

// awaitRedisOut waits until vitae_redis_out of every replica has a value: 1 while Redis
// does not answer, 0 otherwise.
func (c *scene) awaitRedisOut(t *testing.T, want float64) {
	t.Helper()
	for _, edge := range edges {
		expect.Eventually(t, "vitae_redis_out", func(ctx context.Context) error {
			out, err := c.metric(ctx, edge, "vitae_redis_out")
			if err == nil && out != want {
				err = fmt.Errorf("%s says %v, want %v", edge, out, want)
			}
			return err
		})
	}
}

// The lines that a part logs about an outage of Redis, once each.
var toldOfRedis = map[string][]string{
	"edge1": {"redis does not answer", "redis answers again"},
	"edge2": {"redis does not answer", "redis answers again"},
	"auth":  {"redis is out of reach", "redis is in reach again"},
}

func (s *system) toldOfRedis(t *testing.T, part string) map[string]int {
	t.Helper()
	log := string(expect.Must(os.ReadFile(s.parts[part].logFile))(t))
	counts := map[string]int{}
	for _, line := range toldOfRedis[part] {
		counts[line] = strings.Count(log, line)
	}
	return counts
}
