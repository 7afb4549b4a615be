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
	timedOut    = status.Error(codes.DeadlineExceeded, "late")
	unreachable = status.Error(codes.Unavailable, "connection refused")
)

const long = 5 * time.Second

func newBreaker() (*breaker.Breaker, *clock.Fake, *bytes.Buffer) {
	now, log := clock.NewFake(time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)), &bytes.Buffer{}
	return breaker.NewAt("candidate", now, slog.New(slog.NewTextHandler(log, nil))), now, log
}

// silence reports 15 unanswered calls, spread over 1.5 seconds.
func silence(b *breaker.Breaker, now *clock.Fake, err error) {
	for range 15 {
		b.Done(context.Background(), long, err)
		now.Advance(100 * time.Millisecond)
	}
}

func TestOpensOnSilenceAndClosesOnResponse(t *testing.T) {
	for _, err := range []error{timedOut, unreachable} {
		b, now, log := newBreaker()
		silence(b, now, err)
		if refused := b.Allow(); errs.KindOf(refused) != errs.Unavailable {
			t.Fatalf("after %v, calls are still allowed: %v", err, refused)
		}
		for range 3 { // one probe per second
			now.Advance(2 * time.Second)
			if err := b.Allow(); err != nil {
				t.Errorf("no probe is allowed: %v", err)
			}
			if err := b.Allow(); err == nil {
				t.Error("a second probe is allowed")
			}
			b.Done(context.Background(), long, err)
		}
		now.Advance(time.Second)
		b.Done(context.Background(), long, nil)
		for range 5 {
			if err := b.Allow(); err != nil {
				t.Errorf("after a response: %v", err)
			}
		}
		if lines := strings.Count(log.String(), "\n"); lines != 2 {
			t.Errorf("%d log lines, want one for opening and one for closing:\n%s", lines, log)
		}
	}
}

func TestResponsesNeverOpenBreaker(t *testing.T) {
	quota := grpcx.ToStatus(errs.New(errs.Unavailable, "DATABASE_UNAVAILABLE", "The database does not answer."))
	for what, err := range map[string]error{
		"not found": status.Error(codes.NotFound, ""), "internal": status.Error(codes.Internal, ""),
		"exhausted": status.Error(codes.ResourceExhausted, ""), "unavailability reported by the service": quota,
		"a cancelled call": status.Error(codes.Canceled, ""), "a client error": errors.New("no status"),
	} {
		b, now, _ := newBreaker()
		silence(b, now, err)
		if err := b.Allow(); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	b, now, _ := newBreaker()
	for range 50 {
		b.Done(context.Background(), 20*time.Millisecond, timedOut)
		now.Advance(100 * time.Millisecond)
	}
	if err := b.Allow(); err != nil {
		t.Errorf("calls with short timeouts: %v", err)
	}
}

func TestBurstDoesNotOpenBreaker(t *testing.T) {
	b, now, _ := newBreaker()
	for range 1000 { // a burst during a restart
		b.Done(context.Background(), long, unreachable)
	}
	if err := b.Allow(); err != nil {
		t.Errorf("simultaneous failures: %v", err)
	}
	for range 1000 { // with successes in between
		now.Advance(time.Second)
		b.Done(context.Background(), long, timedOut)
		b.Done(context.Background(), long, nil)
	}
	if err := b.Allow(); err != nil {
		t.Errorf("successes in between: %v", err)
	}
}

func TestSparseFailuresDoNotOpenBreaker(t *testing.T) {
	b, now, _ := newBreaker()
	b.Done(context.Background(), long, unreachable)
	now.Advance(8 * time.Hour)
	for range 9 {
		b.Done(context.Background(), long, unreachable)
	}
	if err := b.Allow(); err != nil {
		t.Errorf("one failure in the morning and nine in the evening: %v", err)
	}
	now.Advance(30 * time.Second)
	b.Done(context.Background(), long, unreachable)
	if err := b.Allow(); err == nil {
		t.Error("ten failures within a minute do not open the breaker")
	}
}
