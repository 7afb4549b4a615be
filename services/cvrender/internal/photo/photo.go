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
	// keepPhoto is how long a photo is kept. Opening the same CV again costs no request, and
	// a changed photo shows within a minute.
	keepPhoto = time.Minute
	// keepFailure is how long a failure is kept, so that a dead host is not asked at every
	// opening of the CV.
	keepFailure = 15 * time.Second
	// maxKept is how many photos are kept, of about 40 KiB each.
	maxKept = 64
	// maxFetches, and maxSmall and maxLarge decodings, run at once. All of them together wait
	// for the memory that the pictures of a process may take.
	maxFetches = 16
	maxSmall   = 4
	maxLarge   = 1
	// turnTimeout bounds the wait for a turn and for memory, decodeTimeout the decoding. A
	// large picture takes most of a second on a core of its own. After either the CV is
	// rendered without the photo.
	turnTimeout   = 4 * time.Second
	decodeTimeout = 3 * time.Second
)

// Source gives photos ready for a CV. It is safe for concurrent use.
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
		fetches: make(chan struct{}, maxFetches), small: newLane(maxSmall), large: newLane(maxLarge),
		finished: map[[sha256.Size]byte]outcome{},
	}, nil
}

// Get gives the photo at an address as a small square JPEG. Callers of one share that ask
// for the same address share one fetch, which goes on if one of them gives up. The work
// counts against the share, so a share never waits for the turns of another one.
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

// decode decodes a picture when it is the turn of its share. Large pictures have a lane
// of their own, so that small ones never wait for their turns.
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
