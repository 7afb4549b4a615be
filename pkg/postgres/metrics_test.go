package postgres_test

import (
	"context"
	"testing"
	"time"

	"vitae.internal/pkg/postgres"
	"vitae.internal/pkg/testkit"
	"vitae.internal/pkg/testkit/metrics"
)

func TestPoolMetricsAreExposed(t *testing.T) {
	url := testkit.Database(t, "empty", func(context.Context, string) error { return nil })
	pool, err := postgres.Open(t.Context(), postgres.Config{URL: url, MaxConns: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	part := t.Name()
	postgres.Expose(part, pool)
	want := func(want float64, name string, labels ...string) {
		t.Helper()
		if got, there := metrics.Value(t, name, append([]string{"part", part}, labels...)...); !there || got != want {
			t.Errorf("%s: got %v (found: %t), want %v", name, got, there, want)
		}
	}
	want(2, "vitae_postgres_connections_max")
	want(0, "vitae_postgres_acquire_given_up_total")
	for range 2 {
		conn, err := pool.Acquire(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Release()
	}
	want(2, "vitae_postgres_connections", "state", "used")
	want(0, "vitae_postgres_connections", "state", "idle")
	late, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if _, err := pool.Acquire(late); err == nil {
		t.Fatal("acquired more connections than the maximum")
	}
	want(1, "vitae_postgres_acquire_given_up_total")
}
