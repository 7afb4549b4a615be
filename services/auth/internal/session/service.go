// Package session is about browser sessions: it signs people in and out, and says who
// is signed in.
//
// Guesses are slowed by address (package throttle) and bounded by account (package
// ceiling). A browser in which the account has signed in before, which its device cookie
// tells, is judged by itself.
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

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/fault"
	"vitae.internal/pkg/presence"
	"vitae.internal/services/auth/internal/ceiling"
	"vitae.internal/services/auth/internal/mail"
	"vitae.internal/services/auth/internal/password"
	"vitae.internal/services/auth/internal/person"
	"vitae.internal/services/auth/internal/throttle"
)

// Errors of the package.
var (
	// ErrFailed is the same for a wrong password and an unknown address.
	ErrFailed = errs.New(errs.Unauthenticated, "SIGN_IN_FAILED", "The e-mail address or the password is wrong.")
	// ErrSlowed is for an attempt that was not checked; RetryAfter says how long to wait.
	ErrSlowed = errs.New(errs.Exhausted, "SIGN_IN_SLOWED", "Too many wrong passwords. Try again later.")
	// ErrEnded is for a session that is unknown, expired or signed out.
	ErrEnded = presence.ErrEnded
)

// Store keeps sessions and knows people's password hashes.
type Store interface {
	// PersonByEmail reads a person and the password hash; person.ErrNotFound.
	PersonByEmail(ctx context.Context, emailKey string) (person.Person, string, error)
	// ReplacePasswordHash stores a new hash unless the old one was replaced already.
	ReplacePasswordHash(ctx context.Context, personID, oldHash, newHash string) error
	// OpenSession stores a session and ends the previous one in one step.
	OpenSession(ctx context.Context, o Opening) error
	// Session reads a live session. It notes the use once in UseEvery, and whenever the country is
	// another one than before; a nil country leaves the stored one. Errors: ErrEnded.
	Session(ctx context.Context, hash credential.Digest, now time.Time, country *string) (Live, error)
	// NoteProof notes that the person of a session has proven to be there.
	NoteProof(ctx context.Context, hash credential.Digest, at time.Time) error
	// Sessions lists the live sessions of a person, the latest used first. own is that of the
	// request.
	Sessions(ctx context.Context, personID string, own credential.Digest, now time.Time, atMost int) ([]Listed, error)
	// EndSession ends a session of a person, if it is there.
	EndSession(ctx context.Context, personID, id string) error
	// EndAllSessions ends all sessions of a person, and those in the developer console.
	EndAllSessions(ctx context.Context, personID string) error
	// SetLanguage keeps the language of a person.
	SetLanguage(ctx context.Context, personID, language string) error
	// CloseSession ends a session, if it is there.
	CloseSession(ctx context.Context, hash credential.Digest) error

	// CountDeviceAttempt counts an attempt as a failure of a browser that the account
	// knows, and reports whether it is one. A browser is not known if it has expired, has
	// failed most times, or if nobody has signed in there since the password was set.
	CountDeviceAttempt(ctx context.Context, device credential.Digest, emailKey string, now time.Time, most int32) (known bool, err error)
	// UncountDeviceAttempt takes an attempt back.
	UncountDeviceAttempt(ctx context.Context, device credential.Digest, emailKey string) error
	// RenewDevice keeps a browser known, without failures.
	RenewDevice(ctx context.Context, device credential.Digest, personID string, now, expiresAt time.Time) error
	// ConfirmDevice makes a browser known by a token that AddDevice has offered the account,
	// and forgets the token from before. It reports whether there was such an offer.
	ConfirmDevice(ctx context.Context, device credential.Digest, personID string, now, expiresAt time.Time) (confirmed bool, err error)
	// AddDevice makes a browser known to the account, and offers its new token to the other
	// accounts that know it by the previous one, whose rows stay. An account knows the given
	// number of browsers at most, those with the latest sign-ins.
	AddDevice(ctx context.Context, device, previous credential.Digest, personID string, now, expiresAt time.Time, most int32) error
}

// Whereabouts tells where people are (behaviour: accounts#countries).
type Whereabouts interface {
	// Here is the country of the client of the outside request that ctx belongs to, as ISO 3166-1
	// alpha-2 and empty if it is not known. known is false if ctx names no client.
	Here(ctx context.Context) (country string, known bool)
	// Shown says that countries are shown.
	Shown() bool
}

// Config is what a Service is made of. All fields are required.
type Config struct {
	Store    Store
	Hasher   *password.Hasher
	Throttle *throttle.Throttle
	Ceiling  *ceiling.Service
	// Life is how long a session lives.
	Life time.Duration
	// DeviceLife is how long a browser stays known after a sign-in.
	DeviceLife time.Duration
	// Whereabouts tells where a session is opened and used.
	Whereabouts Whereabouts
	// Post makes notices of sign-ins in new browsers.
	Post  mail.Post
	Clock clock.Clock
	Log   *slog.Logger
}

// Service signs people in and out.
type Service struct{ cfg Config }

// NewService makes a Service.
func NewService(c Config) (*Service, error) {
	if c.Store == nil || c.Hasher == nil || c.Throttle == nil || c.Ceiling == nil || c.Life <= 0 || c.DeviceLife <= 0 ||
		c.Whereabouts == nil || c.Clock == nil || c.Log == nil {
		return nil, errors.New("session: Store, Hasher, Throttle, Ceiling, Life, DeviceLife, Whereabouts, Clock and Log are required")
	}
	return &Service{cfg: c}, nil
}

// SignIn is an attempt to sign in.
type SignIn struct {
	Email    string
	Password string
	// ClientIP is the address of the browser. Guesses are counted by it.
	ClientIP string
	// Previous is the secret of the session that the browser has; empty if it has none.
	Previous string
	// Device is the token of the browser's device cookie; empty if it has none.
	Device string
	// DeviceSince is when the browser was last told to wait, or was given the cookie.
	DeviceSince time.Time
	// Browser is what the browser says of itself.
	Browser Browser
	// Language is that of the page, a BCP 47 tag.
	Language string
	// FirstOfAccount says that the account is made by this sign-in, so that no browser is new
	// to it.
	FirstOfAccount bool
}

// Opening is a session that the store opens.
type Opening struct {
	// Hash is that of the secret, Previous that of the session which ends.
	Hash, Previous       credential.Digest
	PersonID             string
	CreatedAt, ExpiresAt time.Time
	Browser              Browser
	// Country is where it is opened, as ISO 3166-1 alpha-2; empty if it is not known.
	Country string
	// Language is that of the page, a BCP 47 tag; it may be empty.
	Language string
	// Notice is nil where nobody is told.
	Notice *mail.Notice
}

// Opened is a session that was just opened.
type Opened struct {
	// Secret is the value of the cookie; only its hash is stored.
	Secret    string
	Person    person.Person
	ExpiresAt time.Time
	// Device is the token by which the account knows the browser from now on, until
	// DeviceExpiresAt.
	Device          string
	DeviceExpiresAt time.Time
}

// SignIn checks a password and opens a session. Errors: ErrFailed; ErrSlowed with the
// time to wait; password.ErrBusy.
func (s *Service) SignIn(ctx context.Context, in SignIn) (Opened, error) {
	return s.SignInTo(ctx, in, registered{s, person.EmailKey(in.Email)})
}

// Account is what somebody signs in to.
type Account interface {
	// Find reads the person and the password hash. Both are empty if there is no account.
	Find(ctx context.Context) (person.Person, string, error)
	// Admit is asked when the password was right. It gives the person who is signed in.
	Admit(ctx context.Context, who person.Person) (person.Person, error)
}

// registered is the account of an address.
type registered struct {
	s        *Service
	emailKey string
}

func (r registered) Find(ctx context.Context) (person.Person, string, error) {
	return r.s.find(ctx, r.emailKey)
}

func (registered) Admit(_ context.Context, who person.Person) (person.Person, error) {
	return who, nil
}

// SignInTo is SignIn to an account that may not be registered yet, whose address is that of
// the attempt. Errors: those of SignIn and of the account.
func (s *Service) SignInTo(ctx context.Context, in SignIn, to Account) (Opened, error) {
	in.Browser.note(ctx)
	a, err := s.admit(ctx, person.EmailKey(in.Email), in)
	if err != nil {
		return Opened{}, err
	}
	opened, err := s.check(ctx, a, in, to)
	a.count(err)
	return opened, err
}

// check checks the password of an attempt that was let in, and opens a session.
func (s *Service) check(ctx context.Context, a admission, in SignIn, to Account) (Opened, error) {
	who, stored, stale, err := s.verify(ctx, a, in, to)
	if err != nil {
		return Opened{}, err
	}
	if who, err = to.Admit(ctx, who); err != nil {
		return Opened{}, err
	}
	if stale {
		s.rehash(ctx, a.share, who.ID, stored, in.Password)
	}
	return s.open(ctx, who, a, in)
}

// verify checks the password of an attempt that was let in. Errors: ErrFailed;
// password.ErrBusy.
func (s *Service) verify(ctx context.Context, a admission, in SignIn, to Account) (who person.Person, stored string, stale bool, err error) {
	if who, stored, err = to.Find(ctx); err != nil {
		s.takeBack(ctx, a)
		return person.Person{}, "", false, err
	}
	audit.FromContext(ctx).Note(audit.About{PersonID: who.ID})
	ok, stale, err := s.cfg.Hasher.Check(ctx, a.share, in.Password, stored)
	if err != nil {
		s.takeBack(ctx, a)
		return person.Person{}, "", false, err
	}
	if !ok {
		return person.Person{}, "", false, ErrFailed
	}
	s.forgive(ctx, a)
	return who, stored, stale, nil
}

// find reads a person and the password hash. Both are empty for an unknown address.
func (s *Service) find(ctx context.Context, emailKey string) (person.Person, string, error) {
	if !fault.IsStorable(emailKey) {
		return person.Person{}, "", nil
	}
	who, stored, err := s.cfg.Store.PersonByEmail(ctx, emailKey)
	if errs.HasCode(err, person.ErrNotFound.Code) {
		err = nil
	}
	return who, stored, err
}

func (s *Service) open(ctx context.Context, who person.Person, a admission, in SignIn) (Opened, error) {
	now := s.cfg.Clock.Now()
	o := Opened{Secret: newSecret(), Person: who, ExpiresAt: now.Add(s.cfg.Life), DeviceExpiresAt: now.Add(s.cfg.DeviceLife)}
	var fresh bool
	var err error
	if o.Device, fresh, err = s.remember(ctx, who.ID, a, in.Device, now, o.DeviceExpiresAt); err != nil {
		return Opened{}, err
	}
	country, _ := s.cfg.Whereabouts.Here(ctx)
	opening := Opening{
		Hash: credential.Hash(o.Secret), Previous: credential.Hash(in.Previous), PersonID: who.ID,
		CreatedAt: now, ExpiresAt: o.ExpiresAt, Browser: in.Browser, Country: country, Language: in.Language,
	}
	if fresh && !in.FirstOfAccount {
		opening.Notice = s.cfg.Post.Notice(mail.NewSignIn, mail.Occasion{Session: opening.Hash})
	}
	return o, s.cfg.Store.OpenSession(ctx, opening)
}

// rehash replaces a stored hash by one of the present cost. The sign-in succeeds even if
// it fails.
func (s *Service) rehash(ctx context.Context, by password.Share, personID, stored, plain string) {
	fresh, err := s.cfg.Hasher.Hash(ctx, by, plain)
	if err == nil {
		err = s.cfg.Store.ReplacePasswordHash(ctx, personID, stored, fresh)
	}
	if err != nil {
		s.cfg.Log.WarnContext(ctx, "a password keeps its old hash", "person", personID, "error", err)
	}
}

// SetLanguage keeps the language of the person of a session, a BCP 47 tag. Errors: ErrEnded.
func (s *Service) SetLanguage(ctx context.Context, secret, language string) error {
	who, _, err := s.Get(ctx, secret)
	if err != nil {
		return err
	}
	return s.cfg.Store.SetLanguage(ctx, who.ID, language)
}

// SignOut ends a session. It succeeds for an unknown session too.
func (s *Service) SignOut(ctx context.Context, secret string) error {
	return s.cfg.Store.CloseSession(ctx, credential.Hash(secret))
}

// newSecret makes a secret of at least 256 random bits.
func newSecret() string { return rand.Text() + rand.Text() }
