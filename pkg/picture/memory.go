package picture

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"

	"golang.org/x/sync/semaphore"
)

// mostMemory bounds the memory of all pictures of a process, in bytes.
const mostMemory = 512 << 20

// memory is what the pictures that are decoded at once may take together.
type memory struct {
	most int64
	free *semaphore.Weighted
	// outer is the memory that this one is a part of; nil for none.
	outer *memory
}

func newMemory(most int64) *memory {
	return &memory{most: most, free: semaphore.NewWeighted(most)}
}

// ofProcess is half of the memory limit of the process, for the pictures of all services that run
// in it. A bound for each service would add up to more than the limit.
var ofProcess = sync.OnceValue(func() *memory { return newMemory(min(mostMemory, debug.SetMemoryLimit(-1)/2)) })

func (m *memory) reserve(ctx context.Context, f File) (release func(), err error) {
	if f.Bytes > m.most {
		return nil, ErrUnreadable.WithCause(fmt.Errorf("it takes %d bytes to decode, of %d", f.Bytes, m.most))
	}
	if err := m.free.Acquire(ctx, f.Bytes); err != nil {
		return nil, fmt.Errorf("picture: waiting: %w", err)
	}
	if m.outer == nil {
		return func() { m.free.Release(f.Bytes) }, nil
	}
	outer, err := m.outer.reserve(ctx, f)
	if err != nil {
		m.free.Release(f.Bytes)
		return nil, err
	}
	return func() { outer(); m.free.Release(f.Bytes) }, nil
}

// Reserve waits for the memory that Scale takes, which counts against that of the process, as the
// pictures of every Encoder do. The caller must call release once. Errors: ErrUnreadable if the
// picture alone takes too much; that of ctx when it ends first.
func (f File) Reserve(ctx context.Context) (release func(), err error) {
	return ofProcess().reserve(ctx, f)
}
