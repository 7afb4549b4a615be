package breaker_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"vitae.internal/pkg/breaker"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/grpcx"
)

var (
	late = status.Error(codes.DeadlineExceeded, "late")
	gone = status.Error(codes.Unavailable, "connection refused")
)

const long = 5 * time.Second

func newBreaker() (*breaker.Breaker, *clock.Fake, *bytes.Buffer) {
	now, log := clock.NewFake(time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)), &bytes.Buffer{}
	return breaker.NewAt("candidate", now, slog.New(slog.NewTextHandler(log, nil))), now, log
}

// silence has calls go without an answer, for longer than a moment.
func silence(b *breaker.Breaker, now *clock.Fake, err error) {
	for range 15 {
		b.Done(context.Background(), long, err)
		now.Advance(100 * time.Millisecond)
	}
}

func TestBreakerOpensOnSilenceAndClosesOnTheFirstAnswer(t *testing.T) {
	for _, err := range []error{late, gone} {
		b, now, log := newBreaker()
		silence(b, now, err)
		if refused := b.Allow(); errs.KindOf(refused) != errs.Unavailable {
			t.Fatalf("after %v calls go on: %v", err, refused)
		}
		for range 3 { // one in a second finds out
			now.Advance(2 * time.Second)
			if err := b.Allow(); err != nil {
				t.Errorf("no call may find out: %v", err)
			}
			if err := b.Allow(); err == nil {
				t.Error("a second call may")
			}
			b.Done(context.Background(), long, err)
		}
		now.Advance(time.Second)
		b.Done(context.Background(), long, nil)
		for range 5 {
			if err := b.Allow(); err != nil {
				t.Errorf("after an answer: %v", err)
			}
		}
		if lines := strings.Count(log.String(), "\n"); lines != 2 {
			t.Errorf("%d lines of log, want one at each end:\n%s", lines, log)
		}
	}
}

func TestBreakerNeverOpensOnWhatIsAnAnswerOrSaysNothing(t *testing.T) {
	quota := grpcx.ToStatus(errs.New(errs.Unavailable, "DATABASE_UNAVAILABLE", "The database does not answer."))
	for what, err := range map[string]error{
		"not found": status.Error(codes.NotFound, ""), "internal": status.Error(codes.Internal, ""),
		"exhausted": status.Error(codes.ResourceExhausted, ""), "the part's own unavailability": quota,
		"a caller that went away": status.Error(codes.Canceled, ""), "a fault of the caller's": errors.New("no status"),
	} {
		b, now, _ := newBreaker()
		silence(b, now, err)
		if err := b.Allow(); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	b, now, _ := newBreaker()
	for range 50 {
		b.Done(context.Background(), 20*time.Millisecond, late)
		now.Advance(100 * time.Millisecond)
	}
	if err := b.Allow(); err != nil {
		t.Errorf("calls that had no time: %v", err)
	}
}

func TestBreakerWaitsForMoreThanOneBadMoment(t *testing.T) {
	b, now, _ := newBreaker()
	for range 1000 { // a crowd at a restart
		b.Done(context.Background(), long, gone)
	}
	if err := b.Allow(); err != nil {
		t.Errorf("a crowd that failed at once: %v", err)
	}
	for range 1000 { // answers between
		now.Advance(time.Second)
		b.Done(context.Background(), long, late)
		b.Done(context.Background(), long, nil)
	}
	if err := b.Allow(); err != nil {
		t.Errorf("with answers between: %v", err)
	}
}

func TestFailuresFarApartAreNoOutage(t *testing.T) {
	b, now, _ := newBreaker()
	b.Done(context.Background(), long, gone)
	now.Advance(8 * time.Hour)
	for range 9 {
		b.Done(context.Background(), long, gone)
	}
	if err := b.Allow(); err != nil {
		t.Errorf("one in the morning and nine in the evening: %v", err)
	}
	now.Advance(30 * time.Second)
	b.Done(context.Background(), long, gone)
	if err := b.Allow(); err == nil {
		t.Error("ten within a minute are taken for no outage")
	}
}
