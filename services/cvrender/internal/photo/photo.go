package photo

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"vitae.internal/pkg/clock"
)

const (
	// keepPhoto is how long a photo is kept. Opening the same CV again costs no request, and
	// a changed photo shows within a minute.
	keepPhoto = time.Minute
	// keepFailure is how long a failure is kept, so that a dead host is not asked at every
	// opening of the CV.
	keepFailure = 15 * time.Second
	// maxKept is how many photos are kept, of about 40 KiB each.
	maxKept = 64
	// maxFetches and maxDecodes run at once. A decoding may take 128 MB.
	maxFetches = 16
	maxDecodes = 1
)

// Source gives photos ready for a CV. It is safe for concurrent use.
type Source struct {
	fetcher  *fetcher
	clock    clock.Clock
	flight   singleflight.Group
	fetches  chan struct{}
	decodes  chan struct{}
	mu       sync.Mutex
	finished map[[sha256.Size]byte]outcome
}

type outcome struct {
	jpeg  []byte
	err   error
	until time.Time
}

// Config is what a Source needs.
type Config struct {
	// Allow are blocks of addresses that may be asked although they are not public, for
	// local demonstrations. Empty for none.
	Allow []netip.Prefix
	// Clock is required.
	Clock clock.Clock
}

// NewSource makes a Source.
func NewSource(c Config) (*Source, error) {
	if c.Clock == nil {
		return nil, errors.New("photo: Clock is required")
	}
	return &Source{
		fetcher: newFetcher(c.Allow), clock: c.Clock,
		fetches: make(chan struct{}, maxFetches), decodes: make(chan struct{}, maxDecodes),
		finished: map[[sha256.Size]byte]outcome{},
	}, nil
}

// Get gives the photo at an address as a small square JPEG. Callers that ask for the same
// address share one fetch, which goes on if one of them gives up.
func (s *Source) Get(ctx context.Context, address string) ([]byte, error) {
	key := sha256.Sum256([]byte(address))
	if o, ok := s.remembered(key); ok {
		return o.jpeg, o.err
	}
	ch := s.flight.DoChan(string(key[:]), func() (any, error) {
		if o, ok := s.remembered(key); ok {
			return o.jpeg, o.err
		}
		work, cancel := context.WithTimeout(context.WithoutCancel(ctx), fetchTimeout)
		defer cancel()
		jpeg, err := s.load(work, address)
		s.remember(key, jpeg, err)
		return jpeg, err
	})
	select {
	case r := <-ch:
		jpeg, _ := r.Val.([]byte)
		return jpeg, r.Err
	case <-ctx.Done():
		return nil, fmt.Errorf("photo: %w", ctx.Err())
	}
}

func (s *Source) load(ctx context.Context, address string) ([]byte, error) {
	if err := enter(ctx, s.fetches); err != nil {
		return nil, err
	}
	file, err := s.fetcher.fetch(ctx, address)
	<-s.fetches
	if err != nil {
		return nil, err
	}
	if err := enter(ctx, s.decodes); err != nil {
		return nil, err
	}
	defer func() { <-s.decodes }()
	return reencode(file)
}

func enter(ctx context.Context, places chan struct{}) error {
	select {
	case places <- struct{}{}:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("photo: waiting: %w", ctx.Err())
	}
}

func (s *Source) remembered(key [sha256.Size]byte) (outcome, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o, ok := s.finished[key]
	return o, ok && s.clock.Now().Before(o.until)
}

func (s *Source) remember(key [sha256.Size]byte, jpeg []byte, err error) {
	keep := keepPhoto
	if err != nil {
		keep = keepFailure
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.clock.Now()
	if len(s.finished) >= maxKept {
		s.forgetOne(now)
	}
	s.finished[key] = outcome{jpeg: jpeg, err: err, until: now.Add(keep)}
}

// forgetOne makes room: it drops expired photos, or else any photo.
func (s *Source) forgetOne(now time.Time) {
	for key, o := range s.finished {
		if !now.Before(o.until) {
			delete(s.finished, key)
		}
	}
	for key := range s.finished {
		if len(s.finished) < maxKept {
			return
		}
		delete(s.finished, key)
	}
}
