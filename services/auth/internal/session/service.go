// Package session is about browser sessions: it signs people in and out, and says who
// is signed in.
//
// Neither its answers nor the time that they take may reveal whether an e-mail address
// has an account. It must never continue a session that existed before the sign-in.
package session

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"time"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/fault"
	"vitae.internal/services/auth/internal/password"
	"vitae.internal/services/auth/internal/person"
	"vitae.internal/services/auth/internal/throttle"
)

// Errors of the package.
var (
	// ErrFailed is the same for a wrong password and an unknown address.
	ErrFailed = errs.New(errs.Unauthenticated, "SIGN_IN_FAILED", "The e-mail address or the password is wrong.")
	// ErrEnded is for a session that is unknown, expired or signed out.
	ErrEnded = errs.New(errs.Unauthenticated, "SESSION_ENDED", "The session has ended. Sign in again.")
)

// Hash is the SHA-256 of a session's secret. The secret itself is not stored.
type Hash = [32]byte

// Store keeps sessions and knows people's password hashes.
type Store interface {
	// PersonByEmail reads a person and the password hash; person.ErrNotFound.
	PersonByEmail(ctx context.Context, emailKey string) (person.Person, string, error)
	// ReplacePasswordHash stores a new hash unless the old one was replaced already.
	ReplacePasswordHash(ctx context.Context, personID, oldHash, newHash string) error
	// OpenSession stores a session and ends the previous one in one step.
	OpenSession(ctx context.Context, hash, previous Hash, personID string, createdAt, expiresAt time.Time) error
	// Session reads the person and the end of a live session; ErrEnded.
	Session(ctx context.Context, hash Hash, now time.Time) (person.Person, time.Time, error)
	// CloseSession ends a session, if it is there.
	CloseSession(ctx context.Context, hash Hash) error
}

// Config is what a Service is made of. All fields are required.
type Config struct {
	Store    Store
	Hasher   *password.Hasher
	Throttle *throttle.Throttle
	// Life is how long a session lives.
	Life  time.Duration
	Clock clock.Clock
	Log   *slog.Logger
}

// Service signs people in and out.
type Service struct {
	store    Store
	hasher   *password.Hasher
	throttle *throttle.Throttle
	life     time.Duration
	clock    clock.Clock
	log      *slog.Logger
}

// NewService makes a Service.
func NewService(c Config) (*Service, error) {
	if c.Store == nil || c.Hasher == nil || c.Throttle == nil || c.Life <= 0 || c.Clock == nil || c.Log == nil {
		return nil, errors.New("session: Store, Hasher, Throttle, Life, Clock and Log are required")
	}
	return &Service{store: c.Store, hasher: c.Hasher, throttle: c.Throttle, life: c.Life, clock: c.Clock, log: c.Log}, nil
}

// SignIn is an attempt to sign in.
type SignIn struct {
	Email    string
	Password string
	// ClientIP is the address of the browser. Guesses are counted by it.
	ClientIP string
	// Previous is the secret of the session that the browser has; empty if it has none.
	Previous string
}

// Opened is a session that was just opened.
type Opened struct {
	// Secret is the value of the cookie; only its hash is stored.
	Secret    string
	Person    person.Person
	ExpiresAt time.Time
}

// SignIn checks a password and opens a session. Errors: ErrFailed; Exhausted
// SIGN_IN_SLOWED with the time to wait; password.ErrBusy.
func (s *Service) SignIn(ctx context.Context, in SignIn) (Opened, error) {
	emailKey := person.EmailKey(in.Email)
	attempt := throttle.NewAttempt(emailKey, in.ClientIP)
	if wait := s.throttle.Admit(ctx, attempt); wait > 0 {
		return Opened{}, errs.New(errs.Exhausted, "SIGN_IN_SLOWED", "Too many wrong passwords. Try again later.").WithRetryAfter(wait)
	}
	who, stored, err := s.find(ctx, emailKey)
	if err != nil {
		return Opened{}, err
	}
	by := password.Share{Class: password.Strangers, Key: throttle.Network(in.ClientIP)}
	ok, stale, err := s.hasher.Check(ctx, by, in.Password, stored)
	if err != nil {
		return Opened{}, err
	}
	if !ok {
		return Opened{}, ErrFailed
	}
	s.throttle.Forgive(ctx, attempt)
	if stale {
		s.rehash(ctx, by, who.ID, stored, in.Password)
	}
	return s.open(ctx, who, in.Previous)
}

// find reads a person and the password hash. Both are empty for an unknown address.
func (s *Service) find(ctx context.Context, emailKey string) (person.Person, string, error) {
	if !fault.IsStorable(emailKey) {
		return person.Person{}, "", nil
	}
	who, stored, err := s.store.PersonByEmail(ctx, emailKey)
	if errs.HasCode(err, person.ErrNotFound.Code) {
		err = nil
	}
	return who, stored, err
}

func (s *Service) open(ctx context.Context, who person.Person, previous string) (Opened, error) {
	now := s.clock.Now()
	o := Opened{Secret: newSecret(), Person: who, ExpiresAt: now.Add(s.life)}
	err := s.store.OpenSession(ctx, credential.Hash(o.Secret), credential.Hash(previous), who.ID, now, o.ExpiresAt)
	return o, err
}

// rehash replaces a stored hash by one of the present cost. The sign-in succeeds even if
// it fails.
func (s *Service) rehash(ctx context.Context, by password.Share, personID, stored, plain string) {
	fresh, err := s.hasher.Hash(ctx, by, plain)
	if err == nil {
		err = s.store.ReplacePasswordHash(ctx, personID, stored, fresh)
	}
	if err != nil {
		s.log.WarnContext(ctx, "a password keeps its old hash", "person", personID, "error", err)
	}
}

// Get gives the person of a live session, and when the session ends. Errors: ErrEnded.
func (s *Service) Get(ctx context.Context, secret string) (person.Person, time.Time, error) {
	return s.store.Session(ctx, credential.Hash(secret), s.clock.Now())
}

// SignOut ends a session. It succeeds for an unknown session too.
func (s *Service) SignOut(ctx context.Context, secret string) error {
	return s.store.CloseSession(ctx, credential.Hash(secret))
}

// newSecret makes a secret of at least 256 random bits.
func newSecret() string { return rand.Text() + rand.Text() }
