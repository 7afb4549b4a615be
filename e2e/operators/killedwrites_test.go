package operators_test

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/stack"
	"vitae.internal/e2e/internal/suite"
	"vitae.internal/e2e/internal/world"
	"vitae.internal/pkg/errs"
)

// attempt is a create or an application that may have been answered before a kill.
type attempt struct {
	key    string // the idempotency key of a job, or the ref of the person who applies
	answer string // the id in the answer; empty without an answer
}

// busy creates jobs and applications, each with its own key or person, until they are no longer
// answered or ctx ends. It returns every attempt, and counts the answers.
func busy(ctx context.Context, t testing.TB, p scene.Platform, company, job string, round int, answered *atomic.Int32) (jobs, applications []attempt) {
	t.Helper()
	calls, edges := scene.Intake(t, p.Stack), p.Edges(p.API)
	var wait sync.WaitGroup
	var mu sync.Mutex
	for worker := range 4 {
		wait.Go(func() {
			for i := 0; ; i++ {
				tried := attempt{key: fmt.Sprintf("round-%d-%d-%d", round, worker, i)}
				a, err := edges[i%len(edges)].CreateJob(ctx, company, world.FullJob(), "Idempotency-Key", tried.key)
				if err == nil && a.Status == http.StatusCreated {
					body, _ := a.JSON()
					tried.answer, _ = expect.At(body, "data", "id").(string)
					answered.Add(1)
				}
				mu.Lock()
				jobs = append(jobs, tried)
				mu.Unlock()
				if tried.answer == "" {
					return // retryJobs finds out whether this job was made
				}
			}
		})
	}
	people := p.World.People[round*crew : (round+1)*crew]
	wait.Go(func() {
		for _, person := range people {
			if ctx.Err() != nil {
				return
			}
			tried := attempt{key: person.Ref}
			if made, err := calls.Apply(ctx, scene.Applying(job, p.Created.People[person.Ref].ID)); err == nil {
				tried.answer = made.GetApplication().GetApplicationId()
				answered.Add(1)
			}
			applications = append(applications, tried)
		}
	})
	wait.Wait()
	return jobs, applications
}

// crew is how many people apply in a round.
const crew = 12

// deaths are what is killed at the end of each round.
var deaths = []struct {
	name string
	kill func(*testing.T, *stack.Stack)
}{
	{"everything", func(t *testing.T, s *stack.Stack) {
		if err := s.Kill(); err != nil {
			t.Fatal(err)
		}
	}},
	{"partnercatalog", killed("partnercatalog")},
	{"candidate", killed("candidate")},
	{"auth", killed("auth")},
	{"cvrender", killed("cvrender")},
}

func killed(part string) func(*testing.T, *stack.Stack) {
	return func(t *testing.T, s *stack.Stack) { kill(t, s, part) }
}

// killParts leaves the gateway to killGateway.
func killParts(t *testing.T) {
	var w world.World
	for i := range crew * len(deaths) {
		person := world.Bare()
		person.Ref = fmt.Sprint("p", i)
		person.Profile = &world.Content{Summary: "Applies."}
		w.People = append(w.People, person)
	}
	s := whole(t)
	p := scene.NewPlatform(t, w)
	company := p.Company(t)
	target := p.Job(t, company, world.Live())["id"].(string)
	tries, applied := []attempt{}, map[string]bool{}
	for round, death := range deaths {
		v := newSurvivor(t, death.name)
		ctx, stop := context.WithCancel(t.Context())
		var answered atomic.Int32
		var jobs, applications []attempt
		var wait sync.WaitGroup
		wait.Go(func() { jobs, applications = busy(ctx, t, p, company, target, round, &answered) })
		expect.Eventually(t, "some answers before the kill", func(context.Context) error {
			if n := answered.Load(); n < 10 {
				return fmt.Errorf("%d answers", n)
			}
			return nil
		})
		death.kill(t, s)
		stop()
		wait.Wait()
		suite.Begin(t, s)
		v.whole(t)

		tries = append(tries, jobs...)
		retryJobs(t, p, company, tries)
		retryApplications(t, p, target, applications, applied)
		if _, total := expect.Listed(t, expect.Must(p.API.Candidates(t.Context(), target, ""))(t)); total != len(applied) {
			t.Errorf("after kill -9 of %s: %d applications, want %d", death.name, total, len(applied))
		}
		p.AwaitApplications(t, target, len(applied))
	}
}

// retryJobs repeats every create at the second replica. It asserts that an answered create
// returns the same job again, and that there is one job for each key.
func retryJobs(t *testing.T, p scene.Platform, company string, tries []attempt) {
	t.Helper()
	ids := map[string]bool{}
	for i, tried := range tries {
		a := expect.Must(p.Edges(p.API)[1].CreateJob(t.Context(), company, world.FullJob(), "Idempotency-Key", tried.key))(t)
		id, _ := expect.Created(t, a)["id"].(string)
		if tried.answer != "" && (id != tried.answer || a.Header.Get("Idempotent-Replayed") != "true") {
			t.Errorf("%s was answered with %s, and gives %s now", tried.key, tried.answer, id)
		}
		tries[i].answer, ids[id] = id, true
	}
	if n := p.JobCount(t, company); n != len(ids)+1 || len(ids) != len(tries) {
		t.Errorf("%d keys gave %d jobs, and there are %d with the one that people apply for", len(tries), len(ids), n)
	}
}

// retryApplications repeats the applications that were not answered, and asserts that
// those that were answered exist.
func retryApplications(t *testing.T, p scene.Platform, job string, tries []attempt, applied map[string]bool) {
	t.Helper()
	calls := scene.Intake(t, p.Stack)
	for _, tried := range tries {
		applied[tried.key] = true
		if tried.answer != "" {
			expect.Success(t, expect.Must(p.API.Candidate(t.Context(), tried.answer))(t))
			continue
		}
		// After the restart, candidate may have tried to reach partnercatalog before that listened.
		// Until its next attempt, within about a second, it refuses applications as unavailable
		// (docs/operations.md).
		expect.Eventually(t, tried.key+" applies again", func(ctx context.Context) error {
			_, err := calls.Apply(ctx, scene.Applying(job, p.Created.People[tried.key].ID))
			switch {
			case err == nil, scene.AlreadyApplied(err):
				return nil
			case errs.KindOf(err) != errs.Unavailable:
				t.Fatalf("%s applies again: %v", tried.key, err)
			}
			return err
		})
	}
}
