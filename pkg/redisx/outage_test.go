package redisx_test

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/redisx"
)

func TestUnstableRedisIsReportedOnce(t *testing.T) {
	t.Parallel()
	now := clock.NewFake(time.Unix(1_800_000_000, 0))
	var log bytes.Buffer
	reported := 0
	outage, err := redisx.NewOutage(redisx.OutageConfig{
		Clock: now, Log: slog.New(slog.NewTextHandler(&log, nil)), Began: "redis is gone", Ended: "redis is back", Reported: func() { reported++ },
	})
	if err != nil {
		t.Fatal(err)
	}
	down := errors.New("refused")
	lines := func(began, ended int) {
		t.Helper()
		if b, e := strings.Count(log.String(), "redis is gone"), strings.Count(log.String(), "redis is back"); b != began || e != ended || reported != began {
			t.Errorf("%d start messages, %d end messages, %d reported; want %d starts and %d ends:\n%s", b, e, reported, began, ended, log.String())
		}
	}
	outage.Succeeded(t.Context())
	lines(0, 0)
	for range 20 {
		outage.Failed(t.Context(), down)
		now.Advance(time.Second)
	}
	outage.Succeeded(t.Context())
	outage.Succeeded(t.Context())
	lines(1, 1)

	now.Advance(10 * time.Second) // too soon to report
	outage.Failed(t.Context(), down)
	lines(1, 1)
	now.Advance(time.Minute) // the outage lasts
	outage.Failed(t.Context(), down)
	lines(2, 1)
	outage.Succeeded(t.Context())
	lines(2, 2)
}
