package grpcx

import (
	"context"
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/principal"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
)

// recordingBreaker is a breaker that records the results of calls. It rejects calls if refusal is
// set.
type recordingBreaker struct {
	refusal error
	results []error
	had     time.Duration
}

func (b *recordingBreaker) Allow() error { return b.refusal }
func (b *recordingBreaker) Done(_ context.Context, had time.Duration, err error) {
	b.results, b.had = append(b.results, err), had
}

// fakeStream is a stream that returns the errors in give, one after another.
type fakeStream struct {
	grpc.ClientStream
	ctx  context.Context
	give []error
}

func (a *fakeStream) RecvMsg(any) error {
	err := a.give[0]
	a.give = a.give[1:]
	return err
}

func (a *fakeStream) SendMsg(any) error { return a.RecvMsg(nil) }

// unreadable returns a context with a principal that cannot be encoded, because it is not valid
// UTF-8.
func unreadable(ctx context.Context) context.Context {
	return principal.NewContext(ctx, &identityv1.Principal{PersonId: "\xff"})
}

func opening(a *fakeStream, fails error) grpc.Streamer {
	return func(ctx context.Context, _ *grpc.StreamDesc, _ *grpc.ClientConn, _ string, _ ...grpc.CallOption) (grpc.ClientStream, error) {
		a.ctx = ctx
		return a, fails
	}
}

func TestStreamRequiresPrincipalAndBreaker(t *testing.T) {
	down, refused := status.Error(codes.Unavailable, "down"), errs.New(errs.Unavailable, "SERVICE_UNAVAILABLE", "open")
	for name, c := range map[string]struct {
		ctx     context.Context
		breaker *recordingBreaker
		fails   error
		opened  bool
		results int
	}{
		"a principal that cannot be encoded": {unreadable(t.Context()), &recordingBreaker{}, nil, false, 0},
		"an open breaker":                    {t.Context(), &recordingBreaker{refusal: refused}, nil, false, 0},
		"a service that is down":             {t.Context(), &recordingBreaker{}, down, true, 1},
	} {
		a := &fakeStream{}
		s, err := (&client{breaker: c.breaker}).stream(c.ctx, &grpc.StreamDesc{}, nil, "/a/b", opening(a, c.fails))
		if err == nil || s != nil || (a.ctx != nil) != c.opened || len(c.breaker.results) != c.results {
			t.Errorf("%s: %v, %v; opened %t, results %v", name, s, err, a.ctx != nil, c.breaker.results)
		}
		if a.ctx != nil && a.ctx.Err() == nil {
			t.Errorf("%s: the context was not released", name)
		}
		if c.fails != nil && (errs.KindOf(err) != errs.Unavailable || !errors.Is(c.breaker.results[0], c.fails)) {
			t.Errorf("%s: %v; the breaker recorded %v", name, err, c.breaker.results)
		}
	}
}

func TestStreamEndInformsBreaker(t *testing.T) {
	fault := status.Error(codes.NotFound, "x")
	for name, c := range map[string]struct {
		many     bool
		give     error
		want     error // nil if it succeeds
		recorded error
		ends     bool
	}{
		"first of many messages":   {true, nil, nil, nil, false},
		"the only message":         {false, nil, nil, nil, true},
		"end of the stream":        {true, io.EOF, io.EOF, nil, true},
		"an error":                 {true, fault, fault, fault, true},
		"an error, single message": {false, fault, fault, fault, true},
	} {
		a, b := &fakeStream{give: []error{c.give}}, &recordingBreaker{}
		s, err := (&client{breaker: b}).stream(t.Context(), &grpc.StreamDesc{ServerStreams: c.many}, nil, "/a/b", opening(a, nil))
		if err != nil {
			t.Fatal(err)
		}
		err = s.RecvMsg(nil)
		if c.want == nil && err != nil || errors.Is(c.want, io.EOF) && !errors.Is(err, io.EOF) || errors.Is(c.give, fault) && errs.KindOf(err) != errs.Internal {
			t.Errorf("%s: %v", name, err)
		}
		if len(b.results) != 1 || !errors.Is(b.results[0], c.recorded) {
			t.Errorf("%s: the breaker recorded %v", name, b.results)
		}
		if (a.ctx.Err() != nil) != c.ends {
			t.Errorf("%s: context released: %t", name, a.ctx.Err() != nil)
		}
	}
	a := &fakeStream{give: []error{io.EOF, fault, nil}}
	s := &clientStream{ClientStream: a}
	if err := s.SendMsg(nil); !errors.Is(err, io.EOF) {
		t.Errorf("Send on a stream that has ended: %v", err)
	}
	if err := s.SendMsg(nil); errs.KindOf(err) != errs.Internal {
		t.Errorf("Send that fails: %v", err)
	}
	if err := s.SendMsg(nil); err != nil {
		t.Errorf("Send: %v", err)
	}
}

func TestStreamTimeoutAndReservedTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for had, want := range map[time.Duration]time.Duration{0: 2 * time.Minute, time.Minute: time.Minute - 50*time.Millisecond} {
			ctx := t.Context()
			if had > 0 {
				shorter, cancel := context.WithTimeout(ctx, had)
				defer cancel()
				ctx = shorter
			}
			a, b := &fakeStream{give: []error{io.EOF}}, &recordingBreaker{}
			s, err := (&client{breaker: b}).stream(WithRequestID(ctx, "req_1"), &grpc.StreamDesc{}, nil, "/a/b", opening(a, nil))
			if err != nil {
				t.Fatal(err)
			}
			if left := remaining(a.ctx); left != want {
				t.Errorf("with a deadline in %v, the stream has %v, want %v", had, left, want)
			}
			sent, _ := metadata.FromOutgoingContext(a.ctx)
			if ids := sent.Get("vitae-request-id"); len(ids) != 1 || ids[0] != "req_1" {
				t.Errorf("request ids %v", ids)
			}
			_ = s.RecvMsg(nil)
			if b.had != want {
				t.Errorf("the breaker recorded the timeout %v, want %v", b.had, want)
			}
		}
	})
}
