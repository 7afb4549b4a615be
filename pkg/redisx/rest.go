package redisx

import (
	"errors"
	"sync"
	"time"

	"vitae.internal/pkg/clock"
)

// restTime is how long Redis is not asked after a failure. It is short because Postgres
// does the work in the meantime.
const restTime = time.Second

// Rest lets a part leave Redis alone after a failure, so that not every request waits for
// a server that hangs. Once in a restTime it lets one through, until one succeeds. It is
// safe for concurrent use.
type Rest struct {
	clock clock.Clock

	mu sync.Mutex
	// until is when Redis may be asked again; it is zero while Redis answers.
	until time.Time
}

// NewRest makes a Rest. Redis is taken to answer until it fails.
func NewRest(c clock.Clock) (*Rest, error) {
	if c == nil {
		return nil, errors.New("redisx: a rest needs a clock")
	}
	return &Rest{clock: c}, nil
}

// Allow reports whether to ask Redis now. Tell Failed or Succeeded how it went.
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

// Failed takes the failure of a call.
func (r *Rest) Failed() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.until = r.clock.Now().Add(restTime)
}

// Succeeded takes the success of a call, and reports whether it ended a rest.
func (r *Rest) Succeeded() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	rested := !r.until.IsZero()
	r.until = time.Time{}
	return rested
}
