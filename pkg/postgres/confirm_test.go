package postgres_test

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/postgres"
	"vitae.internal/pkg/testkit"
)

// Confirm is needed because the row is visible before any standby has it.
func TestConfirmWaitsForStandbys(t *testing.T) {
	server := testkit.PrivatePostgres(t)
	admin, err := pgx.Connect(t.Context(), server.URL("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer admin.Close(context.WithoutCancel(t.Context()))
	do := func(sql string) {
		t.Helper()
		if _, err := admin.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	standbys := func(names string) {
		t.Helper()
		do("ALTER SYSTEM SET synchronous_standby_names = '" + names + "'")
		do("SELECT pg_reload_conf()")
	}
	pool, err := postgres.Open(t.Context(), postgres.Config{URL: server.URL("postgres"), MaxConns: 3})
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	do("CREATE TABLE kept (n int)")
	if err := postgres.Confirm(t.Context(), pool); err != nil {
		t.Fatalf("without standbys: %v", err)
	}
	standbys("one_that_is_away")
	// Each attempt leaves a row, including attempts before the setting takes effect.
	for refused := false; !refused; {
		ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
		_, err := pool.Exec(ctx, "INSERT INTO kept VALUES (1)")
		cancel()
		refused = err != nil
	}
	var rows int
	for rows == 0 { // Postgres stops waiting shortly after the client has given up
		if err := pool.QueryRow(t.Context(), "SELECT count(*) FROM kept").Scan(&rows); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if err := postgres.Confirm(ctx, pool); errs.KindOf(err) != errs.Unavailable {
		t.Errorf("%d rows were confirmed although no standby has them: %v", rows, err)
	}
	// The administrator's statements must not wait for standbys.
	do("SET synchronous_commit = local")
	standbys("")
	if err := postgres.Confirm(t.Context(), pool); err != nil {
		t.Error(err)
	}
}
