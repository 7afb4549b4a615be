package faults_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
)

func TestNothingThatWasPromisedBreaksWhenAPartDoes(t *testing.T) {
	s := newSystem(t)
	for _, f := range allFaults() {
		if f.short || long() {
			t.Run(f.name, func(t *testing.T) { round(t, s, f) })
		}
	}
}

// hold is how many requests are sent between the first effects of a fault and its end.
func hold() int64 {
	if long() {
		return 1500
	}
	return 300
}

// round is one fault under load, and the audit after it.
func round(t *testing.T, s *system, f fault) {
	if f.prepare != nil {
		f.prepare(t, s)
	}
	c := newScene(t, s, f)
	stop := c.Run(t)
	c.awaitAsked(t, 150)
	f.breaks(t, s)
	c.awaitFelt(t)
	c.awaitAsked(t, hold())
	f.mend(t, s)
	mended := time.Now()
	c.awaitWhole(t)
	t.Logf("whole again %v after the mend; %d requests, %d of them answered 503", time.Since(mended).Round(time.Millisecond), c.Requests.Load(), c.Refused.Load())
	c.awaitAsked(t, 100)
	stop()
	c.audit(t)
}

// awaitFelt waits until operators and clients see the fault: /readyz of a part fails, and
// requests are answered 503, unless the fault harms no read.
func (c *scene) awaitFelt(t *testing.T) {
	t.Helper()
	if part := c.fault.unready; part != "" {
		expect.Eventually(t, part+" says that it is not ready", func(ctx context.Context) error {
			if c.ready(ctx, part) == nil {
				return errors.New("it is")
			}
			return nil
		})
	}
	if len(c.fault.unharmed) == len(everyRead) {
		return
	}
	const some = 5
	expect.Eventually(t, "answers of 503", func(context.Context) error {
		if n := c.Refused.Load(); n < some {
			return fmt.Errorf("%d", n)
		}
		return nil
	})
}

// awaitAsked waits until the load has sent more requests.
func (c *scene) awaitAsked(t *testing.T, more int64) {
	t.Helper()
	goal := c.Requests.Load() + more
	expect.Eventually(t, "requests", func(context.Context) error {
		if n := c.Requests.Load(); n < goal {
			return fmt.Errorf("%d of %d", n, goal)
		}
		return nil
	})
}

// awaitWhole waits until every part is ready and every read is served at every replica.
func (c *scene) awaitWhole(t *testing.T) {
	t.Helper()
	for name := range c.parts {
		c.awaitReady(t, name)
	}
	for _, r := range c.Reads() {
		for _, base := range c.BaseURLs {
			expect.Eventually(t, r.Name, func(ctx context.Context) error {
				a, err := partner.Get(ctx, base+r.Path, r.Credential)
				if err == nil && a.Status != http.StatusOK {
					err = fmt.Errorf("%s", a)
				}
				return err
			})
		}
	}
}
