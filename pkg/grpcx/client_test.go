package grpcx

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/grpc"

	"vitae.internal/pkg/errs"
)

// countingBreaker counts allowed calls and recorded results.
type countingBreaker struct{ allowed, done int }

func (a *countingBreaker) Allow() error                               { a.allowed++; return nil }
func (a *countingBreaker) Done(context.Context, time.Duration, error) { a.done++ }

// An open breaker allows one call to check whether the service has recovered. That call must not be
// rejected for a different reason.
func TestCallLimitIsCheckedBeforeBreaker(t *testing.T) {
	b := &countingBreaker{}
	c := &client{breaker: b}
	invoke := func(context.Context, string, any, any, *grpc.ClientConn, ...grpc.CallOption) error { return nil }
	call := func() error { return c.unary(t.Context(), "/a/b", nil, nil, nil, invoke) }
	c.underWay.Store(maxUnderWay)
	if err := call(); errs.KindOf(err) != errs.Unavailable || b.allowed != 0 {
		t.Errorf("got %v; the breaker allowed %d calls, want 0", err, b.allowed)
	}
	c.underWay.Store(0)
	if err := call(); err != nil || b.allowed != 1 || b.done != 1 {
		t.Errorf("got %v: %+v", err, b)
	}
}

// The callee must report the timeout early enough for the caller to forward it.
func TestEveryHopReservesTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for had, want := range map[time.Duration]time.Duration{
			0:                     5 * time.Second, // no deadline
			30 * time.Second:      30*time.Second - 50*time.Millisecond,
			51 * time.Millisecond: 10 * time.Millisecond,
			time.Millisecond:      time.Millisecond,
		} {
			ctx := t.Context()
			if had > 0 {
				shorter, cancel := context.WithTimeout(ctx, had)
				defer cancel()
				ctx = shorter
			}
			var left time.Duration
			invoke := func(ctx context.Context, _ string, _, _ any, _ *grpc.ClientConn, _ ...grpc.CallOption) error {
				left = remaining(ctx)
				return nil
			}
			c := &client{breaker: always{}}
			if err := c.unary(ctx, "/a/b", nil, nil, nil, invoke); err != nil || left != want {
				t.Errorf("with a deadline in %v, the callee has %v, want %v (%v)", had, left, want, err)
			}
		}
	})
}
