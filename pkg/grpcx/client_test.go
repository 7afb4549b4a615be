package grpcx

import (
	"context"
	"testing"
	"time"

	"google.golang.org/grpc"

	"vitae.internal/pkg/errs"
)

// asked counts the calls that it let through and the results that it got.
type asked struct{ allowed, done int }

func (a *asked) Allow() error                               { a.allowed++; return nil }
func (a *asked) Done(context.Context, time.Duration, error) { a.done++ }

// The breaker lets one call find out whether a part is back. If that call is refused
// for another reason, nobody finds out.
func TestACallThatIsRefusedForTheCrowdIsNotTheBreakersProbe(t *testing.T) {
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
