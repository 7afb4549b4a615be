package redisx_test

import (
	"testing"

	"vitae.internal/pkg/redisx"
	"vitae.internal/pkg/testkit"
	"vitae.internal/pkg/testkit/metrics"
)

func TestPoolMetricsAreExposed(t *testing.T) {
	t.Parallel()
	client, err := redisx.Open(redisx.Config{URL: testkit.Redis(t)})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	part := t.Name()
	redisx.Expose(part, client)
	for range 2 {
		if err := client.Ping(t.Context()).Err(); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name, label, value string
		want               float64
	}{
		{"vitae_redis_connections", "state", "idle", 1}, {"vitae_redis_connections", "state", "used", 0},
		{"vitae_redis_acquired_total", "how", "made", 1}, {"vitae_redis_acquired_total", "how", "reused", 1},
		{"vitae_redis_acquire_given_up_total", "part", part, 0},
	} {
		if got, there := metrics.Value(t, c.name, "part", part, c.label, c.value); !there || got != c.want {
			t.Errorf("%s %s=%s: got %v (found: %t), want %v", c.name, c.label, c.value, got, there, c.want)
		}
	}
}
