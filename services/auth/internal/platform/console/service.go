package console

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/fault"
	"vitae.internal/services/auth/internal/people/person"
	"vitae.internal/services/auth/internal/people/session"
	"vitae.internal/services/auth/internal/platform/app"
)

const (
	// life is the maximum lifetime of a session. idle is how long a session may remain unused before it expires.
	life = 7 * 24 * time.Hour
	idle = session.ConsoleIdle
	// noteEvery is the minimum time between two updates of when a session was last used.
	noteEvery = time.Minute
	// maxName is the maximum length of a person's name in characters.
	maxName = 400
)

// Session is a live console session.
type Session struct {
	Person person.Person
	// Name is the name in the person's profile, or empty if the console wasn't given it.
	Name string
	// ExpiresAt is when the session expires even if it is in use.
	ExpiresAt time.Time
	// Hash is the hash of the session's secret.
	Hash credential.Digest
	// UsedAt is when the session was last used. It may lag by up to a minute.
	UsedAt time.Time
	// ProvenAt is the time of the last proof of presence in the browser session on which this session is based. It
	// is zero if there was none.
	ProvenAt time.Time
	// Proven reports whether that proof is recent.
	Proven bool
}

// Opening is a session that is to be stored.
type Opening struct {
	// Token is the hash of the access token with which the person signed in.
	Token, Session       credential.Digest
	Name                 string
	CreatedAt, ExpiresAt time.Time
}

// Store stores the console's app and sessions.
type Store interface {
	// EnsureConsoleApp creates the app or changes it as required. Replicas may call it concurrently.
	EnsureConsoleApp(ctx context.Context, w Wanted, now time.Time) (app.App, error)
	// OpenConsoleSession stores a session. It returns session.ErrEnded if the token is not a live token for the
	// console's app.
	OpenConsoleSession(ctx context.Context, o Opening) error
	// ConsoleSession reads a session that is live at now and was last used after the time since. Errors:
	// session.ErrEnded.
	ConsoleSession(ctx context.Context, hash credential.Digest, now, since time.Time) (Session, error)
	// NoteConsoleSessionUse records that a session is in use.
	NoteConsoleSessionUse(ctx context.Context, hash credential.Digest, now time.Time) error
	// CloseConsoleSession ends a session if it exists.
	CloseConsoleSession(ctx context.Context, hash credential.Digest) error
	// TakeConsoleForm records that a form was submitted in a session. It returns ErrFormSent if that submission had
	// already been recorded, or if the session has ended.
	TakeConsoleForm(ctx context.Context, session credential.Digest, form string) error
}

// Config configures a Service. All fields are required.
type Config struct {
	Store Store
	Clock clock.Clock
}

// Service manages the console's app and sessions.
type Service struct {
	store Store
	clock clock.Clock
}

// NewService returns a Service, or an error if a required field is missing.
func NewService(c Config) (*Service, error) {
	if c.Store == nil || c.Clock == nil {
		return nil, errors.New("console: Store and Clock are required")
	}
	return &Service{store: c.Store, clock: c.Clock}, nil
}

// Open opens a session for the person to whom a live access token for the console's app belongs. It returns the
// session's secret and expiry. Errors: session.ErrEnded.
func (s *Service) Open(ctx context.Context, accessToken, name string) (string, time.Time, error) {
	if !fault.Argument().Line("name", name, maxName) {
		name = "" // an unprintable name must not prevent the sign-in
	}
	if !credential.WellFormed(credential.AccessToken, accessToken) {
		return "", time.Time{}, session.ErrEnded
	}
	now, secret := s.clock.Now(), rand.Text()+rand.Text() // 260 random bits
	end := now.Add(life)
	err := s.store.OpenConsoleSession(ctx, Opening{
		Token: credential.Hash(accessToken), Session: credential.Hash(secret), Name: name, CreatedAt: now, ExpiresAt: end,
	})
	if err != nil {
		return "", time.Time{}, err
	}
	return secret, end, nil
}

// Session returns a live session, records its use, and adds the person to the audit event. Errors:
// session.ErrEnded.
func (s *Service) Session(ctx context.Context, secret string) (Session, error) {
	now := s.clock.Now()
	found, err := s.store.ConsoleSession(ctx, credential.Hash(secret), now, now.Add(-idle))
	if err != nil {
		return Session{}, err
	}
	found.Proven = now.Sub(found.ProvenAt) < session.ProofLife
	audit.FromContext(ctx).Note(audit.About{By: audit.ByPerson(found.Person.ID), PersonID: found.Person.ID})
	if now.Sub(found.UsedAt) >= noteEvery {
		// If recording the use fails, the call must not fail; the next call tries to record it again.
		_ = s.store.NoteConsoleSessionUse(ctx, found.Hash, now)
	}
	return found, nil
}

// Close ends a session.
func (s *Service) Close(ctx context.Context, hash credential.Digest) error {
	return s.store.CloseConsoleSession(ctx, hash)
}

// ErrFormSent is returned if a form that creates something has already been submitted.
var ErrFormSent = errs.New(errs.Exists, "FORM_SENT", "The form was already sent.")

// TakeForm accepts each submission of a form that creates something only once per session. Otherwise, reloading the
// page that shows a new secret would submit the form again and create another one
// (behaviour: console#a-form-that-is-sent-again). An idempotency key in the created row would not work, because some
// of these rows are deleted. Errors: ErrFormSent; Invalid for form.
func (s *Service) TakeForm(ctx context.Context, hash credential.Digest, form string) error {
	if !fault.IsStorable(form) {
		return fault.Of(fault.CodeArgument, "form", "contains a character that cannot be stored")
	}
	return s.store.TakeConsoleForm(ctx, hash, form)
}
