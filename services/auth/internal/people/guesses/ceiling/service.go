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

// Key identifies the state of an account and a browser. Account is the hash of the email address in lower case, and
// Device is the hash of the token in the device cookie.
type Key struct {
	Account, Device credential.Digest
}

// Store stores states. If there is none for a key, it is the zero State.
type Store interface {
	Ceiling(ctx context.Context, k Key) (State, error)
	// ChangeCeiling locks the account's state, and replaces the state with the one that change returns.
	ChangeCeiling(ctx context.Context, k Key, change func(State) State) error
}

// Config configures a Service. All fields are required.
type Config struct {
	Store Store
	Clock clock.Clock
	Log   *slog.Logger
}

// Service decides which attempts may be checked.
type Service struct {
	store Store
	clock clock.Clock
	log   *slog.Logger
}

// NewService returns a Service, or an error if a required field is missing.
func NewService(c Config) (*Service, error) {
	if c.Store == nil || c.Clock == nil || c.Log == nil {
		return nil, errors.New("ceiling: Store, Clock and Log are required")
	}
	return &Service{store: c.Store, clock: c.Clock, log: c.Log}, nil
}

// Attempt is a sign-in from a browser that the account does not know.
type Attempt struct {
	// EmailKey is the email address in lower case.
	EmailKey string
	// Device is the token in the device cookie, or empty if the browser has none.
	Device string
	// Since is when the browser was last asked to wait, or when it received the cookie. It is ignored if Device is
	// empty.
	Since time.Time
}

func (a Attempt) key() Key {
	return Key{Account: sha256.Sum256([]byte(a.EmailKey)), Device: sha256.Sum256([]byte(a.Device))}
}

// Admission is an attempt whose password may be checked. It counts as a failure unless Forgive or
// TakeBack is called.
type Admission struct {
	key      Key
	decision decision
}

// Admit admits an attempt, or returns how long the browser must wait.
func (s *Service) Admit(ctx context.Context, a Attempt) (Admission, time.Duration, error) {
	now := s.clock.Now()
	since := a.Since
	if a.Device == "" {
		since = time.Time{}
	} else if since.IsZero() || since.After(now) {
		since = now // the clocks of two machines may differ slightly
	}
	k := a.key()
	// Check without a lock first: most attempts in a flood are rejected and change nothing, so they must not queue
	// for the row.
	held, err := s.store.Ceiling(ctx, k)
	if err != nil {
		return Admission{}, 0, err
	}
	if after, w, wait := held.admit(since, now); w == refused && after == held {
		return Admission{}, wait, nil
	}
	var got decision
	var wait time.Duration
	err = s.store.ChangeCeiling(ctx, k, func(held State) State {
		var after State
		after, got, wait = held.admit(since, now)
		return after
	})
	if err != nil {
		return Admission{}, 0, err
	}
	return Admission{key: k, decision: got}, wait, nil
}

// Forgive reverses the counting of an attempt whose password was right.
func (s *Service) Forgive(ctx context.Context, a Admission) {
	s.change(ctx, a, func(held State) State { return held.forgiven(a.decision) })
}

// TakeBack reverses the counting of an admitted attempt whose password was not checked.
func (s *Service) TakeBack(ctx context.Context, a Admission) {
	now := s.clock.Now()
	s.change(ctx, a, func(held State) State { return held.takenBack(a.decision, now) })
}

// change updates the state after an attempt. If that fails, the sign-in must not fail: the attempt stays counted,
// which is safe.
func (s *Service) change(ctx context.Context, a Admission, change func(State) State) {
	if err := s.store.ChangeCeiling(ctx, a.key, change); err != nil {
		s.log.WarnContext(ctx, "a sign-in attempt was not removed from the count", "error", err)
	}
}
