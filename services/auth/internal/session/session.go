// Package session is about browser sessions: signing in, who is signed in, and
// signing out.
//
// It must never let the answer or its time tell whether an e-mail address has an
// account, and never take over a session that was there before the sign-in.
package session

import (
	"context"
	"crypto/rand"
	"log/slog"
	"time"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
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

// Hash is the SHA-256 of a session's secret, all that is kept of it.
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

// Sessions signs people in and out.
type Sessions struct {
	store    Store
	hasher   *password.Hasher
	throttle *throttle.Throttle
	life     time.Duration
	clock    clock.Clock
	log      *slog.Logger
}

// New makes a Sessions whose sessions end after life.
func New(store Store, hasher *password.Hasher, t *throttle.Throttle, life time.Duration, c clock.Clock, log *slog.Logger) *Sessions {
	return &Sessions{store: store, hasher: hasher, throttle: t, life: life, clock: c, log: log}
}

// SignIn is an attempt to sign in.
type SignIn struct {
	Email    string
	Password string
	// ClientIP is the address of the browser, for slowing down guesses.
	ClientIP string
	// Previous is the secret of the session that the browser carried, if any.
	Previous string
}

// Opened is a session just opened.
type Opened struct {
	// Secret is for the cookie; only its hash is kept.
	Secret    string
	Person    person.Person
	ExpiresAt time.Time
}

// SignIn checks a password and opens a session. Errors: ErrFailed; Exhausted
// SIGN_IN_SLOWED with the time to wait.
func (s *Sessions) SignIn(ctx context.Context, in SignIn) (Opened, error) {
	emailKey := person.EmailKey(in.Email)
	attempt := throttle.NewAttempt(emailKey, in.ClientIP)
	if wait := s.throttle.Admit(ctx, attempt); wait > 0 {
		return Opened{}, errs.New(errs.Exhausted, "SIGN_IN_SLOWED", "Too many wrong passwords. Try again later.").WithRetryAfter(wait)
	}
	who, stored, err := s.store.PersonByEmail(ctx, emailKey)
	if err != nil && !errs.HasCode(err, person.ErrNotFound.Code) {
		return Opened{}, err
	}
	ok, stale, err := s.hasher.Check(ctx, in.Password, stored)
	if err != nil {
		return Opened{}, err
	}
	if !ok {
		return Opened{}, ErrFailed
	}
	s.throttle.Forgive(ctx, attempt)
	if stale {
		s.rehash(ctx, who.ID, stored, in.Password)
	}
	return s.open(ctx, who, in.Previous)
}

func (s *Sessions) open(ctx context.Context, who person.Person, previous string) (Opened, error) {
	now := s.clock.Now()
	o := Opened{Secret: newSecret(), Person: who, ExpiresAt: now.Add(s.life)}
	err := s.store.OpenSession(ctx, credential.Hash(o.Secret), credential.Hash(previous), who.ID, now, o.ExpiresAt)
	return o, err
}

// rehash brings a stored hash to the present cost. The sign-in does not depend on it.
func (s *Sessions) rehash(ctx context.Context, personID, stored, plain string) {
	fresh, err := s.hasher.Hash(ctx, plain)
	if err == nil {
		err = s.store.ReplacePasswordHash(ctx, personID, stored, fresh)
	}
	if err != nil {
		s.log.WarnContext(ctx, "a password keeps its old hash", "person", personID, "error", err)
	}
}

// Get tells who is signed in, and until when. Errors: ErrEnded.
func (s *Sessions) Get(ctx context.Context, secret string) (person.Person, time.Time, error) {
	return s.store.Session(ctx, credential.Hash(secret), s.clock.Now())
}

// SignOut ends a session. It succeeds for an unknown one.
func (s *Sessions) SignOut(ctx context.Context, secret string) error {
	return s.store.CloseSession(ctx, credential.Hash(secret))
}

// newSecret makes 130 random bits or more.
func newSecret() string { return rand.Text() + rand.Text() }
