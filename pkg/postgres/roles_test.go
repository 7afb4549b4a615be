package postgres_test

import (
	"context"
	"errors"
	"testing"
	"testing/fstest"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"vitae.internal/pkg/postgres"
	"vitae.internal/pkg/testkit"
)

var withLog = fstest.MapFS{
	"0001_first.sql": {Data: []byte("-- +goose Up\nREVOKE ALL ON SCHEMA public FROM PUBLIC;\nCREATE TABLE t (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, n int);\nCREATE TABLE log (n int);\n")},
}

func migrateOwned(ctx context.Context, c postgres.Config) error {
	return c.Migrate(ctx, withLog, "log")
}

func open(t *testing.T, url string) *pgxpool.Pool {
	t.Helper()
	pool, err := postgres.Open(t.Context(), postgres.Config{URL: url, MaxConns: 2})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return pool
}

func TestServiceRoleOnlyAppendsToLog(t *testing.T) {
	c := testkit.OwnedDatabase(t, "two roles", migrateOwned)
	pool := open(t, c.URL)
	for _, sql := range []string{
		"INSERT INTO t (n) VALUES (1)", "UPDATE t SET n = 2", "DELETE FROM t", "INSERT INTO log VALUES (1)", "SELECT * FROM log",
	} {
		if _, err := pool.Exec(t.Context(), sql); err != nil {
			t.Errorf("%s: %v", sql, err)
		}
	}
	for _, sql := range []string{
		"UPDATE log SET n = 2", "DELETE FROM log", "TRUNCATE log", "DROP TABLE log", "ALTER TABLE log ADD m int",
		"TRUNCATE t", "CREATE TABLE mine (n int)", "DELETE FROM goose_db_version",
	} {
		var refused *pgconn.PgError
		if _, err := pool.Exec(t.Context(), sql); !errors.As(err, &refused) || refused.Code != "42501" {
			t.Errorf("%s: %v, want insufficient privilege", sql, err)
		}
	}
	if only, err := postgres.IsAppendOnly(t.Context(), pool, "log"); err != nil || !only {
		t.Errorf("IsAppendOnly for the service's role = %t, %v", only, err)
	}
	if only, err := postgres.IsAppendOnly(t.Context(), pool, "t"); err != nil || only {
		t.Errorf("IsAppendOnly for a different table = %t, %v", only, err)
	}
	if only, err := postgres.IsAppendOnly(t.Context(), open(t, c.MigrationURL), "log"); err != nil || only {
		t.Errorf("IsAppendOnly for the owner = %t, %v", only, err)
	}
}

// A deployment can pass the owner's URL to a separate migration step and withhold it from replicas.
func TestReplicaStartsWithoutOwnerURL(t *testing.T) {
	c := testkit.OwnedDatabase(t, "two roles", migrateOwned)
	if err := c.Migrate(t.Context(), withLog, "log"); err != nil {
		t.Errorf("migrating again: %v", err)
	}
	alone := postgres.Config{URL: c.URL}
	if err := alone.Migrate(t.Context(), withLog, "log"); err != nil {
		t.Errorf("without the owner's URL: %v", err)
	}
	more := fstest.MapFS{"0001_first.sql": withLog["0001_first.sql"], "0002_second.sql": {Data: []byte("-- +goose Up\nCREATE TABLE u (n int);\n")}}
	if err := alone.Migrate(t.Context(), more, "log"); err == nil {
		t.Error("the service's role created a table")
	}
	same := postgres.Config{URL: c.MigrationURL, MigrationURL: c.MigrationURL}
	if err := same.Migrate(t.Context(), withLog, "log"); err == nil {
		t.Error("the same role in both URLs was accepted")
	}
}
