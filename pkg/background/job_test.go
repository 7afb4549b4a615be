package background_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"vitae.internal/pkg/background"
)

func TestFailedRoundIsRepeated(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	rounds, reached := 0, make(chan struct{})
	stop := background.Start(slog.New(slog.NewTextHandler(&log, nil)), background.Job{
		Every: time.Millisecond, Warning: "rows wait for the next round",
		Round: func(ctx context.Context) error {
			if rounds++; rounds == 3 {
				close(reached)
				<-ctx.Done()
				return ctx.Err()
			}
			return errors.New("no database")
		},
	})
	<-reached
	stop()
	if got := strings.Count(log.String(), "rows wait for the next round"); rounds != 3 || got != 2 {
		t.Errorf("%d rounds, %d warnings, want 3 rounds and 2 warnings (none for the cancelled round):\n%s", rounds, got, log.String())
	}
}

func TestWakeStartsRoundEarly(t *testing.T) {
	t.Parallel()
	wake, rounds := make(chan struct{}), make(chan struct{})
	stop := background.Start(slog.Default(), background.Job{
		Every: time.Hour, Wake: wake, Warning: "waits",
		Round: func(ctx context.Context) error {
			select {
			case rounds <- struct{}{}:
			case <-ctx.Done():
			}
			return nil
		},
	})
	defer stop()
	<-rounds
	wake <- struct{}{}
	<-rounds
}

func TestDrainStopsAfterPartialBatch(t *testing.T) {
	t.Parallel()
	found := []int{2, 2, 1, 2}
	err := background.Drain(2, func() (n int, _ error) {
		n, found = found[0], found[1:]
		return n, nil
	})
	if err != nil || len(found) != 1 {
		t.Errorf("%d batches left, %v", len(found), err)
	}
}

func TestFailingEntryEndsRoundAfterBatch(t *testing.T) {
	t.Parallel()
	batches, done := [][]int{{1, 2}, {3}, nil}, []int(nil)
	err := background.Each(func() (due []int, _ error) {
		due, batches = batches[0], batches[1:]
		return due, nil
	}, func(n int) error {
		if done = append(done, n); n == 1 {
			return errors.New("one fails")
		}
		return nil
	})
	if err == nil || !slices.Equal(done, []int{1, 2}) || len(batches) != 2 {
		t.Errorf("%v, %v", done, err)
	}
}
