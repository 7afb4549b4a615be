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

// manyGrants is how many codes, and how many refresh tokens, are presented at once: far more
// than auth has connections to its database.
func manyGrants() int {
	if long() {
		return 100
	}
	return 20
}

const (
	// poolOfAuth is how many statements auth can have in progress in Postgres. No more of them
	// can have committed when the freeze began.
	poolOfAuth = 10
)

// lateness is a time at which Postgres freezes.
type lateness struct {
	name string
	// under means that Postgres freezes while it handles the requests. Some of them may then
	// have committed without an answer.
	under bool
	short bool
}

func latenesses() []lateness {
	return []lateness{{"frozen before the requests", false, true}, {"frozen under the requests", true, false}}
}

func TestWhatWasRefusedForLatenessDoesNotHappenLater(t *testing.T) {
	s := newSystem(t)
	for _, l := range latenesses() {
		if l.short || long() {
			t.Run(l.name, func(t *testing.T) { lateRound(t, s, l) })
		}
	}
}

// presentation presents a code or a refresh token once.
type presentation func(ctx context.Context, edge int) (partner.Response, error)

// lateRound presents grants to a Postgres that is frozen, and again once it is thawed.
func lateRound(t *testing.T, s *system, l lateness) {
	all := newScene(t, s, fault{}).presentations(t)
	var answered atomic.Int32
	answers := make([]partner.Response, len(all))
	freeze := func() {
		if err := s.pg.Freeze(); err != nil {
			t.Error(err)
		}
	}
	if !l.under {
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
			answers[i] = a
			if l.under && answered.Add(1) == poolOfAuth {
				once.Do(freeze)
			}
		})
	}
	requests.Wait()
	if err := s.pg.Thaw(); err != nil {
		t.Fatal(err)
	}
	inTime, again, lost := secondTries(t, all, answers)
	t.Logf("%d of %d were answered in time; %d were answered 503, and %d of these had committed in the last instant", inTime, len(all), again, lost)
	most := 0
	if l.under {
		most = poolOfAuth
	}
	if lost > most || again == 0 {
		t.Errorf("%d of %d second tries failed, at most %d may", lost, again, most)
	}
}

// secondTries presents again what was answered 503. It returns how many were answered in
// time at first, how many again, and how many of these had been redeemed all the same.
func secondTries(t *testing.T, all []presentation, answers []partner.Response) (inTime, again, lost int) {
	t.Helper()
	for i, present := range all {
		switch answers[i].Status {
		case http.StatusOK:
			inTime++
			continue
		case http.StatusServiceUnavailable:
		default:
			t.Errorf("grant %d: %s", i, answers[i])
			continue
		}
		var second partner.Response
		expect.Eventually(t, "an answer to the second try", func(ctx context.Context) (err error) {
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

// presentations are those of codes and refresh tokens, in turn.
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
