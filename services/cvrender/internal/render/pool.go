package render

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"vitae.internal/pkg/errs"
	"vitae.internal/services/cvrender/internal/pdf"
)

// Browser prints one document at a time. It must be closed if Print returns an error.
type Browser interface {
	// Print returns the PDF of an HTML document. If the browser has failed for a reason other than the
	// document, the error has a method Lost() bool that returns true.
	Print(ctx context.Context, html string) ([]byte, error)
	// Ping returns an error if the browser does not respond within d.
	Ping(ctx context.Context, d time.Duration) error
	// Version identifies everything about the browser that determines the bytes of a PDF.
	Version() string
	// Gone is closed when the browser has exited.
	Gone() <-chan struct{}
	Close() error
}

// isLost reports whether an error from a Browser means that the browser has failed.
func isLost(err error) bool {
	var e interface{ Lost() bool }
	return errors.As(err, &e) && e.Lost()
}

type Launch func(context.Context) (Browser, error)

// Refiner rewrites files from browsers in such a way that every program can read them.
type Refiner interface {
	// Refine returns the improved file. It returns an error if it does not know the structure of the file.
	Refine(file []byte, m pdf.Metadata) ([]byte, error)
}

// Limits configures a pool. All values except Cache must be positive.
type Limits struct {
	// Slots is the number of browsers.
	Slots int
	// Queue is the maximum number of waiting documents.
	Queue int
	// Deadline limits how long it may take to print a document.
	Deadline time.Duration
	// Recycle is the number of documents after which a browser is replaced.
	Recycle int
	// Probe is the idle time after which a browser must prove that it can still print.
	Probe time.Duration
	// Cache is the size of the cache in bytes, or 0 to disable it.
	Cache int64
}

// Pool prints documents with a limited number of browsers. While the content of a document is the same, it
// prints the document only once.
type Pool struct {
	launch  Launch
	refiner Refiner
	limits  Limits
	log     *slog.Logger
	queue   *queue
	cache   *cache
	slots   []*slot
	running sync.WaitGroup
	// busy is the number of slots that are printing for a caller.
	busy    atomic.Int64
	closing context.Context
	close   context.CancelFunc
	// started is closed when the first browser has started.
	started chan struct{}

	mu      sync.Mutex
	jobs    map[string]*job
	version string
}

// PoolConfig holds the dependencies of a Pool. All are required.
type PoolConfig struct {
	Launch  Launch
	Refiner Refiner
	Limits  Limits
	Log     *slog.Logger
}

// NewPool returns a running pool. Its browsers start in the background.
func NewPool(c PoolConfig) (*Pool, error) {
	if c.Launch == nil || c.Refiner == nil || c.Log == nil {
		return nil, errors.New("render: Launch, Refiner and Log are required")
	}
	if l := c.Limits; l.Slots < 1 || l.Queue < 1 || l.Recycle < 1 || l.Deadline <= 0 || l.Probe <= 0 {
		return nil, errors.New("render: Slots, Queue, Recycle, Deadline and Probe must be positive")
	}
	p := &Pool{
		launch: c.Launch, refiner: c.Refiner, limits: c.Limits, log: c.Log,
		queue: newQueue(c.Limits.Queue), cache: newCache(c.Limits.Cache),
		started: make(chan struct{}), jobs: map[string]*job{},
	}
	p.closing, p.close = context.WithCancel(context.Background())
	for range c.Limits.Slots {
		s := &slot{pool: p, err: errStarting}
		p.slots = append(p.slots, s)
		p.running.Go(s.run)
	}
	expose(p)
	return p, nil
}

// Ready returns an error if no browser can currently print.
func (p *Pool) Ready() error {
	var all error
	for _, s := range p.slots {
		err := s.failure()
		if err == nil {
			return nil
		}
		all = errors.Join(all, err)
	}
	return fmt.Errorf("render: no browser: %w", all)
}

// Close stops all browsers and waits until they have exited.
func (p *Pool) Close() {
	p.close()
	p.running.Wait()
}

// Version returns the version of the browsers. It waits for the first browser to start. It returns an error
// if starting has already failed.
func (p *Pool) Version(ctx context.Context) (string, error) {
	select {
	case <-p.started:
		p.mu.Lock()
		defer p.mu.Unlock()
		return p.version, nil
	default:
	}
	if err := p.Ready(); err != nil && !errors.Is(err, errStarting) {
		return "", errUnprintable(err)
	}
	select {
	case <-p.started:
		return p.Version(ctx)
	case <-ctx.Done():
		return "", errUnprintable(ctx.Err())
	case <-p.closing.Done():
		return "", errUnprintable(errClosing)
	}
}

func (p *Pool) sawVersion(version string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.version == "" {
		close(p.started)
	}
	p.version = version
}

var (
	errClosing  = errors.New("shutting down")
	errStarting = errors.New("starting")
)

// errUnprintable returns the error for a document that cannot currently be printed
// (behaviour: pdf#failed-rendering).
func errUnprintable(cause error) error {
	return errs.New(errs.Unavailable, errs.CodeUnavailable, "The CV cannot be rendered now.").
		WithRetryAfter(5 * time.Second).WithCause(cause)
}
