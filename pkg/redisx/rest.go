package redisx

import (
	"errors"
	"sync"
	"time"

	"vitae.internal/pkg/clock"
)

// restTime is the pause after a failure. It is short because Postgres does the work in the
// meantime.
const restTime = time.Second

// Rest pauses calls to Redis after a failure, so that not every request waits for a hanging server.
// It allows one call per restTime until a call succeeds. It is safe for concurrent use.
type Rest struct {
	clock clock.Clock

	mu sync.Mutex
	// until is the end of the pause, or zero while Redis works.
	until time.Time
}

// NewRest returns a Rest. It assumes that Redis works until a call fails.
func NewRest(c clock.Clock) (*Rest, error) {
	if c == nil {
		return nil, errors.New("redisx: a rest requires a clock")
	}
	return &Rest{clock: c}, nil
}

// Allow reports whether Redis may be called now. The caller must report the result with Failed or
// Succeeded.
func (r *Rest) Allow() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.until.IsZero() {
		return true
	}
	now := r.clock.Now()
	if now.Before(r.until) {
		return false
	}
	r.until = now.Add(restTime)
	return true
}

// Failed records a failed call to Redis.
func (r *Rest) Failed() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.until = r.clock.Now().Add(restTime)
}

// Succeeded records a successful call to Redis and reports whether it ended a pause.
func (r *Rest) Succeeded() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	rested := !r.until.IsZero()
	r.until = time.Time{}
	return rested
}
