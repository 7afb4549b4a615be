package redis_test

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/redisx"
	"vitae.internal/pkg/testkit"
	"vitae.internal/services/auth/internal/redis"
)

func TestMain(m *testing.M) { testkit.Main(m) }

type watched struct {
	*testing.T
	goredis.UniversalClient
	now *clock.Fake
	log bytes.Buffer
}

func watch(t *testing.T, url string) *watched {
	t.Helper()
	rdb, err := redisx.Open(redisx.Config{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = rdb.Close() })
	w := &watched{T: t, UniversalClient: rdb, now: clock.NewFake(time.Unix(1_800_000_000, 0))}
	hook, err := redis.NewOutageHook(w.now, slog.New(slog.NewTextHandler(&w.log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	rdb.AddHook(hook)
	return w
}

// lines fails the test unless the log reports the given numbers of outages and recoveries.
func (w *watched) lines(begun, ended int) {
	w.Helper()
	log := w.log.String()
	if strings.Count(log, "out of reach") != begun || strings.Count(log, "in reach again") != ended {
		w.Errorf("want %d outages and %d recoveries:\n%s", begun, ended, log)
	}
}

func TestOutageIsLoggedOnce(t *testing.T) {
	t.Parallel()
	server := testkit.PrivateRedis(t)
	w := watch(t, server.URL())
	ask := func() {
		for range 20 {
			w.Get(t.Context(), "nothing")
			_, _ = w.Pipelined(t.Context(), func(p goredis.Pipeliner) error { return p.Ping(t.Context()).Err() })
			w.EvalSha(t.Context(), "0000000000000000000000000000000000000000", nil)
			w.now.Advance(time.Second)
		}
	}
	ask()
	w.lines(0, 0)
	server.Kill()
	ask()
	w.lines(1, 0)
	if err := server.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	ask()
	w.lines(1, 1)
}

func TestFlappingServerIsOneOutage(t *testing.T) {
	t.Parallel()
	server := testkit.PrivateRedis(t)
	w := watch(t, server.URL())
	flip := func(then func(context.Context) error) {
		t.Helper()
		w.Ping(t.Context())
		if err := then(t.Context()); err != nil {
			t.Fatal(err)
		}
		w.Ping(t.Context())
		w.now.Advance(time.Second)
	}
	for range 3 {
		flip(server.Stop)
		flip(server.Restart)
	}
	w.lines(1, 1)
	w.now.Advance(time.Hour)
	flip(server.Stop)
	w.lines(2, 1)
}

func TestCanceledCallIsNotAnOutage(t *testing.T) {
	t.Parallel()
	w := watch(t, testkit.PrivateRedis(t).URL())
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	w.Get(ctx, "nothing")
	w.lines(0, 0)
}
