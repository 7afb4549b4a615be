package postgres_test

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"vitae.internal/services/candidate/internal/application"
	"vitae.internal/services/candidate/internal/profile"
)

// waits blocks until n statements on the test's database are waiting for a lock, or until done is
// closed.
func waits(t *testing.T, pool *pgxpool.Pool, n int, done <-chan struct{}) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	never := time.After(time.Minute)
	for {
		var waiting int
		err := pool.QueryRow(t.Context(),
			"SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'").Scan(&waiting)
		if err != nil {
			t.Fatal(err)
		}
		if waiting >= n {
			return
		}
		select {
		case <-tick.C:
		case <-done:
			return
		case <-never:
			t.Fatalf("%d statements are waiting for a lock, want %d", waiting, n)
		}
	}
}

// The person is renamed after the transaction has read the name, but before it stores the
// application.
func TestRenameDuringApplyUpdatesSearch(t *testing.T) {
	t.Parallel()
	s, pool := open(t)
	p := add(t, s, "usr_1", "sara")
	tx, err := pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback(t.Context())
	// This insert blocks the application until this transaction ends.
	if _, err := tx.Exec(t.Context(), "INSERT INTO job_numbers (job_id) VALUES ('job_1')"); err != nil {
		t.Fatal(err)
	}
	applied, renamed := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(applied)
		if _, err := s.Applications.Apply(t.Context(), applying("usr_1", "job_1", start)); err != nil {
			t.Error(err)
		}
	}()
	waits(t, pool, 1, nil)
	p.Name = "Another name"
	go func() {
		defer close(renamed)
		if _, err := s.Profiles.UpdateProfile(t.Context(), p, []profile.Field{profile.FieldName}); err != nil {
			t.Error(err)
		}
	}()
	waits(t, pool, 2, renamed)
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	<-applied
	<-renamed
	var text string
	if err := pool.QueryRow(t.Context(), "SELECT search_text FROM application_search").Scan(&text); err != nil {
		t.Fatal(err)
	}
	if want := application.SearchText(p.Name, p.Email, profile.MainCvTitle); text != want {
		t.Errorf("the application's search text is %q, want %q", text, want)
	}
}
