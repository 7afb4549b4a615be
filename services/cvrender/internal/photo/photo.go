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
	"vitae.internal/pkg/picture"
)

const (
	// keepPhoto is how long a photo is cached. Opening the same CV again requires no request, but a
	// changed photo still appears within a minute.
	keepPhoto = time.Minute
	// keepFailure is how long a failure is cached. It prevents an unreachable host from being
	// contacted each time the CV is opened.
	keepFailure = 15 * time.Second
	// maxKept is the maximum number of cached photos. Each takes about 40 KiB.
	maxKept = 64
	// maxFetches, maxSmall and maxLarge are the maximum numbers of concurrent fetches, of small
	// pictures decoded concurrently, and of large pictures decoded concurrently. They share the
	// process's memory limit for pictures.
	maxFetches = 16
	maxSmall   = 4
	maxLarge   = 1
	// turnTimeout limits how long a picture waits for a slot and for memory. decodeTimeout limits the
	// decoding, which takes most of a second on one core for a large picture. When either expires,
	// the CV is rendered without the photo.
	turnTimeout   = 4 * time.Second
	decodeTimeout = 3 * time.Second
)

// Source returns photos that are ready for a CV. It is safe for concurrent use.
type Source struct {
	fetcher  *fetcher
	clock    clock.Clock
	flight   singleflight.Group
	fetches  chan struct{}
	small    *lane
	large    *lane
	mu       sync.Mutex
	finished map[[sha256.Size]byte]outcome
}

type outcome struct {
	jpeg  []byte
	err   error
	until time.Time
}

type Config struct {
	// Allow lists blocks of addresses that may be reached although they are not public. It is meant
	// for local demonstrations.
	Allow []netip.Prefix
	// Clock is required.
	Clock clock.Clock
}

// NewSource returns a Source.
func NewSource(c Config) (*Source, error) {
	if c.Clock == nil {
		return nil, errors.New("photo: Clock is required")
	}
	return &Source{
		fetcher: newFetcher(c.Allow), clock: c.Clock,
		fetches: make(chan struct{}, maxFetches), small: newLane(maxSmall), large: newLane(maxLarge),
		finished: map[[sha256.Size]byte]outcome{},
	}, nil
}

// Get returns the photo at a URL as a small square JPEG. If callers from the same share request the
// same URL, they share one fetch, which continues even if one of them cancels. The work counts
// against the share, so a share never waits for the work of a different one.
func (s *Source) Get(ctx context.Context, share, address string) ([]byte, error) {
	key := sha256.Sum256([]byte(address))
	if o, ok := s.remembered(key); ok {
		return o.jpeg, o.err
	}
	ch := s.flight.DoChan(string(key[:])+share, func() (any, error) {
		if o, ok := s.remembered(key); ok {
			return o.jpeg, o.err
		}
		jpeg, err := s.load(context.WithoutCancel(ctx), share, address)
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

func (s *Source) load(ctx context.Context, share, address string) ([]byte, error) {
	file, err := s.fetch(ctx, address)
	if err != nil {
		return nil, err
	}
	return s.decode(ctx, share, file)
}

func (s *Source) fetch(ctx context.Context, address string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, fetchTimeout)
	defer cancel()
	select {
	case s.fetches <- struct{}{}:
		defer func() { <-s.fetches }()
	case <-ctx.Done():
		return nil, fmt.Errorf("photo: waiting to be fetched: %w", ctx.Err())
	}
	return s.fetcher.fetch(ctx, address)
}

// decode decodes a picture when it is the share's turn. Large pictures have a separate lane, so small
// pictures never wait for them.
func (s *Source) decode(ctx context.Context, share string, file []byte) ([]byte, error) {
	f, err := picture.Inspect(file)
	if err != nil {
		return nil, err
	}
	line := s.small
	if f.Pixels > fewPixels || f.Bytes > fewBytes {
		line = s.large
	}
	turn, cancel := context.WithTimeout(ctx, turnTimeout)
	defer cancel()
	leave, err := line.enter(turn, share)
	if err != nil {
		return nil, err
	}
	defer leave()
	release, err := f.Reserve(turn)
	if err != nil {
		return nil, fmt.Errorf("photo: %w", err)
	}
	defer release()
	work, cancel := context.WithTimeout(ctx, decodeTimeout)
	defer cancel()
	return square(work, f)
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

// forgetOne removes all expired photos from the cache. If the cache is still full, it also removes an
// arbitrary photo.
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
