package postgres_test

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"vitae.internal/pkg/postgres"
	"vitae.internal/pkg/testkit"
)

func TestDeadlineFollowsServerClock(t *testing.T) {
	url := testkit.Database(t, "empty", func(context.Context, string) error { return nil })
	for _, ahead := range []string{"0", "1 hour", "-1 hour"} {
		conn, err := pgx.Connect(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close(context.Background())
		for _, sql := range []string{
			"CREATE SCHEMA IF NOT EXISTS skewed",
			"CREATE OR REPLACE FUNCTION skewed.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS $$ SELECT pg_catalog.clock_timestamp() + interval '" + ahead + "' $$",
			"SET search_path = skewed, pg_catalog",
		} {
			if _, err := conn.Exec(t.Context(), sql); err != nil {
				t.Fatal(err)
			}
		}
		now := func() (clock time.Time) {
			t.Helper()
			if err := conn.QueryRow(t.Context(), "SELECT clock_timestamp()").Scan(&clock); err != nil {
				t.Fatal(err)
			}
			return clock
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		deadline, _ := ctx.Deadline()
		for range 2 { // the second call uses the comparison of the first
			begun := now()
			until, err := postgres.Deadline(ctx, conn)
			if err != nil {
				t.Fatal(err)
			}
			left := time.Until(deadline)
			if !until.After(begun) || until.After(now().Add(left)) {
				t.Errorf("with the server's clock %s ahead: Deadline returned %v at %v with %v left", ahead, until, begun, left)
			}
		}
		if until, err := postgres.Deadline(context.Background(), conn); err != nil || until != postgres.Never {
			t.Errorf("without a deadline: %v, %v", until, err)
		}
	}
}
