package postgres_test

import (
	"context"
	"io/fs"
	"os"
	"testing"
	"testing/fstest"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	pkgpostgres "vitae.internal/pkg/postgres"
	"vitae.internal/pkg/testkit"
	"vitae.internal/services/candidate/internal/application"
	"vitae.internal/services/candidate/internal/postgres"
)

// before gives the migrations up to the one of the name, without it.
func before(t *testing.T, name string) fs.FS {
	t.Helper()
	entries, err := os.ReadDir("migrations")
	if err != nil {
		t.Fatal(err)
	}
	earlier := fstest.MapFS{}
	for _, e := range entries { // sorted by name
		if e.Name() == name {
			return earlier
		}
		raw, err := os.ReadFile("migrations/" + e.Name())
		if err != nil {
			t.Fatal(err)
		}
		earlier[e.Name()] = &fstest.MapFile{Data: raw}
	}
	t.Fatalf("no migration %s", name)
	return nil
}

func TestApplicationsFromBeforeTheNarrowSearchAreFound(t *testing.T) {
	t.Parallel()
	earlier := before(t, "00004_narrow_search.sql")
	url := testkit.Database(t, "candidate before the narrow search", func(ctx context.Context, url string) error {
		return pkgpostgres.Migrate(ctx, url, earlier)
	})
	pool, err := pkgpostgres.Open(t.Context(), pkgpostgres.Config{URL: url, MaxConns: 2})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	wide(t, pool, "apl_2", "job_1", "usr_1", "reviewed")
	wide(t, pool, "apl_1", "job_2", "usr_1", "applied")
	wide(t, pool, "apl_3", "job_1", "usr_2", "applied")
	if err := postgres.Migrate(t.Context(), url); err != nil {
		t.Fatal(err)
	}
	pool.Reset() // statements of the old tables
	consistent(t, pool)
	s, err := postgres.New(pool)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		f    application.Filter
		want string
	}{
		{application.Filter{JobID: "job_1", Query: "usr_1"}, "apl_2"},
		{application.Filter{JobID: "job_1", Query: "usr_1", Status: application.Reviewed}, "apl_2"},
		{application.Filter{JobID: "job_2", Query: "usr_"}, "apl_1"},
		{application.Filter{JobID: "job_1", Query: "r_2"}, "apl_3"},
	} {
		if got := all(t, s, c.f); got.Total != 1 || len(got.Rows) != 1 || got.Rows[0].ID != c.want {
			t.Errorf("%+v: %+v", c.f, got)
		}
	}
	// What comes now joins what was there.
	add(t, s, "usr_3", "sara")
	apply(t, s, applying("usr_3", "job_1", start))
	apply(t, s, applying("usr_3", "job_3", start))
	if got := all(t, s, application.Filter{JobID: "job_1", Query: "main cv"}); got.Total != 3 {
		t.Errorf("%d of 3 are found", got.Total)
	}
	consistent(t, pool)
}

// wide puts an application there in the tables of before.
func wide(t *testing.T, pool *pgxpool.Pool, id, jobID, personID, status string) {
	t.Helper()
	for _, statement := range []string{
		`INSERT INTO profiles SELECT @person, @person || '@example.com', true, @person, '', '', '', '', false, false, false,
			'', '', '', '', '', '', '', '', '', '', '{"v":1}', true, 0, @at, @at ON CONFLICT DO NOTHING`,
		`INSERT INTO applications VALUES (@id, @job, 'com_1', 'app_1', @person, @status, @at, @at, '', '{"v":1}',
			ARRAY[@status::text], ARRAY[@at::timestamptz], 'master', 'Main CV', @at)`,
		`INSERT INTO submissions VALUES (@id, '', @at, '{"v":1}')`,
		`INSERT INTO application_search VALUES (@id, @job, @person, @status, @at, @person || E'\n' || @person || E'@example.com\nmain cv')`,
		`INSERT INTO application_totals SELECT @job, unnest(ARRAY['', @status]), 1
			ON CONFLICT (job_id, status) DO UPDATE SET count = application_totals.count + 1`,
		`INSERT INTO application_counts SELECT @job, unnest(ARRAY['', @status]), date_trunc('hour', @at::timestamptz, 'UTC'), 1
			ON CONFLICT (job_id, status, hour) DO UPDATE SET count = application_counts.count + 1`,
	} {
		args := pgx.NamedArgs{"id": id, "job": jobID, "person": personID, "status": status, "at": start.Truncate(time.Millisecond)}
		if _, err := pool.Exec(t.Context(), statement, args); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}
