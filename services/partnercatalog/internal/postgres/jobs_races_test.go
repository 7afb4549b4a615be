package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"vitae.internal/services/partnercatalog/internal/job"
)

func TestOnlyOneConcurrentCloseSucceeds(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	made := o.create("live", "", role("Engineer")).Job
	held := o.hold("SELECT FROM jobs WHERE id = $1 FOR UPDATE", made.ID)
	var won atomic.Int32
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			switch _, err := o.Close(context.Background(), "app_1", made.ID); {
			case err == nil:
				won.Add(1)
			case !errors.Is(err, job.ErrNotLive):
				t.Error(err)
			}
		})
	}
	o.untilWaiting(7) // all remaining connections of the pool are waiting
	if err := held.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	wg.Wait()
	if won.Load() != 1 || o.job(made.ID).Status != job.Closed {
		t.Errorf("%d closes succeeded, want 1; the job's status is %s", won.Load(), o.job(made.ID).Status)
	}
}

// hold runs a statement in a transaction, which the caller must commit or roll back.
func (o *office) hold(sql string, args ...any) pgx.Tx {
	o.Helper()
	tx, err := o.pool.Begin(o.Context())
	if err != nil {
		o.Fatal(err)
	}
	if _, err := tx.Exec(o.Context(), sql, args...); err != nil {
		o.Fatal(err)
	}
	return tx
}

// untilWaiting returns once n transactions in the database are waiting for a lock.
func (o *office) untilWaiting(n int) {
	o.Helper()
	conn, err := pgx.Connect(o.Context(), o.pool.Config().ConnString())
	if err != nil {
		o.Fatal(err)
	}
	defer conn.Close(context.Background())
	for waiting := 0; waiting < n; {
		if err := conn.QueryRow(o.Context(), `SELECT count(*) FROM pg_stat_activity
			WHERE datname = current_database() AND wait_event_type = 'Lock'`).Scan(&waiting); err != nil {
			o.Fatal(err)
		}
	}
}

func TestRepeatedKeyWaitsForFirstAttempt(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		end     func(pgx.Tx) error
		replays bool
	}{
		"committed":   {func(tx pgx.Tx) error { return tx.Commit(t.Context()) }, true},
		"rolled back": {func(tx pgx.Tx) error { return tx.Rollback(t.Context()) }, false},
	} {
		o := openOffice(t)
		first := o.create("draft", "", role("First")).Job
		held := o.hold("INSERT INTO job_keys VALUES ($1, 'k', $2, $3)", o.company, first.ID, start)
		response := make(chan job.Created, 1)
		go func() {
			defer close(response)
			created, err := o.Create(context.Background(), job.New{AppID: "app_1", CompanyID: o.company, Key: "k", Input: role("Second")})
			if err != nil {
				t.Error(err)
			}
			response <- created
		}()
		o.untilWaiting(1)
		if err := tc.end(held); err != nil {
			t.Fatal(err)
		}
		got := <-response
		if got.Replayed != tc.replays || tc.replays != (got.Job.ID == first.ID) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// TestLiveJobAlwaysMeetsContract publishes and closes a job while other workers remove and restore
// its title.
func TestLiveJobAlwaysMeetsContract(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	made := o.create("draft", "", role("Engineer")).Job
	ctx := t.Context()
	acts := []func() error{
		func() error { _, err := o.Publish(ctx, "app_1", made.ID); return err },
		func() error { _, err := o.Close(ctx, "app_1", made.ID); return err },
		func() error {
			_, err := o.Update(ctx, "app_1", made.ID, role(""), []job.Section{job.SectionBasics})
			return err
		},
		func() error {
			_, err := o.Update(ctx, "app_1", made.ID, role("Engineer"), []job.Section{job.SectionBasics})
			return err
		},
	}
	var done [4]atomic.Int32
	var wg sync.WaitGroup
	for worker := range 8 {
		wg.Go(func() {
			for i := range 60 {
				kind := (worker + i) % len(acts)
				if acts[kind]() == nil {
					done[kind].Add(1)
				}
				found, err := o.Job(ctx, "app_1", made.ID)
				if err != nil {
					t.Error(err)
				} else if found.Status == job.Active && found.Basics.Title == "" {
					t.Error("the job is live without a title")
				}
			}
		})
	}
	wg.Wait()
	for kind := range done {
		if done[kind].Load() == 0 {
			t.Errorf("action %d never succeeded", kind)
		}
	}
}

func TestApplicationCountsOnlyIncrease(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	var ids []string
	for i := range 5 {
		ids = append(ids, o.create("live", "", role(fmt.Sprint("Job ", i))).Job.ID)
	}
	before := o.job(ids[0])
	o.clock.Advance(time.Hour)
	var wg sync.WaitGroup
	for worker := range 8 {
		wg.Go(func() {
			for i := range 40 {
				counts := map[string]int32{"job_unknown": 1, "job_\x00": 1}
				for k, id := range ids {
					counts[id] = int32((worker*7+i*3+k)%50 + 1)
				}
				counts[ids[worker%5]] = 50
				if err := o.RecordApplications(context.Background(), counts); err != nil {
					t.Error(err)
				}
			}
		})
		wg.Go(func() { // edits must not undo counts
			for range 10 {
				if _, err := o.Update(t.Context(), "app_1", ids[4], role("Edited"), []job.Section{job.SectionBasics}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	for _, id := range ids {
		if n := o.job(id).Applications; n != 50 {
			t.Errorf("%d applications, want 50, the highest count", n)
		}
	}
	if err := o.RecordApplications(t.Context(), map[string]int32{ids[0]: 49}); err != nil || o.job(ids[0]).Applications != 50 {
		t.Errorf("a lower count was recorded: %v", err)
	}
	if after := o.job(ids[0]); !after.UpdatedAt.Equal(before.UpdatedAt) {
		t.Errorf("recording applications changed updatedAt from %v to %v", before.UpdatedAt, after.UpdatedAt)
	}
}

func TestJobCountsStayExact(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	companies := []string{o.company, add(t, o.store, employer("app_1", "other")).ID}
	var wg sync.WaitGroup
	for worker := range 8 {
		wg.Go(func() {
			for i := range 15 {
				created, err := o.Create(context.Background(), job.New{AppID: "app_1", CompanyID: companies[(worker+i)%2], SaveAs: "live", Input: role("X")})
				if err != nil {
					t.Error(err)
					return
				}
				moves := []func(context.Context, string, string) (job.Job, error){o.Close, o.Archive}
				for _, move := range moves[:i%3] {
					if _, err := move(context.Background(), "app_1", created.Job.ID); err != nil {
						t.Error(err)
					}
				}
				o.clock.Advance(7 * time.Minute)
			}
		})
	}
	wg.Wait()
	o.countsAreExact()
}

// countsAreExact compares job_counts with the rows in jobs.
func (o *office) countsAreExact() {
	o.Helper()
	if n := o.count(`
		WITH counted AS (
			SELECT company_id, span, status, start, count(*) FROM jobs, LATERAL (VALUES ('all', '-infinity'::timestamptz),
				('month', date_trunc('month', created_at, 'UTC')), ('hour', date_trunc('hour', created_at, 'UTC'))) AS spans (span, start)
			GROUP BY company_id, span, status, start)
		SELECT count(*) FROM counted FULL JOIN job_counts kept USING (company_id, span, status, start)
		WHERE coalesce(counted.count, 0) <> coalesce(kept.count, 0)`); n != 0 {
		o.Errorf("%d counts differ from the number of rows", n)
	}
}
