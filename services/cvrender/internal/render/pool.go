package render

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"vitae.internal/pkg/errs"
)

// Browser prints documents, one at a time. After an error of Print it is closed.
type Browser interface {
	// Print gives the PDF of an HTML document. An error that is chromium.ErrLost
	// is the browser's fault, not the document's.
	Print(ctx context.Context, html string) ([]byte, error)
	// Ping fails when there is no sign of life within d.
	Ping(ctx context.Context, d time.Duration) error
	// Version names everything about the browser that the bytes depend on.
	Version() string
	// Gone is closed when the browser has ended.
	Gone() <-chan struct{}
	// Close ends it and leaves nothing behind.
	Close() error
}

// Launch starts a browser.
type Launch func(context.Context) (Browser, error)

// Limits bound a pool. All are required.
type Limits struct {
	// Slots is how many browsers there are.
	Slots int
	// Queue is how many documents may wait.
	Queue int
	// Deadline is for printing one document.
	Deadline time.Duration
	// Recycle is after how many documents a browser is replaced.
	Recycle int
	// Probe is how long a browser may be idle before it must prove that it can
	// still print.
	Probe time.Duration
	// Cache is how many bytes of finished PDFs are kept.
	Cache int64
}

// Pool prints documents with a bounded number of browsers, each content once.
type Pool struct {
	launch  Launch
	limits  Limits
	log     *slog.Logger
	queue   *queue
	cache   *cache
	slots   []*slot
	running sync.WaitGroup
	closing context.Context
	close   context.CancelFunc
	// started is closed when the first browser has started.
	started chan struct{}

	mu      sync.Mutex
	jobs    map[string]*job
	version string
}

// NewPool starts a pool; its browsers start in the background.
func NewPool(launch Launch, limits Limits, log *slog.Logger) (*Pool, error) {
	if launch == nil || log == nil || limits.Slots < 1 || limits.Queue < 1 || limits.Recycle < 1 ||
		limits.Deadline <= 0 || limits.Probe <= 0 {
		return nil, errors.New("render: incomplete pool")
	}
	p := &Pool{
		launch: launch, limits: limits, log: log,
		queue: newQueue(limits.Queue), cache: newCache(limits.Cache),
		started: make(chan struct{}), jobs: map[string]*job{},
	}
	p.closing, p.close = context.WithCancel(context.Background())
	for range limits.Slots {
		s := &slot{pool: p, err: errStarting}
		p.slots = append(p.slots, s)
		p.running.Go(s.run)
	}
	return p, nil
}

// Ready reports why no browser can print now, nil if one can.
func (p *Pool) Ready() error {
	var all error
	for _, s := range p.slots {
		err := s.fault()
		if err == nil {
			return nil
		}
		all = errors.Join(all, err)
	}
	return fmt.Errorf("render: no browser: %w", all)
}

// Close stops all browsers and waits until they are gone.
func (p *Pool) Close() {
	p.close()
	p.running.Wait()
}

// Version is that of the browsers. It waits for the first one to start, unless
// starting has failed already.
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

// errUnprintable is that a document cannot be printed now.
func errUnprintable(cause error) error {
	return errs.New(errs.Unavailable, "SERVICE_UNAVAILABLE", "The CV cannot be rendered now.").
		WithRetryAfter(5 * time.Second).WithCause(cause)
}
