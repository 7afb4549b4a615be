package postgres_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"vitae.internal/pkg/postgres"
	"vitae.internal/pkg/testkit"
)

func TestPoolWorksThroughPgBouncer(t *testing.T) {
	server := testkit.PrivatePostgres(t)
	through := func() postgres.Config {
		return postgres.Config{URL: testkit.PgBouncer(t, server).URL("postgres"), MigrationURL: server.URL("postgres"), Pooled: true, MaxConns: 30}
	}
	config := through()
	if err := config.Check(); err != nil {
		t.Fatal(err)
	}
	if _, err := postgres.Open(t.Context(), config); err == nil || !strings.Contains(err.Error(), "ALTER ROLE") {
		t.Fatalf("a role without timeouts: %v", err)
	}
	admin, err := pgx.Connect(t.Context(), server.URL("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer admin.Close(context.WithoutCancel(t.Context()))
	for _, sql := range []string{
		"ALTER ROLE vitae SET statement_timeout = '15s'", "ALTER ROLE vitae SET idle_in_transaction_session_timeout = '15s'",
		"CREATE TABLE t (id int PRIMARY KEY, words text[], at timestamptz)",
	} {
		if _, err := admin.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	config = through() // connections of the first pooler were opened before the role had its settings
	pool, err := postgres.Open(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	// Use more clients than PgBouncer has connections, each with the same statements.
	const clients, each = 30, 20
	openOneByOne(t, pool, clients)
	var group sync.WaitGroup
	for c := range clients {
		group.Go(func() {
			for i := range each {
				if err := insert(t.Context(), pool, c*each+i); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	group.Wait()
	var n int
	if err := pool.QueryRow(t.Context(), "SELECT count(*) FROM t WHERE words[1] = $1", "a").Scan(&n); err != nil || n != clients*each {
		t.Errorf("%d rows, %v", n, err)
	}
}

// openOneByOne opens the connections of a pool one after another: on a busy machine, a single process cannot
// authenticate all of them at once before they time out.
func openOneByOne(t *testing.T, pool *pgxpool.Pool, n int) {
	t.Helper()
	for range n {
		c, err := pool.Acquire(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Release()
	}
}

// insert runs a transaction whose parameters and results are not text.
func insert(ctx context.Context, begin interface {
	Begin(context.Context) (pgx.Tx, error)
}, id int,
) error {
	return pgx.BeginFunc(ctx, begin, func(tx pgx.Tx) error {
		var got []string
		err := tx.QueryRow(ctx, "INSERT INTO t VALUES ($1, $2, now()) RETURNING words", id, []string{"a", "b"}).Scan(&got)
		if err == nil && len(got) != 2 {
			err = fmt.Errorf("got %q", got)
		}
		return err
	})
}

func TestPoolerRequiresMigrationURL(t *testing.T) {
	if err := (postgres.Config{URL: "postgres://pooler", Pooled: true, MaxConns: 1}).Check(); err == nil {
		t.Error("a configuration without a migration URL was accepted")
	}
}
