package ha_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/load"
	"vitae.internal/e2e/internal/stack"
)

// clients are the load clients of a stack.
type clients struct {
	*stack.Stack
	*load.Clients
}

// newClients returns clients. If day is not 0, they use up a daily quota of that size.
func newClients(t *testing.T, s *stack.Stack, day int32) *clients {
	t.Helper()
	const read, write = 100 * time.Millisecond, 50 * time.Millisecond // leave processor time for the clusters
	return &clients{s, load.New(t, load.Options{Stack: s, Day: day, Pace: load.Pace{Read: read, Write: write, Ended: write}})}
}

// awaitWhole waits until requests of every kind succeed, without any being refused.
func (c *clients) awaitWhole(t *testing.T) {
	t.Helper()
	quiet := c.Refused.Load()
	requests, written := c.Requests.Load(), c.Acknowledged.Load()
	expect.Eventually(t, "all requests are served", func(context.Context) error {
		if now := c.Refused.Load(); now != quiet {
			quiet, requests, written = now, c.Requests.Load(), c.Acknowledged.Load()
		}
		if c.Requests.Load()-requests < 300 || c.Acknowledged.Load()-written < 30 {
			return fmt.Errorf("%d refused so far", quiet)
		}
		return nil
	})
}
