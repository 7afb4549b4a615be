package grpcx_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/grpcx"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

var (
	late = status.Error(codes.DeadlineExceeded, "late")
	gone = status.Error(codes.Unavailable, "connection refused")
)

const long = 5 * time.Second

func newBreaker() (*grpcx.Breaker, *clock.Fake, *bytes.Buffer) {
	now, log := clock.NewFake(time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)), &bytes.Buffer{}
	return grpcx.NewBreaker("candidate", now, slog.New(slog.NewTextHandler(log, nil))), now, log
}

// silence has calls go without an answer, for longer than a moment.
func silence(b *grpcx.Breaker, now *clock.Fake, err error) {
	for range 15 {
		b.Done(long, err)
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
			b.Done(long, err)
		}
		now.Advance(time.Second)
		b.Done(long, nil)
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
		b.Done(20*time.Millisecond, late)
		now.Advance(100 * time.Millisecond)
	}
	if err := b.Allow(); err != nil {
		t.Errorf("calls that had no time: %v", err)
	}
}

func TestBreakerWaitsForMoreThanOneBadMoment(t *testing.T) {
	b, now, _ := newBreaker()
	for range 1000 { // a crowd at a restart
		b.Done(long, gone)
	}
	if err := b.Allow(); err != nil {
		t.Errorf("a crowd that failed at once: %v", err)
	}
	for range 1000 { // answers between
		now.Advance(time.Second)
		b.Done(long, late)
		b.Done(long, nil)
	}
	if err := b.Allow(); err != nil {
		t.Errorf("with answers between: %v", err)
	}
}

// frozen is a part that answers when it is let go.
type frozen struct {
	candidatev1.UnimplementedMeServiceServer
	calls   atomic.Int64
	let     atomic.Bool
	entered chan struct{}
}

func (f *frozen) GetMe(ctx context.Context, _ *candidatev1.GetMeRequest) (*candidatev1.GetMeResponse, error) {
	f.calls.Add(1)
	if f.let.Load() {
		return &candidatev1.GetMeResponse{}, nil
	}
	select {
	case f.entered <- struct{}{}:
	default:
	}
	<-ctx.Done()
	return nil, ctx.Err()
}

func (f *frozen) register(r grpc.ServiceRegistrar) { candidatev1.RegisterMeServiceServer(r, f) }

func TestCallsToAPartThatNeverAnswersFailAtOnceUntilItDoes(t *testing.T) {
	f := &frozen{}
	dial := start(t, f)
	conn := dial("gateway", grpcx.WithBreaker(slog.New(slog.DiscardHandler)))
	me := candidatev1.NewMeServiceClient(conn)
	call := func() error {
		ctx, cancel := context.WithTimeout(t.Context(), 400*time.Millisecond)
		defer cancel()
		_, err := me.GetMe(asReader(ctx), &candidatev1.GetMeRequest{})
		return err
	}
	// Without a breaker every call would reach the part.
	for before := int64(-1); before != f.calls.Load(); {
		before = f.calls.Load()
		if err := call(); errs.KindOf(err) != errs.Unavailable {
			t.Fatalf("got %v, want unavailable", err)
		}
		if before > 100 {
			t.Fatal("the breaker never opens")
		}
	}
	f.let.Store(true)
	for call() != nil { // refused until the next probe
		if t.Context().Err() != nil {
			t.Fatal("the breaker never closes")
		}
	}
	if err := call(); err != nil {
		t.Errorf("after an answer: %v", err)
	}
}

// TestACallThatHasBegunIsNotSentAgain: only gRPC's own retry of calls that never
// reached a handler is in use.
func TestACallThatHasBegunIsNotSentAgain(t *testing.T) {
	f := &frozen{entered: make(chan struct{}, 1)}
	dial, cut := startCut(t, f)
	got := make(chan error, 1)
	go func() {
		_, err := candidatev1.NewMeServiceClient(dial("gateway")).GetMe(asReader(t.Context()), &candidatev1.GetMeRequest{})
		got <- err
	}()
	<-f.entered
	cut()
	if err := <-got; errs.KindOf(err) != errs.Unavailable {
		t.Errorf("got %v, want unavailable", err)
	}
	if n := f.calls.Load(); n != 1 {
		t.Errorf("the handler ran %d times", n)
	}
}
