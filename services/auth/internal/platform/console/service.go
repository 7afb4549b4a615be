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
	// life is the maximum lifetime of a session, idle the maximum time without use.
	life = 7 * 24 * time.Hour
	idle = session.ConsoleIdle
	// noteEvery is the minimum interval between two notes of a session's use.
	noteEvery = time.Minute
	// maxName is the maximum length of a person's name in characters.
	maxName = 400
)

// Session is a live session of the console.
type Session struct {
	Person person.Person
	// Name is the name in the person's profile; empty if the console didn't receive it.
	Name string
	// ExpiresAt is when the session ends even if it is used.
	ExpiresAt time.Time
	// Hash is the hash of the session's secret.
	Hash credential.Digest
	// UsedAt is the last use, up to a minute late.
	UsedAt time.Time
	// ProvenAt is the last proof of presence in the browser session that this session belongs
	// to; zero if there is none.
	ProvenAt time.Time
	// Proven reports whether that proof is recent.
	Proven bool
}

// Opening is a session to store.
type Opening struct {
	// Token is the hash of the access token with which the person signs in.
	Token, Session       credential.Digest
	Name                 string
	CreatedAt, ExpiresAt time.Time
}

// Store keeps the console's app and sessions.
type Store interface {
	// EnsureConsoleApp creates or changes the app. Replicas may call it concurrently.
	EnsureConsoleApp(ctx context.Context, w Wanted, now time.Time) (app.App, error)
	// OpenConsoleSession stores a session; session.ErrEnded if the token is not a live token
	// of the console's app.
	OpenConsoleSession(ctx context.Context, o Opening) error
	// ConsoleSession reads a session that is live now and was used after since;
	// session.ErrEnded.
	ConsoleSession(ctx context.Context, hash credential.Digest, now, since time.Time) (Session, error)
	// NoteConsoleSessionUse records that a session was used now.
	NoteConsoleSessionUse(ctx context.Context, hash credential.Digest, now time.Time) error
	// CloseConsoleSession ends a session, if it exists.
	CloseConsoleSession(ctx context.Context, hash credential.Digest) error
	// TakeConsoleForm records that a form of a session was sent. Errors: ErrFormSent if it
	// was recorded before or the session has ended.
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

// Open opens a session for the person of a live access token of the console's app, and
// returns its secret and expiry. Errors: session.ErrEnded.
func (s *Service) Open(ctx context.Context, accessToken, name string) (string, time.Time, error) {
	if !fault.Argument().Line("name", name, maxName) {
		name = "" // an unprintable name must not block the sign-in
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

// Session returns a live session, records its use, and names the person in the audit event.
// Errors: session.ErrEnded.
func (s *Service) Session(ctx context.Context, secret string) (Session, error) {
	now := s.clock.Now()
	found, err := s.store.ConsoleSession(ctx, credential.Hash(secret), now, now.Add(-idle))
	if err != nil {
		return Session{}, err
	}
	found.Proven = now.Sub(found.ProvenAt) < session.ProofLife
	audit.FromContext(ctx).Note(audit.About{By: audit.ByPerson(found.Person.ID), PersonID: found.Person.ID})
	if now.Sub(found.UsedAt) >= noteEvery {
		// A lost note must not fail the call; the next one writes it.
		_ = s.store.NoteConsoleSessionUse(ctx, found.Hash, now)
	}
	return found, nil
}

// Close ends a session.
func (s *Service) Close(ctx context.Context, hash credential.Digest) error {
	return s.store.CloseConsoleSession(ctx, hash)
}

// ErrFormSent is returned for a form that creates something and was sent before.
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
