package faults_test

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/world"
)

// manyGrants returns the number of codes, and of refresh tokens, to present concurrently. It is far
// higher than auth's number of database connections.
func manyGrants() int {
	if long() {
		return 100
	}
	return 20
}

const (
	// poolOfAuth is the number of statements that auth can execute concurrently. At most this number of
	// requests can have been committed when the freeze began.
	poolOfAuth = 10
)

// lateness is a point in time at which Postgres freezes.
type lateness struct {
	name string
	// during means that Postgres freezes while it handles the requests. Some of them may then have been
	// committed without a response.
	during bool
	short  bool
}

func latenesses() []lateness {
	return []lateness{{"frozen before the requests", false, true}, {"frozen during the requests", true, false}}
}

func TestTimedOutRequestsHaveNoLateEffect(t *testing.T) {
	s := newSystem(t)
	for _, l := range latenesses() {
		if l.short || long() {
			t.Run(l.name, func(t *testing.T) { lateRound(t, s, l) })
		}
	}
}

// presentation presents a code or a refresh token once.
type presentation func(ctx context.Context, edge int) (partner.Response, error)

// lateRound presents grants while Postgres is frozen, and again after it has thawed.
func lateRound(t *testing.T, s *system, l lateness) {
	all := newScene(t, s, fault{}).presentations(t)
	var received atomic.Int32
	responses := make([]partner.Response, len(all))
	freeze := func() {
		if err := s.pg.Freeze(); err != nil {
			t.Error(err)
		}
	}
	if !l.during {
		freeze()
	}
	var requests sync.WaitGroup
	var once sync.Once
	for i, present := range all {
		requests.Go(func() {
			a, err := present(t.Context(), i%len(edges))
			if err != nil {
				t.Error(err)
			}
			responses[i] = a
			if l.during && received.Add(1) == poolOfAuth {
				once.Do(freeze)
			}
		})
	}
	requests.Wait()
	if err := s.pg.Thaw(); err != nil {
		t.Fatal(err)
	}
	inTime, again, lost := secondTries(t, all, responses)
	t.Logf("%d of %d got a 200; %d got a 503, and %d of these had been committed before the freeze", inTime, len(all), again, lost)
	most := 0
	if l.during {
		most = poolOfAuth
	}
	if lost > most || again == 0 {
		t.Errorf("%d of %d second attempts failed, want at most %d", lost, again, most)
	}
}

// secondTries presents the grants that got a 503 again. It returns how many grants succeeded at first,
// how many got a 503, and how many of these had been redeemed nevertheless.
func secondTries(t *testing.T, all []presentation, responses []partner.Response) (inTime, again, lost int) {
	t.Helper()
	for i, present := range all {
		switch responses[i].Status {
		case http.StatusOK:
			inTime++
			continue
		case http.StatusServiceUnavailable:
		default:
			t.Errorf("grant %d: %s", i, responses[i])
			continue
		}
		var second partner.Response
		expect.Eventually(t, "a response to the second attempt", func(ctx context.Context) (err error) {
			if second, err = present(ctx, i%len(edges)); err == nil && second.Status == http.StatusServiceUnavailable {
				err = fmt.Errorf("%s", second)
			}
			return err
		})
		if again++; second.Status != http.StatusOK {
			lost++
			expect.FlatRefused(t, second, http.StatusBadRequest, "invalid_grant")
		}
	}
	return inTime, again, lost
}

// presentations returns alternating presentations of codes and refresh tokens.
func (c *scene) presentations(t *testing.T) (all []presentation) {
	t.Helper()
	const people = 10
	who := world.World{}
	for range people {
		p := world.Full()
		p.Ref, p.CVs = p.Email, nil
		who.People = append(who.People, p)
	}
	world.Import(t, c.Stack, who)
	codes, refresh := make([]presentation, manyGrants()), make([]presentation, manyGrants())
	each(t, people, func(i int) error {
		p := person.New(who.People[i].Email, who.People[i].Password)
		for n := i; n < manyGrants(); n += people {
			got, err := c.Connect(t.Context(), p)
			if err != nil {
				return err
			}
			refresh[n] = func(ctx context.Context, edge int) (partner.Response, error) {
				return c.App(edge).Refresh(ctx, got.Refresh, "")
			}
			r := c.App(0).NewRequest(world.EveryScope)
			back, err := p.Authorize(t.Context(), c.App(0).URL(r), person.Choice{})
			if err != nil {
				return err
			}
			code := back.Query().Get("code")
			codes[n] = func(ctx context.Context, edge int) (partner.Response, error) {
				return c.App(edge).Exchange(ctx, code, r.Verifier)
			}
		}
		return nil
	})
	for n := range manyGrants() {
		all = append(all, codes[n], refresh[n])
	}
	return all
}
