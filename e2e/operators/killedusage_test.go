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

// sent is a request that was answered.
type sent struct {
	id string
	at time.Time // when the answer had arrived
}

// olderThan are the ids of the requests that were answered before a moment.
func olderThan(answered []sent, moment time.Time) (ids []string) {
	for _, a := range answered {
		if a.at.Before(moment) {
			ids = append(ids, a.id)
		}
	}
	return ids
}

// readUntil reads at both replicas until enough returns true.
func readUntil(t *testing.T, p scene.Platform, enough func(answered []sent) bool) (answered []sent) {
	t.Helper()
	edges := p.Edges(p.API)
	for i := 0; !enough(answered); i++ {
		a := expect.Must(edges[i%len(edges)].Companies(t.Context(), ""))(t)
		if a.Status != http.StatusOK {
			t.Fatal(a)
		}
		answered = append(answered, sent{id: a.Header.Get("X-Request-Id"), at: time.Now()})
	}
	return answered
}

// readTimes reads a number of times and returns the request ids.
func readTimes(t *testing.T, p scene.Platform, n int) []string {
	t.Helper()
	return olderThan(readUntil(t, p, func(answered []sent) bool { return len(answered) == n }), time.Now())
}

func killGateway(t *testing.T) {
	const mayBeLost = 5 * time.Second
	s := whole(t)
	p := scene.NewPlatform(t)
	account := p.Created.Developers["platform"].ID
	// However slow the machine is, reading goes on until enough requests are old enough
	// to prove something.
	const some = 100
	answered := readUntil(t, p, func(answered []sent) bool {
		return len(olderThan(answered, time.Now().Add(-mayBeLost))) >= some
	})
	v := newSurvivor(t, "gateway")
	killed := time.Now()
	kill(t, s, "gateway")
	suite.Begin(t, s)
	v.whole(t)
	countedAsLogged(t, p, account, awaitLog(t, p.Scene, account, olderThan(answered, killed.Add(-mayBeLost))))

	last := readTimes(t, p, 200)
	suite.Stop(t, s)
	suite.Begin(t, s)
	countedAsLogged(t, p, account, awaitLog(t, p.Scene, account, last))
}

// countedAsLogged asserts that no request was logged twice, and that the usage counts
// as many requests as the log has.
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
		t.Errorf("%d requests are counted, %d of them metered, and %d logged", requests, metered, len(entries))
	}
}

func TestUsageWaitsForFrozenAuth(t *testing.T) {
	s := whole(t)
	p := scene.NewPlatform(t)
	auth := s.Services("auth")[0]
	t.Cleanup(func() { _ = syscall.Kill(auth.PID, syscall.SIGCONT) })
	var ids []string
	for len(ids) < 50 {
		// Without auth reads go on while their session record lives, which is ten seconds
		// at most. A slow machine gets as many turns as it needs.
		readTimes(t, p, 10)
		suite.Signal(t, auth, syscall.SIGSTOP)
		ids = append(ids, readWhileServed(t, p, 50-len(ids))...)
		suite.Signal(t, auth, syscall.SIGCONT)
	}
	account := p.Created.Developers["platform"].ID
	countedAsLogged(t, p, account, awaitLog(t, p.Scene, account, ids))
}

// readWhileServed reads at most n times, until a read is refused as unavailable. It
// returns the ids of the requests that were served.
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
