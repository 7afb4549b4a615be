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

// attempt is the creation of a job or an application, which may have been acknowledged before a kill.
type attempt struct {
	key string // idempotency key of a job, or ref of an applicant
	id  string // id in the response, or "" without a response
}

// busy creates jobs and applications, each with its own key or person, until requests fail or ctx is
// done. It returns every attempt, and counts the acknowledged ones.
func busy(ctx context.Context, t testing.TB, p scene.Platform, company, job string, round int, acknowledged *atomic.Int32) (jobs, applications []attempt) {
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
					tried.id, _ = expect.At(body, "data", "id").(string)
					acknowledged.Add(1)
				}
				mu.Lock()
				jobs = append(jobs, tried)
				mu.Unlock()
				if tried.id == "" {
					return // retryJobs checks whether this job was created
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
				tried.id = made.GetApplication().GetApplicationId()
				acknowledged.Add(1)
			}
			applications = append(applications, tried)
		}
	})
	wait.Wait()
	return jobs, applications
}

// crew is the number of people who apply in a round.
const crew = 12

// kills lists what is killed at the end of each round.
var kills = []struct {
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

func killed(service string) func(*testing.T, *stack.Stack) {
	return func(t *testing.T, s *stack.Stack) { kill(t, s, service) }
}

// killServices kills all services except the gateway, which killGateway kills.
func killServices(t *testing.T) {
	var w world.World
	for i := range crew * len(kills) {
		person := world.Bare()
		person.Ref = fmt.Sprint("p", i)
		person.Profile = &world.Content{Summary: "Applies."}
		w.People = append(w.People, person)
	}
	s := sharedStack(t)
	p := scene.NewPlatform(t, w)
	company := p.Company(t)
	target := p.Job(t, company, world.Live())["id"].(string)
	tries, applied := []attempt{}, map[string]bool{}
	for round, k := range kills {
		v := newSurvivor(t, k.name)
		ctx, stop := context.WithCancel(t.Context())
		var acknowledged atomic.Int32
		var jobs, applications []attempt
		var wait sync.WaitGroup
		wait.Go(func() { jobs, applications = busy(ctx, t, p, company, target, round, &acknowledged) })
		expect.Eventually(t, "some acknowledgements before the kill", func(context.Context) error {
			if n := acknowledged.Load(); n < 10 {
				return fmt.Errorf("%d acknowledgements", n)
			}
			return nil
		})
		k.kill(t, s)
		stop()
		wait.Wait()
		suite.Begin(t, s)
		v.check(t)

		tries = append(tries, jobs...)
		retryJobs(t, p, company, tries)
		retryApplications(t, p, target, applications, applied)
		if _, total := expect.Listed(t, expect.Must(p.API.Candidates(t.Context(), target, ""))(t)); total != len(applied) {
			t.Errorf("after kill -9 of %s: %d applications, want %d", k.name, total, len(applied))
		}
		p.AwaitApplications(t, target, len(applied))
	}
}

// retryJobs repeats every creation on the second replica. It asserts that an acknowledged creation
// returns the same job again, and that there is one job for each key.
func retryJobs(t *testing.T, p scene.Platform, company string, tries []attempt) {
	t.Helper()
	ids := map[string]bool{}
	for i, tried := range tries {
		a := expect.Must(p.Edges(p.API)[1].CreateJob(t.Context(), company, world.FullJob(), "Idempotency-Key", tried.key))(t)
		id, _ := expect.Created(t, a)["id"].(string)
		if tried.id != "" && (id != tried.id || a.Header.Get("Idempotent-Replayed") != "true") {
			t.Errorf("%s returned %s first, and now returns %s", tried.key, tried.id, id)
		}
		tries[i].id, ids[id] = id, true
	}
	if n := p.JobCount(t, company); n != len(ids)+1 || len(ids) != len(tries) {
		t.Errorf("%d keys returned %d jobs, and the list has %d including the job that people apply for", len(tries), len(ids), n)
	}
}

// retryApplications repeats unacknowledged applications, and asserts that acknowledged ones exist.
func retryApplications(t *testing.T, p scene.Platform, job string, tries []attempt, applied map[string]bool) {
	t.Helper()
	calls := scene.Intake(t, p.Stack)
	for _, tried := range tries {
		applied[tried.key] = true
		if tried.id != "" {
			expect.Success(t, expect.Must(p.API.Candidate(t.Context(), tried.id))(t))
			continue
		}
		// After the restart, the candidate service may have tried to connect to partnercatalog before
		// partnercatalog was listening. Until its next attempt, within about a second, it rejects applications
		// as unavailable (docs/operations.md).
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
