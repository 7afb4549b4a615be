package postgres_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/jackc/pgx/v5"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/postgres"
	"vitae.internal/pkg/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

var migrations = fstest.MapFS{
	"0001_first.sql": {Data: []byte("-- +goose Up\nCREATE TABLE t (id int CONSTRAINT t_pkey PRIMARY KEY);\n")},
}

func migrate(ctx context.Context, url string) error { return postgres.Migrate(ctx, url, migrations) }

func TestReplicasMigrateConcurrently(t *testing.T) {
	url := testkit.Database(t, "empty", func(context.Context, string) error { return nil })
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if err := migrate(context.Background(), url); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

func TestStoppedServerIsUnavailable(t *testing.T) {
	server := testkit.PrivatePostgres(t)
	pool, err := postgres.Open(t.Context(), postgres.Config{URL: server.URL("postgres"), MaxConns: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	ask := func() error {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		var one int
		return pool.QueryRow(ctx, "SELECT 1").Scan(&one)
	}
	if err := ask(); err != nil {
		t.Fatal(err)
	}
	server.Kill()
	for range 3 { // the first use of each pooled connection fails differently from the next dial
		if err := ask(); errs.KindOf(postgres.Unavailable(err)) != errs.Unavailable {
			t.Errorf("the stopped server: %v", err)
		}
	}
	if err := server.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(10 * time.Second)
	for ask() != nil {
		if time.Now().After(deadline) {
			t.Fatal("the pool did not recover")
		}
	}
}

func TestOtherErrorsAreReturnedUnchanged(t *testing.T) {
	url := testkit.Database(t, "one table", migrate)
	pool, err := postgres.Open(t.Context(), postgres.Config{URL: url, MaxConns: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	var id int
	none := pool.QueryRow(t.Context(), "SELECT id FROM t").Scan(&id)
	if !errors.Is(postgres.Unavailable(none), pgx.ErrNoRows) {
		t.Errorf("no rows became %v", postgres.Unavailable(none))
	}
	if _, err := pool.Exec(t.Context(), "INSERT INTO t VALUES (1)"); err != nil {
		t.Fatal(err)
	}
	_, twice := pool.Exec(t.Context(), "INSERT INTO t VALUES (1)")
	if !postgres.IsUnique(postgres.Unavailable(twice), "t_pkey") || postgres.IsUnique(twice, "other") {
		t.Errorf("a unique violation became %v", twice)
	}
}

func TestMalformedURLIsNotPrinted(t *testing.T) {
	const url = "postgres://user:hunter2@host:not-a-port/db"
	if _, err := postgres.Open(t.Context(), postgres.Config{URL: url}); err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("Open: %v", err)
	}
	if err := migrate(t.Context(), url); err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("Migrate: %v", err)
	}
}

func TestDeadlockedMigrationIsRepeated(t *testing.T) {
	deadlocks := func(times string) fstest.MapFS {
		// A sequence keeps its value when a transaction is rolled back.
		return fstest.MapFS{
			"0001_tries.sql": {Data: []byte("-- +goose Up\nCREATE SEQUENCE tries;\n")},
			"0002_second.sql": {Data: []byte("-- +goose Up\nCREATE TABLE made (n int);\n-- +goose StatementBegin\n" +
				"DO $$ BEGIN IF nextval('tries') <= " + times + " THEN RAISE 'deadlock detected' USING ERRCODE = '40P01'; END IF; END $$;\n-- +goose StatementEnd\n")},
		}
	}
	url := testkit.Database(t, "empty", func(context.Context, string) error { return nil })
	if err := postgres.Migrate(t.Context(), url, deadlocks("3")); err != nil {
		t.Errorf("after three deadlocks: %v", err)
	}
	url = testkit.Database(t, "empty", func(context.Context, string) error { return nil })
	if err := postgres.Migrate(t.Context(), url, deadlocks("1000")); err == nil {
		t.Error("a migration that always deadlocks was reported as applied")
	}
}
