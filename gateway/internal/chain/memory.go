package chain

import (
	"io"
	"math"
	"runtime/debug"
	"sync"

	"vitae.internal/gateway/internal/answer"
	"vitae.internal/pkg/errs"
)

const (
	// memoryPart is the part of the process's memory limit that requests and large answers may hold.
	memoryPart = 4
	// memoryUnlimited is what they may hold in a process without a memory limit, in bytes.
	memoryUnlimited = 256 << 20
	// addressPart is the part of it that the requests of one client address may hold, an IPv6
	// client with its /64.
	addressPart = 2
)

// Memory bounds what requests and large answers hold at a time, in bytes. An answer is held until
// the client has read it, so without a bound a few clients that do not read fill the memory of the
// process (behaviour: requests#memory-of-large-requests). It is safe for concurrent use.
type Memory struct {
	mu   sync.Mutex
	most int64
	held int64
	of   map[string]int64
}

// NewMemory makes a Memory of a part of the process's memory limit.
func NewMemory() *Memory {
	most := int64(memoryUnlimited)
	if limit := debug.SetMemoryLimit(-1); limit < math.MaxInt64 {
		most = limit / memoryPart
	}
	return newMemory(most)
}

func newMemory(most int64) *Memory { return &Memory{most: most, of: map[string]int64{}} }

func (m *Memory) hold(client string, n int64) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.held+n > m.most || m.of[client]+n > m.most/addressPart {
		return false
	}
	m.held += n
	m.of[client] += n
	return true
}

func (m *Memory) release(client string, n int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.held -= n
	if m.of[client] -= n; m.of[client] == 0 {
		delete(m.of, client)
	}
}

// Hold charges the request for n more bytes of memory, which it holds until it has been answered.
// A nil Exchange is charged for nothing. Errors: SERVICE_UNAVAILABLE if this is more than all
// requests, or those of the client's address, may hold.
func (e *Exchange) Hold(n int64) error {
	if e == nil || e.memory == nil {
		return nil
	}
	if !e.memory.hold(Network(e.ClientIP), n) {
		turnedAway.WithLabelValues(e.listener).Inc()
		return errs.New(errs.Unavailable, answer.CodeUnavailable, "Too many requests are under way.")
	}
	e.held += n
	return nil
}

// heldBody charges a request for its body as it arrives. Small bodies are charged too: thousands of
// clients can keep the end of theirs back at a time.
type heldBody struct {
	io.ReadCloser
	exchange *Exchange
	read     int64
}

const (
	// bodyWeight is how many bytes a request takes for each byte of its body: what is read, the
	// values in it, and the message to another part.
	bodyWeight = 4
	// fileWeight is how many it takes for each byte above MaxBody, which only files have: the form, and
	// the file in it.
	fileWeight = 2
)

// Read implements io.Reader.
func (b *heldBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	before := weight(b.read)
	b.read += int64(n)
	if more := weight(b.read) - before; more > 0 {
		if refused := b.exchange.Hold(more); refused != nil {
			// As in drain: the client reads the answer after it has written.
			_, _ = io.CopyN(io.Discard, b.ReadCloser, maxDrained)
			return n, refused
		}
	}
	return n, err
}

// weight returns how many bytes a request takes for so many bytes of its body.
func weight(n int64) int64 {
	return bodyWeight*min(n, MaxBody) + fileWeight*max(n-MaxBody, 0)
}

// release ends what the request holds.
func (e *Exchange) release() {
	if e.held > 0 {
		e.memory.release(Network(e.ClientIP), e.held)
		e.held = 0
	}
}
