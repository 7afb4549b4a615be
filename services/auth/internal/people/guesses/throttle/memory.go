package throttle

import (
	"context"
	"sync"
	"time"
)

// maxKeys is the maximum number of counts in memory. Beyond that, an arbitrary tenth of the recent counts is
// dropped, so a flood of IP addresses makes the counts less accurate instead of using more memory.
const maxKeys = 100_000

// Memory is a Counter for one process.
type Memory struct {
	mu     sync.Mutex
	counts map[string]Count
}

// NewMemory returns an empty counter.
func NewMemory() *Memory { return &Memory{counts: map[string]Count{}} }

func (m *Memory) Admit(_ context.Context, a Attempt, now time.Time) (time.Duration, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	address, pair := m.get(a.Address, now), m.get(a.Pair, now)
	if wait := Wait(address, pair, now); wait > 0 {
		return wait, nil
	}
	m.makeRoom(now)
	m.counts[a.Address] = Count{address.N + 1, now}
	m.counts[a.Pair] = Count{pair.N + 1, now}
	return 0, nil
}

func (m *Memory) TakeBack(_ context.Context, a Attempt) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.decrease(a.Address)
	m.decrease(a.Pair)
	return nil
}

func (m *Memory) Forgive(_ context.Context, a Attempt) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.decrease(a.Address)
	delete(m.counts, a.Pair)
	return nil
}

func (m *Memory) decrease(key string) {
	if c := m.counts[key]; c.N > 1 {
		m.counts[key] = Count{c.N - 1, c.Last}
	} else {
		delete(m.counts, key)
	}
}

func (m *Memory) get(key string, now time.Time) Count {
	c := m.counts[key]
	if now.Sub(c.Last) > Window {
		return Count{}
	}
	return c
}

func (m *Memory) makeRoom(now time.Time) {
	if len(m.counts) < maxKeys {
		return
	}
	for key, c := range m.counts {
		if now.Sub(c.Last) > Window {
			delete(m.counts, key)
		}
	}
	for key := range m.counts { // the order of a map is random enough
		if len(m.counts) < maxKeys*9/10 {
			return
		}
		delete(m.counts, key)
	}
}
