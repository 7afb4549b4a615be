package operators_test

import (
	"net/http"
	"syscall"
	"testing"
	"time"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/suite"
)

// sent is a request whose response was received.
type sent struct {
	id string
	at time.Time // when the response arrived
}

// olderThan returns the ids of the requests whose response arrived before a time.
func olderThan(received []sent, limit time.Time) (ids []string) {
	for _, a := range received {
		if a.at.Before(limit) {
			ids = append(ids, a.id)
		}
	}
	return ids
}

// readUntil reads from both replicas until enough returns true.
func readUntil(t *testing.T, p scene.Platform, enough func(received []sent) bool) (received []sent) {
	t.Helper()
	edges := p.Edges(p.API)
	for i := 0; !enough(received); i++ {
		a := expect.Must(edges[i%len(edges)].Companies(t.Context(), ""))(t)
		if a.Status != http.StatusOK {
			t.Fatal(a)
		}
		received = append(received, sent{id: a.Header.Get("X-Request-Id"), at: time.Now()})
	}
	return received
}

// readTimes reads n times and returns the request ids.
func readTimes(t *testing.T, p scene.Platform, n int) []string {
	t.Helper()
	return olderThan(readUntil(t, p, func(received []sent) bool { return len(received) == n }), time.Now())
}

func killGateway(t *testing.T) {
	const mayBeLost = 5 * time.Second
	s := sharedStack(t)
	p := scene.NewPlatform(t)
	account := p.Created.Developers["platform"].ID
	// On a slow machine, this reads until enough requests are old enough for a meaningful test.
	const some = 100
	received := readUntil(t, p, func(received []sent) bool {
		return len(olderThan(received, time.Now().Add(-mayBeLost))) >= some
	})
	v := newSurvivor(t, "gateway")
	killed := time.Now()
	kill(t, s, "gateway")
	suite.Begin(t, s)
	v.check(t)
	countedAsLogged(t, p, account, awaitLog(t, p.Scene, account, olderThan(received, killed.Add(-mayBeLost))))

	last := readTimes(t, p, 200)
	suite.Stop(t, s)
	suite.Begin(t, s)
	countedAsLogged(t, p, account, awaitLog(t, p.Scene, account, last))
}

// countedAsLogged asserts that no request was logged twice, and that the usage has as many requests as
// the log.
func countedAsLogged(t *testing.T, p scene.Platform, account string, entries []logged) {
	t.Helper()
	ids := map[string]bool{}
	for _, e := range entries {
		if ids[e.RequestID] {
			t.Errorf("%s is logged twice", e.RequestID)
		}
		ids[e.RequestID] = true
	}
	var requests, metered int64
	for _, u := range expect.Must(printed[used](t.Context(), p.Scene, "usage", account))(t) {
		requests, metered = requests+u.Requests, metered+u.Metered
	}
	if requests != int64(len(entries)) || metered != requests {
		t.Errorf("the usage has %d requests, %d of them metered, and the log %d", requests, metered, len(entries))
	}
}

func TestUsageWaitsForFrozenAuth(t *testing.T) {
	s := sharedStack(t)
	p := scene.NewPlatform(t)
	auth := s.Services("auth")[0]
	t.Cleanup(func() { _ = syscall.Kill(auth.PID, syscall.SIGCONT) })
	var ids []string
	for len(ids) < 50 {
		// Without auth, reads succeed only while a session record exists, which is ten seconds at most.
		// On a slow machine, this may need several rounds.
		readTimes(t, p, 10)
		suite.Signal(t, auth, syscall.SIGSTOP)
		ids = append(ids, readWhileServed(t, p, 50-len(ids))...)
		suite.Signal(t, auth, syscall.SIGCONT)
	}
	account := p.Created.Developers["platform"].ID
	countedAsLogged(t, p, account, awaitLog(t, p.Scene, account, ids))
}

// readWhileServed reads up to n times, until a read gets a 503. It returns the ids of the served
// requests.
func readWhileServed(t *testing.T, p scene.Platform, n int) (ids []string) {
	t.Helper()
	edges := p.Edges(p.API)
	for i := range n {
		a := expect.Must(edges[i%len(edges)].Companies(t.Context(), ""))(t)
		if a.Status == http.StatusServiceUnavailable {
			break
		}
		if a.Status != http.StatusOK {
			t.Fatal(a)
		}
		ids = append(ids, a.Header.Get("X-Request-Id"))
	}
	return ids
}
