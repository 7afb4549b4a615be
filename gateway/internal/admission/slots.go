package admission

import (
	"context"
	"sync"

	"vitae.internal/gateway/internal/admission/limits"
	"vitae.internal/pkg/errs"
)

// maxConcurrent is the maximum number of credentials from one IP address that a replica verifies with the
// auth service at the same time. A verification takes a few milliseconds, so even a server that presents
// many new tokens after a gateway restart barely has to wait.
const maxConcurrent = 16

// addressSlots limits the concurrent verifications per IP address. A failure is counted only after its
// verification. Without slots, all requests that arrive at the same time would pass the check of the failure
// limit. With slots, the check reserves room for the other verifications in progress.
type addressSlots struct {
	max       int
	mu        sync.Mutex
	byAddress map[string]*slots
}

// slots holds the slots of one IP address. users counts the requests that hold a slot or wait for one.
type slots struct {
	taken chan struct{}
	users int
}

// newAddressSlots returns slots for requests whose failures count against the tiers. It creates no more slots
// than any tier's limit allows, so that concurrent requests do not reject each other.
func newAddressSlots(tiers ...limits.Tier) *addressSlots {
	a := &addressSlots{max: maxConcurrent, byAddress: map[string]*slots{}}
	for _, tier := range tiers {
		if tier != (limits.Tier{}) {
			a.max = int(min(int64(a.max), tier.Burst.Count, tier.Sustained.Count))
		}
	}
	return a
}

// acquire waits for a slot. The caller must call done once the outcome has been counted. others is the number
// of other slots in use. acquire returns UNAVAILABLE if ctx is done first.
func (a *addressSlots) acquire(ctx context.Context, address string) (done func(), others int, err error) {
	a.mu.Lock()
	s := a.byAddress[address]
	if s == nil {
		s = &slots{taken: make(chan struct{}, a.max)}
		a.byAddress[address] = s
	}
	s.users++
	a.mu.Unlock()
	select {
	case s.taken <- struct{}{}:
		return func() { <-s.taken; a.leave(address, s) }, len(s.taken) - 1, nil
	case <-ctx.Done():
		a.leave(address, s)
		return nil, 0, errs.New(errs.Unavailable, errs.CodeUnavailable, "Too many requests from this address are being checked.").WithCause(ctx.Err())
	}
}

// leave deletes the slots of an IP address once no request uses them.
func (a *addressSlots) leave(address string, s *slots) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if s.users--; s.users == 0 {
		delete(a.byAddress, address)
	}
}
