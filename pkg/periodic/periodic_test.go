package periodic_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"vitae.internal/pkg/periodic"
)

func TestJobGoesOnAfterARoundThatFailsAndEndsWithItsContext(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var log bytes.Buffer
	rounds := 0
	job, err := periodic.New(periodic.Job{
		Every: time.Millisecond, Log: slog.New(slog.NewTextHandler(&log, nil)), Waiting: "rows wait for the next round",
		Round: func(ctx context.Context) error {
			if rounds++; rounds == 3 {
				stop()
				return ctx.Err()
			}
			return errors.New("no database")
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	job.Run(ctx)
	if rounds != 3 {
		t.Errorf("%d rounds, want 3", rounds)
	}
	if got := strings.Count(log.String(), "rows wait for the next round"); got != 2 {
		t.Errorf("%d warnings, want one for each failure and none for the end:\n%s", got, log.String())
	}
}

func TestJobWithAMissingPartIsRefused(t *testing.T) {
	whole := periodic.Job{Every: time.Second, Log: slog.Default(), Waiting: "waits", Round: func(context.Context) error { return nil }}
	for name, less := range map[string]func(*periodic.Job){
		"pause":   func(j *periodic.Job) { j.Every = 0 },
		"log":     func(j *periodic.Job) { j.Log = nil },
		"warning": func(j *periodic.Job) { j.Waiting = "" },
		"round":   func(j *periodic.Job) { j.Round = nil },
	} {
		job := whole
		less(&job)
		if _, err := periodic.New(job); err == nil {
			t.Errorf("a job without its %s is accepted", name)
		}
	}
}
