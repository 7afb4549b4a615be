package grpcx

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/grpc"

	"vitae.internal/pkg/errs"
)

// asked counts the allowed calls and the recorded results.
type asked struct{ allowed, done int }

func (a *asked) Allow() error                               { a.allowed++; return nil }
func (a *asked) Done(context.Context, time.Duration, error) { a.done++ }

// The breaker allows one call to check whether a service is back. That call must not be refused for
// another reason.
func TestCrowdLimitPrecedesBreaker(t *testing.T) {
	b := &asked{}
	c := &client{breaker: b}
	invoke := func(context.Context, string, any, any, *grpc.ClientConn, ...grpc.CallOption) error { return nil }
	call := func() error { return c.unary(t.Context(), "/a/b", nil, nil, nil, invoke) }
	c.underWay.Store(maxUnderWay)
	if err := call(); errs.KindOf(err) != errs.Unavailable || b.allowed != 0 {
		t.Errorf("got %v, and the breaker let %d through", err, b.allowed)
	}
	c.underWay.Store(0)
	if err := call(); err != nil || b.allowed != 1 || b.done != 1 {
		t.Errorf("got %v: %+v", err, b)
	}
}

// The callee reports the timeout, and its caller still has time to forward that.
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
				t.Errorf("of %v the callee has %v, want %v (%v)", had, left, want, err)
			}
		}
	})
}
