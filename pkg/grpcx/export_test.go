package grpcx

import (
	"context"
	"time"
)

// Breaker is what stands before a part, for tests that move its clock.
type Breaker = breaker

// NewBreaker makes one.
var NewBreaker = newBreaker

// Allow is asked before a call.
func (b *breaker) Allow() error { return b.allow() }

// Done takes a call's result.
func (b *breaker) Done(had time.Duration, err error) { b.done(context.Background(), had, err) }
