package ceiling

import (
	"context"
	"crypto/sha256"
	"errors"
	"log/slog"
	"time"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/credential"
)

// Key names the state of an account and one browser.
type Key struct {
	// Account is the hash of the e-mail address in lower case, Device that of the token
	// in the browser's device cookie.
	Account, Device credential.Digest
}

// Store keeps states. A state that is not there is the zero State.
type Store interface {
	// Ceiling reads a state.
	Ceiling(ctx context.Context, k Key) (State, error)
	// ChangeCeiling replaces a state by what change makes of it. Nobody else changes the
	// account's state meanwhile.
	ChangeCeiling(ctx context.Context, k Key, change func(State) State) error
}

// Config is what a Service is made of. All fields are required.
type Config struct {
	Store Store
	Clock clock.Clock
	Log   *slog.Logger
}

// Service decides which attempts are checked.
type Service struct {
	store Store
	clock clock.Clock
	log   *slog.Logger
}

// NewService makes a Service.
func NewService(c Config) (*Service, error) {
	if c.Store == nil || c.Clock == nil || c.Log == nil {
		return nil, errors.New("ceiling: Store, Clock and Log are required")
	}
	return &Service{store: c.Store, clock: c.Clock, log: c.Log}, nil
}

// Attempt is a sign-in from a browser that the account does not know.
type Attempt struct {
	// EmailKey is the e-mail address in lower case.
	EmailKey string
	// Device is the token of the browser's device cookie, empty if it has none.
	Device string
	// Since is when the browser was last told to wait, or was given the cookie. It is not
	// looked at without Device.
	Since time.Time
}

func (a Attempt) key() Key {
	return Key{Account: sha256.Sum256([]byte(a.EmailKey)), Device: sha256.Sum256([]byte(a.Device))}
}

// Admission is an attempt whose password may be checked. It is counted as a failure until
// Forgive or GiveBack says otherwise.
type Admission struct {
	key Key
	way way
}

// Admit lets an attempt in, or gives the time to wait.
func (s *Service) Admit(ctx context.Context, a Attempt) (Admission, time.Duration, error) {
	now := s.clock.Now()
	since := a.Since
	if a.Device == "" {
		since = time.Time{}
	} else if since.IsZero() || since.After(now) {
		since = now // the clocks of two machines differ a little
	}
	k := a.key()
	// Without a lock first: most attempts of a flood are refused and change nothing, and
	// must not queue for the row.
	held, err := s.store.Ceiling(ctx, k)
	if err != nil {
		return Admission{}, 0, err
	}
	if after, w, wait := held.admit(since, now); w == refused && after == held {
		return Admission{}, wait, nil
	}
	var got way
	var wait time.Duration
	err = s.store.ChangeCeiling(ctx, k, func(held State) State {
		var after State
		after, got, wait = held.admit(since, now)
		return after
	})
	if err != nil {
		return Admission{}, 0, err
	}
	return Admission{key: k, way: got}, wait, nil
}

// Forgive takes back an attempt whose password was right.
func (s *Service) Forgive(ctx context.Context, a Admission) {
	s.change(ctx, a, func(held State) State { return held.forgiven(a.way) })
}

// GiveBack takes back an attempt that was let in and not checked after all.
func (s *Service) GiveBack(ctx context.Context, a Admission) {
	now := s.clock.Now()
	s.change(ctx, a, func(held State) State { return held.givenBack(a.way, now) })
}

// change changes the state after an attempt. What fails leaves the attempt counted, which
// is the safe side, and must not fail the sign-in.
func (s *Service) change(ctx context.Context, a Admission, change func(State) State) {
	if err := s.store.ChangeCeiling(ctx, a.key, change); err != nil {
		s.log.WarnContext(ctx, "a sign-in attempt stays counted", "error", err)
	}
}
