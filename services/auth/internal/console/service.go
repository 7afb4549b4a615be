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
	"vitae.internal/services/auth/internal/developer"
	"vitae.internal/services/auth/internal/person"
	"vitae.internal/services/auth/internal/session"
)

const (
	// life is how long a session lives at most, idle how long without use.
	life = 7 * 24 * time.Hour
	idle = session.ConsoleIdle
	// noteEvery is how often the use of a session is noted.
	noteEvery = time.Minute
	// maxName bounds a person's name, in characters.
	maxName = 400
)

// Session is a live session of the console.
type Session struct {
	Person person.Person
	// Name is that of the person's profile; empty if the console was told none.
	Name string
	// ExpiresAt is when it ends even if it is used.
	ExpiresAt time.Time
	// Hash is that of its secret.
	Hash credential.Digest
	// UsedAt is its last use, up to a minute behind.
	UsedAt time.Time
	// ProvenAt is when the person has last proven to be there, in the browser session that it belongs
	// to; zero where it belongs to none.
	ProvenAt time.Time
	// Proven reports whether this was recent.
	Proven bool
}

// Opening is a session to store.
type Opening struct {
	// Token is the hash of the access token by which the person signs in.
	Token, Session       credential.Digest
	Name                 string
	CreatedAt, ExpiresAt time.Time
}

// Store keeps the console's app and sessions.
type Store interface {
	// EnsureConsoleApp makes or changes the app. Replicas may do so at once.
	EnsureConsoleApp(ctx context.Context, w Wanted, now time.Time) (developer.App, error)
	// OpenConsoleSession gives session.ErrEnded if the token is not a live one of the
	// console's app.
	OpenConsoleSession(ctx context.Context, o Opening) error
	// ConsoleSession reads a session that lives now and was used since; session.ErrEnded.
	ConsoleSession(ctx context.Context, hash credential.Digest, now, since time.Time) (Session, error)
	// NoteConsoleSessionUse notes that a session was used now.
	NoteConsoleSessionUse(ctx context.Context, hash credential.Digest, now time.Time) error
	// CloseConsoleSession ends a session, if it is there.
	CloseConsoleSession(ctx context.Context, hash credential.Digest) error
	// TakeConsoleForm notes that a form of a session was sent. Errors: ErrFormSent if that
	// was noted before, or the session has ended.
	TakeConsoleForm(ctx context.Context, session credential.Digest, form string) error
}

// Config is what a Service is made of. All fields are required.
type Config struct {
	Store Store
	Clock clock.Clock
}

// Service manages the console's app and sessions.
type Service struct {
	store Store
	clock clock.Clock
}

// NewService makes a Service.
func NewService(c Config) (*Service, error) {
	if c.Store == nil || c.Clock == nil {
		return nil, errors.New("console: Store and Clock are required")
	}
	return &Service{store: c.Store, clock: c.Clock}, nil
}

// Open opens a session for the person of a live access token of the console's app, and
// gives its secret and its end. Errors: session.ErrEnded.
func (s *Service) Open(ctx context.Context, accessToken, name string) (string, time.Time, error) {
	if !fault.Argument().Line("name", name, maxName) {
		name = "" // nobody is kept out by a name that cannot be shown in a line
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

// Session gives a live session, and notes its use. The audit log learns who acts. Errors:
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
		// A call is not refused because of a note. The next call writes it.
		_ = s.store.NoteConsoleSessionUse(ctx, found.Hash, now)
	}
	return found, nil
}

// Close ends a session.
func (s *Service) Close(ctx context.Context, hash credential.Digest) error {
	return s.store.CloseConsoleSession(ctx, hash)
}

// ErrFormSent is for a form that makes something and was sent before.
var ErrFormSent = errs.New(errs.Exists, "FORM_SENT", "The form was sent before.")

// TakeForm accepts a form that creates something once per session, because a reload of the
// page that shows a new secret sends the form again (behaviour: console#a-form-that-is-sent-again).
// An idempotency key per created row would not work: some of these rows are deleted.
// Errors: ErrFormSent; Invalid naming form.
func (s *Service) TakeForm(ctx context.Context, hash credential.Digest, form string) error {
	if !fault.IsStorable(form) {
		return fault.Of(fault.CodeArgument, "form", "holds a character that cannot be stored")
	}
	return s.store.TakeConsoleForm(ctx, hash, form)
}
