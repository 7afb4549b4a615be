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
	// memoryPart determines the share of the process's memory limit that requests and large responses may
	// hold: a quarter.
	memoryPart = 4
	// memoryUnlimited is the budget, in bytes, for a process without a memory limit.
	memoryUnlimited = 256 << 20
	// addressPart determines the share of that budget that one client may hold: half. A client is an IPv4
	// address or an IPv6 /64 network.
	addressPart = 2
)

// Memory limits the memory that concurrent requests and large responses hold. A response holds memory until
// the client has read it. Without a limit, a few clients that do not read their responses could use up the
// process's memory (behaviour: requests#memory-budget). Memory is safe for concurrent use.
type Memory struct {
	mu   sync.Mutex
	most int64
	held int64
	of   map[string]int64
}

// NewMemory returns a Memory with a quarter of the process's memory limit.
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

// Hold charges the request for n more bytes of memory until its response has been written. It does nothing on a
// nil Exchange. It returns SERVICE_UNAVAILABLE if all requests together, or the requests from the client's IP
// address, would exceed their limit.
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

// heldBody charges a request for its body as it arrives. Small bodies are charged too, because thousands of
// clients could each withhold the end of a small body.
type heldBody struct {
	io.ReadCloser
	exchange *Exchange
	read     int64
}

const (
	// bodyWeight is the memory, in bytes, needed for each byte of a body. It covers the text, the parsed
	// values, and the message to a service.
	bodyWeight = 4
	// fileWeight is the memory, in bytes, needed for each byte above MaxBody. Only uploads are that large. It
	// covers the form and the file in it.
	fileWeight = 2
)

func (b *heldBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	before := weight(b.read)
	b.read += int64(n)
	if more := weight(b.read) - before; more > 0 {
		if refused := b.exchange.Hold(more); refused != nil {
			// As in drain, many clients read the response only after they have written the body.
			_, _ = io.CopyN(io.Discard, b.ReadCloser, maxDrained)
			return n, refused
		}
	}
	return n, err
}

// weight returns the memory, in bytes, needed for n bytes of a body.
func weight(n int64) int64 {
	return bodyWeight*min(n, MaxBody) + fileWeight*max(n-MaxBody, 0)
}

func (e *Exchange) release() {
	if e.held > 0 {
		e.memory.release(Network(e.ClientIP), e.held)
		e.held = 0
	}
}
