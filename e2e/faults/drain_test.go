package faults_test

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"vitae.internal/e2e/employer"
	"vitae.internal/e2e/partner"
	"vitae.internal/e2e/stack"
	"vitae.internal/e2e/world"
)

// underWay is how many requests have begun when a part is asked to end. It is
// fewer than the connections of a service to its database.
const underWay = 6

// A lock holds requests inside the service until the part that serves them has been
// asked to end, so that they have begun for sure.
func TestAPartThatIsAskedToEndAnswersEveryRequestThatHasBegun(t *testing.T) {
	s := newSystem(t)
	made := world.Import(t, s.Stack, world.World{Developers: []world.Developer{world.Platform()}})
	for _, name := range []string{"edge1", "partnercatalog"} {
		t.Run(name, func(t *testing.T) {
			api := employer.Client{BaseURL: s.BaseURLs[0], Key: made.APIKeys["ats-key"].Key}
			unlock := s.lockCompanies(t)
			answers, faults := make([]partner.Answer, underWay), make([]error, underWay)
			var wait sync.WaitGroup
			for i := range underWay {
				wait.Go(func() { answers[i], faults[i] = api.CreateCompany(t.Context(), world.Company()) })
			}
			s.awaitLocked(t, underWay)
			p := s.parts[name]
			if err := p.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			s.awaitClosed(t, name)
			unlock()
			wait.Wait()
			for i, a := range answers {
				if faults[i] != nil || a.Status != http.StatusCreated {
					t.Errorf("a request that had begun: %s, %v", a, faults[i])
				}
			}
			if err := p.Err(); err != nil {
				t.Errorf("%s ended with %v", name, err)
			}
			s.start(t, name)
			s.awaitReady(t, name)
		})
	}
}

// lockCompanies lets nobody write a company until what it gives is called.
func (s *system) lockCompanies(t *testing.T) (unlock func()) {
	t.Helper()
	conn := must(pgx.Connect(t.Context(), s.pg.URL("partnercatalog")))(t)
	tx := must(conn.Begin(t.Context()))(t)
	must(tx.Exec(t.Context(), "LOCK TABLE companies IN SHARE MODE"))(t)
	unlock = sync.OnceFunc(func() { _ = conn.Close(context.Background()) })
	t.Cleanup(unlock)
	return unlock
}

// awaitLocked waits until n writes wait for the lock.
func (s *system) awaitLocked(t *testing.T, n int) {
	t.Helper()
	conn := must(pgx.Connect(t.Context(), s.pg.URL("partnercatalog")))(t)
	defer conn.Close(t.Context())
	eventually(t, "requests under way", func(ctx context.Context) error {
		var waiting int
		err := conn.QueryRow(ctx, "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'").Scan(&waiting)
		if err == nil && waiting < n {
			err = fmt.Errorf("%d of %d", waiting, n)
		}
		return err
	})
}

// awaitClosed waits until a part takes no new request: it has heard.
func (s *system) awaitClosed(t *testing.T, name string) {
	t.Helper()
	eventually(t, "end of "+name, func(ctx context.Context) error {
		if s.listens(ctx, name) {
			return fmt.Errorf("%s still listens", name)
		}
		return nil
	})
}

// patience is for what follows soon; it says nothing of how soon it should.
const patience = 30 * time.Second

func eventually(t testing.TB, what string, condition func(context.Context) error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := stack.Until(ctx, what, condition); err != nil {
		t.Error(err)
	}
}
