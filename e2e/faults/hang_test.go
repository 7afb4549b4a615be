package faults_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/load"
	"vitae.internal/e2e/internal/partner"
)

const (
	// hangClients is the number of clients that call the hanging service. hangPause is the time between
	// two calls of a client.
	hangClients = 100
	hangPause   = 100 * time.Millisecond
	// perClient is the number of additional goroutines, compared with idle, that the gateway may have
	// for each of these clients. slack allows for unrelated goroutines.
	perClient, slack = 4, 60
)

// hang describes how the candidate service stops responding to edge1.
type hang struct {
	name         string
	breaks, mend func(*testing.T, *system, *proxy)
	short        bool
}

func hangs() []hang {
	signal := func(sig syscall.Signal) func(*testing.T, *system, *proxy) {
		return func(t *testing.T, s *system, _ *proxy) {
			if err := s.processes["candidate"].Signal(sig); err != nil {
				t.Fatal(err)
			}
		}
	}
	return []hang{
		{"frozen", signal(syscall.SIGSTOP), signal(syscall.SIGCONT), true},
		{
			"black hole", func(_ *testing.T, _ *system, p *proxy) { p.swallow() },
			func(t *testing.T, _ *system, p *proxy) { p.heal(t) }, false,
		},
	}
}

// refusedGoal returns the number of requests that must be refused before the hang ends. The first
// request of each client waits for its deadline; the others are refused immediately.
func refusedGoal() int64 {
	if long() {
		return 10 * hangClients
	}
	return hangClients
}

func TestHangingServiceBlocksNoOtherRequests(t *testing.T) {
	s := newSystem(t)
	network := newProxy(t, s.note.GRPC.Candidate)
	s.redirect(t, "edge1", "VITAE_CANDIDATE_GRPC_ADDR="+network.addr)
	for _, h := range hangs() {
		if h.short || long() {
			t.Run(h.name, func(t *testing.T) { hangRound(t, s, network, h) })
		}
	}
}

func hangRound(t *testing.T, s *system, network *proxy, h hang) {
	c := newScene(t, s, fault{unharmed: readsWithout["candidate"]})
	w := &hangWatch{scene: c, t: t, client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: hangClients}}}
	c.awaitWhole(t)
	idle := w.goroutines()
	stop := w.run(t)
	load.Await(t, "served requests", &w.served, hangClients)
	h.breaks(t, s, network)
	load.Await(t, "refused requests", &w.Refused, refusedGoal())
	if long() { // the breaker opens after a second wave of waiting requests
		expect.Eventually(t, "the breaker is open", func(ctx context.Context) error {
			open, err := s.metric(ctx, "edge1", "vitae_grpc_breaker_open", `service="candidate"`)
			if err == nil && open != 1 {
				err = fmt.Errorf("%v", open)
			}
			return err
		})
	}
	h.mend(t, s, network)
	load.Await(t, "served requests", &w.served, hangClients)
	stop()
	c.awaitWhole(t)
	if peak, most := w.peak.Load(), int64(idle+perClient*hangClients+slack); peak > most {
		t.Errorf("edge1 had %d goroutines, %d when idle; want %d at most", peak, idle, most)
	}
	w.client.CloseIdleConnections()
	expect.Eventually(t, "goroutines as when idle", func(context.Context) error {
		if n := w.goroutines(); n > idle+slack {
			return fmt.Errorf("%d, was %d", n, idle)
		}
		return nil
	})
	t.Logf("%d responses with 200, %d with 503, %d other requests; %d goroutines when idle, %d at most", w.served.Load(), w.Refused.Load(), c.Requests.Load(), idle, w.peak.Load())
	c.Report(t)
}

// hangWatch runs many clients on edge1. Some call routes that need the candidate service, and others call
// routes that do not.
type hangWatch struct {
	*scene
	t      *testing.T
	client *http.Client
	served atomic.Int64
	peak   atomic.Int64 // highest number of goroutines
}

func (w *hangWatch) run(t *testing.T) (stop func()) {
	return w.Every(t, func(each func(time.Duration, func(context.Context))) {
		for range hangClients {
			each(hangPause, w.me)
		}
		for edge := range edges {
			for _, r := range w.Reads() {
				if w.fault.calm(r.Name, edges[edge]) {
					each(readEvery, func(ctx context.Context) { w.Read(ctx, r, edge) })
				}
			}
		}
		each(hangPause, func(context.Context) { w.peak.Store(max(w.peak.Load(), int64(w.goroutines()))) })
	})
}

// me reads /v1/me from edge1, on connections that no other client uses.
func (w *hangWatch) me(ctx context.Context) {
	req := expect.Must(http.NewRequestWithContext(ctx, http.MethodGet, w.BaseURLs[0]+"/v1/me", nil))(w.t)
	req.Header.Set("Authorization", "Bearer "+w.Token)
	var a partner.Response
	res, err := w.client.Do(req)
	if err == nil {
		a.Status, a.Header = res.StatusCode, res.Header
		a.Body, err = io.ReadAll(res.Body)
		_ = res.Body.Close()
	}
	if w.Served("me", a, err, false) {
		w.served.Add(1)
	}
}

func (w *hangWatch) goroutines() int {
	n, err := w.metric(w.t.Context(), "edge1", "go_goroutines")
	if err != nil || n == 0 {
		w.Broken("goroutines of edge1: %v, %v", n, err)
	}
	return int(n)
}
