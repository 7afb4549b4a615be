package e2e_test

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"

	"vitae.internal/e2e/internal/stack"
	"vitae.internal/e2e/internal/world"
	"vitae.internal/pkg/errs"
)

// Like those of lifecycle_test.go, the tests of this file kill a system of their
// own, and are not parallel.

// attempt is a create or an application that may have been answered before a kill.
type attempt struct {
	key    string // idempotency key, or person
	answer string // id that was answered; empty if nothing was
}

// busy makes jobs and applications, with keys and people of their own, until they
// are answered no more or ctx ends, and gives every attempt.
func (p platform) busy(ctx context.Context, t testing.TB, company, job string, round int, answered *atomic.Int32) (jobs, applications []attempt) {
	t.Helper()
	calls, edges := intake(t, p.stack), p.edges(p.api)
	var wait sync.WaitGroup
	var mu sync.Mutex
	for worker := range 4 {
		wait.Go(func() {
			for i := 0; ; i++ {
				tried := attempt{key: fmt.Sprintf("round-%d-%d-%d", round, worker, i)}
				a, err := edges[i%len(edges)].CreateJob(ctx, company, world.FullJob(), "Idempotency-Key", tried.key)
				if err == nil && a.Status == http.StatusCreated {
					body, _ := a.JSON()
					tried.answer, _ = at(body, "data", "id").(string)
					answered.Add(1)
				}
				mu.Lock()
				jobs = append(jobs, tried)
				mu.Unlock()
				if tried.answer == "" {
					return // whether this one was made is what the retry finds out
				}
			}
		})
	}
	people := p.world.People[round*crew : (round+1)*crew]
	wait.Go(func() {
		for _, person := range people {
			if ctx.Err() != nil {
				return
			}
			tried := attempt{key: person.Ref}
			if made, err := calls.Apply(ctx, applying(job, p.created.People[person.Ref].ID)); err == nil {
				tried.answer = made.GetApplication().GetApplicationId()
				answered.Add(1)
			}
			applications = append(applications, tried)
		}
	})
	wait.Wait()
	return jobs, applications
}

// crew is how many people may apply in a round.
const crew = 12

// deaths are the ways the rounds end.
var deaths = []struct {
	name string
	kill func(*testing.T, *stack.Stack)
}{
	{"everything", func(t *testing.T, s *stack.Stack) {
		if err := s.Kill(); err != nil {
			t.Fatal(err)
		}
	}},
	{"partnercatalog", func(t *testing.T, s *stack.Stack) { kill(t, s, "partnercatalog") }},
	{"candidate", func(t *testing.T, s *stack.Stack) { kill(t, s, "candidate") }},
}

func TestKillingTheSystemLosesNoAnsweredJobOrApplicationAndDoublesNone(t *testing.T) {
	var w world.World
	for i := range crew * len(deaths) {
		person := world.Bare()
		person.Ref = fmt.Sprint("p", i)
		person.Profile = &world.Content{Summary: "Applies."}
		w.People = append(w.People, person)
	}
	s := start(t, "kill-partner-api")
	p := platformOn(t, s, w)
	company := p.company(t)
	target := p.job(t, company, world.Live())["id"].(string)
	tries, applied := []attempt{}, map[string]bool{}
	for round, death := range deaths {
		ctx, stop := context.WithCancel(t.Context())
		var answered atomic.Int32
		var jobs, applications []attempt
		var wait sync.WaitGroup
		wait.Go(func() { jobs, applications = p.busy(ctx, t, company, target, round, &answered) })
		await(t, "some answers before the kill", func(context.Context) error {
			if n := answered.Load(); n < 10 {
				return fmt.Errorf("%d answers", n)
			}
			return nil
		})
		death.kill(t, s)
		stop()
		wait.Wait()
		begin(t, s)

		tries = append(tries, jobs...)
		p.retryJobs(t, company, tries)
		p.retryApplications(t, target, applications, applied)
		if _, total := listed(t, must(p.api.Candidates(t.Context(), target, ""))(t)); total != len(applied) {
			t.Errorf("after kill -9 of %s: %d applications, want %d", death.name, total, len(applied))
		}
		p.count(t, target, len(applied))
	}
}

// retryJobs repeats every create at the second replica: those that were answered
// give the same job, and there is one job for each key.
func (p platform) retryJobs(t *testing.T, company string, tries []attempt) {
	t.Helper()
	ids := map[string]bool{}
	for i, tried := range tries {
		a := must(p.edges(p.api)[1].CreateJob(t.Context(), company, world.FullJob(), "Idempotency-Key", tried.key))(t)
		id, _ := created(t, a)["id"].(string)
		if tried.answer != "" && (id != tried.answer || a.Header.Get("Idempotent-Replayed") != "true") {
			t.Errorf("%s was answered with %s, and gives %s now", tried.key, tried.answer, id)
		}
		tries[i].answer, ids[id] = id, true
	}
	if n := p.jobCount(t, company); n != len(ids)+1 || len(ids) != len(tries) {
		t.Errorf("%d keys gave %d jobs, and there are %d with the one that people apply for", len(tries), len(ids), n)
	}
}

// retryApplications repeats those applications that were not answered: each is
// there once in the end.
func (p platform) retryApplications(t *testing.T, job string, tries []attempt, applied map[string]bool) {
	t.Helper()
	calls := intake(t, p.stack)
	for _, tried := range tries {
		applied[tried.key] = true
		if tried.answer != "" {
			success(t, must(p.api.Candidate(t.Context(), tried.answer))(t))
			continue
		}
		// candidate may have looked for partnercatalog before that listened, to deliver
		// what the kill left undelivered; it says that it cannot answer now until it
		// looks again, within a second or so (docs/operations.md).
		await(t, tried.key+" applies again", func(ctx context.Context) error {
			_, err := calls.Apply(ctx, applying(job, p.created.People[tried.key].ID))
			switch {
			case err == nil, alreadyApplied(err):
				return nil
			case errs.KindOf(err) != errs.Unavailable:
				t.Fatalf("%s applies again: %v", tried.key, err)
			}
			return err
		})
	}
}

func alreadyApplied(err error) bool {
	e, ok := errs.As(err)
	return ok && e.Code == "ALREADY_APPLIED"
}
