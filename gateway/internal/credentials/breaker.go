package credentials

import (
	"sync"
	"time"

	"vitae.internal/pkg/clock"
)

// restTime is how long Redis is left alone after a fault. It is short because
// auth answers meanwhile, at the price of a query for each request.
const restTime = time.Second

// breaker keeps requests from each waiting for a Redis that does not answer.
type breaker struct {
	clock clock.Clock

	mu    sync.Mutex
	until time.Time // Redis is left alone until then
}

// allow reports whether to ask Redis now. After a rest one request at a time
// tries, one in each restTime, until one succeeds.
func (b *breaker) allow() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.until.IsZero() {
		return true
	}
	now := b.clock.Now()
	if now.Before(b.until) {
		return false
	}
	b.until = now.Add(restTime)
	return true
}

func (b *breaker) failed() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.until = b.clock.Now().Add(restTime)
}

func (b *breaker) succeeded() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.until = time.Time{}
}
