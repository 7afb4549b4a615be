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

func TestFaultsBreakNoPromise(t *testing.T) {
	s := newSystem(t)
	for _, f := range allFaults() {
		if f.short || long() {
			t.Run(f.name, func(t *testing.T) { round(t, s, f) })
		}
	}
}

// requestsDuringFault returns the number of requests to send between the first effects of a fault and
// its end.
func requestsDuringFault() int64 {
	if long() {
		return 1500
	}
	return 300
}

// round causes one fault under load, and then runs the audit.
func round(t *testing.T, s *system, f fault) {
	if f.prepare != nil {
		f.prepare(t, s)
	}
	c := newScene(t, s, f)
	stop := c.Run(t)
	c.awaitRequests(t, 150)
	f.breaks(t, s)
	c.awaitImpact(t)
	c.awaitRequests(t, requestsDuringFault())
	f.mend(t, s)
	mended := time.Now()
	c.awaitWhole(t)
	t.Logf("recovered %v after the repair; %d requests, %d of them got a 503", time.Since(mended).Round(time.Millisecond), c.Requests.Load(), c.Refused.Load())
	c.awaitRequests(t, 100)
	stop()
	c.audit(t)
}

// awaitImpact waits until operators and clients notice the fault: /readyz of a process fails and,
// unless the fault harms no read, requests get a 503.
func (c *scene) awaitImpact(t *testing.T) {
	t.Helper()
	if process := c.fault.unready; process != "" {
		expect.Eventually(t, process+" is not ready", func(ctx context.Context) error {
			if c.ready(ctx, process) == nil {
				return errors.New("it is ready")
			}
			return nil
		})
	}
	if len(c.fault.unharmed) == len(everyRead) {
		return
	}
	const some = 5
	expect.Eventually(t, "refused requests", func(context.Context) error {
		if n := c.Refused.Load(); n < some {
			return fmt.Errorf("%d", n)
		}
		return nil
	})
}

// awaitRequests waits until the load has sent more requests.
func (c *scene) awaitRequests(t *testing.T, more int64) {
	t.Helper()
	goal := c.Requests.Load() + more
	expect.Eventually(t, "requests", func(context.Context) error {
		if n := c.Requests.Load(); n < goal {
			return fmt.Errorf("%d of %d", n, goal)
		}
		return nil
	})
}

// awaitWhole waits until every process is ready and every read succeeds on every replica.
func (c *scene) awaitWhole(t *testing.T) {
	t.Helper()
	for name := range c.processes {
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
