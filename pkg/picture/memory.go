package picture

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"

	"golang.org/x/sync/semaphore"
)

// mostMemory is the maximum memory for all pictures in a process, in bytes.
const mostMemory = 512 << 20

// memory limits the total memory for pictures that are being decoded at the same time.
type memory struct {
	most int64
	free *semaphore.Weighted
	// outer is the larger memory limit that includes this one, or nil.
	outer *memory
}

func newMemory(most int64) *memory {
	return &memory{most: most, free: semaphore.NewWeighted(most)}
}

// ofProcess returns the memory for all services in the process, which is at most half of the
// process's memory limit. Separate limits for the services could add up to more than that.
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

// Reserve waits until the memory that Scale needs is available. The memory counts against the limit
// for the process, like the memory used by every Encoder. The caller must call release once.
// Reserve returns ErrUnreadable if the picture needs more memory than the limit, and wraps the
// error of ctx if ctx is done.
func (f File) Reserve(ctx context.Context) (release func(), err error) {
	return ofProcess().reserve(ctx, f)
}
