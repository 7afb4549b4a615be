// Package session manages browser sessions: it signs people in and out, and identifies the signed-in person.
//
// Password guesses are slowed down per client IP address (package throttle) and limited per account (package
// ceiling). A browser in which the account has been used before is recognized by its device cookie, and has a
// separate limit instead.
//
// Neither responses nor their timing may reveal whether an email address has an account. A sign-in must never
// continue a session that existed before it.
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
	"vitae.internal/services/auth/internal/mail"
	"vitae.internal/services/auth/internal/people/guesses/ceiling"
	"vitae.internal/services/auth/internal/people/guesses/throttle"
	"vitae.internal/services/auth/internal/people/password"
	"vitae.internal/services/auth/internal/people/person"
)

// Errors returned by this package.
var (
	// ErrFailed is returned both for a wrong password and for an unknown email address.
	ErrFailed = errs.New(errs.Unauthenticated, "SIGN_IN_FAILED", "The e-mail address or the password is wrong.")
	// ErrSlowed is returned for an attempt whose password was not checked. RetryAfter is how long the client must
	// wait.
	ErrSlowed = errs.New(errs.Exhausted, "SIGN_IN_SLOWED", "Too many wrong passwords. Try again later.")
	// ErrEnded is returned for a session that is unknown, has expired or has been signed out.
	ErrEnded = presence.ErrEnded
)

// People stores people.
type People interface {
	// PersonByEmail reads a person and the stored password hash. Errors: person.ErrNotFound.
	PersonByEmail(ctx context.Context, emailKey string) (person.Person, string, error)
	// ReplacePasswordHash stores a new hash if the current one is still oldHash.
	ReplacePasswordHash(ctx context.Context, personID, oldHash, newHash string) error
	// SetLanguage stores a person's language.
	SetLanguage(ctx context.Context, personID, language string) error
}

// Store stores sessions and known browsers.
type Store interface {
	// OpenSession stores a session, and ends the previous one in the same transaction.
	OpenSession(ctx context.Context, o Opening) error
	// Session reads a live session. It records the use of the session, but at most once per UseEvery unless the
	// country has changed. If country is nil, the stored country remains. Errors: ErrEnded.
	Session(ctx context.Context, hash credential.Digest, now time.Time, country *string) (Live, error)
	// NoteProof records a proof of presence.
	NoteProof(ctx context.Context, hash credential.Digest, at time.Time) error
	// Sessions lists a person's live sessions, most recently used first. own identifies the session with which the
	// request was made.
	Sessions(ctx context.Context, personID string, own credential.Digest, now time.Time, atMost int) ([]Listed, error)
	// EndSession ends one of a person's sessions if it exists.
	EndSession(ctx context.Context, personID, id string) error
	// EndAllSessions ends all of a person's sessions, including developer console sessions.
	EndAllSessions(ctx context.Context, personID string) error
	// CloseSession ends a session if it exists.
	CloseSession(ctx context.Context, hash credential.Digest) error

	// CountDeviceAttempt counts an attempt as a failure of the browser, and reports whether the account knows the
	// browser. The account does not know a browser that has expired, has reached the given maximum number of
	// failures, or was last used to sign in before the password was set.
	CountDeviceAttempt(ctx context.Context, device credential.Digest, emailKey string, now time.Time, most int32) (known bool, err error)
	// UncountDeviceAttempt subtracts one failure.
	UncountDeviceAttempt(ctx context.Context, device credential.Digest, emailKey string) error
	// RenewDevice extends the expiry of a known browser and resets its failures.
	RenewDevice(ctx context.Context, device credential.Digest, personID string, now, expiresAt time.Time) error
	// ConfirmDevice makes a browser known to the account if AddDevice offered the browser's token to the account,
	// and deletes the previous token. It reports whether there was such an offer.
	ConfirmDevice(ctx context.Context, device credential.Digest, personID string, now, expiresAt time.Time) (confirmed bool, err error)
	// AddDevice makes a browser known to the account. It also offers the new token to all other accounts that know
	// the browser by its previous token; their rows remain. For each account, it retains at most the given number of
	// browsers: those with the latest sign-ins.
	AddDevice(ctx context.Context, device, previous credential.Digest, personID string, now, expiresAt time.Time, most int32) error
}

// Whereabouts determines the countries of clients (behaviour: accounts#countries).
type Whereabouts interface {
	// Here returns the country (ISO 3166-1 alpha-2) of the client whose external request led to ctx, or "" if the
	// country is unknown. known is false if ctx doesn't belong to a client's request.
	Here(ctx context.Context) (country string, known bool)
	// Shown reports whether people are shown countries.
	Shown() bool
}

// Config configures a Service. Post is optional; all other fields are required.
type Config struct {
	Store    Store
	People   People
	Hasher   *password.Hasher
	Throttle *throttle.Throttle
	Ceiling  *ceiling.Service
	// Life is the lifetime of a session.
	Life time.Duration
	// DeviceLife is how long the account knows a browser after each sign-in.
	DeviceLife time.Duration
	// Whereabouts determines the country of a client that opens or uses a session.
	Whereabouts Whereabouts
	// Post creates the notices about sign-ins from new browsers.
	Post  mail.Post
	Clock clock.Clock
	Log   *slog.Logger
}

// Service signs people in and out.
type Service struct{ cfg Config }

// NewService returns a Service, or an error if a required field is missing.
func NewService(c Config) (*Service, error) {
	if c.Store == nil || c.People == nil || c.Hasher == nil || c.Throttle == nil || c.Ceiling == nil || c.Life <= 0 || c.DeviceLife <= 0 ||
		c.Whereabouts == nil || c.Clock == nil || c.Log == nil {
		return nil, errors.New("session: Store, People, Hasher, Throttle, Ceiling, Life, DeviceLife, Whereabouts, Clock and Log are required")
	}
	return &Service{cfg: c}, nil
}

// SignIn holds an attempt to sign in.
type SignIn struct {
	Email    string
	Password string
	// ClientIP is the client's IP address, by which password guesses are limited.
	ClientIP string
	// Previous is the secret of the browser's current session, or empty if it has none.
	Previous string
	// Device is the token in the device cookie, or empty if the browser has none.
	Device string
	// DeviceSince is when the browser was last asked to wait, or when it received the cookie.
	DeviceSince time.Time
	Browser     Browser
	// Language is the language of the page (BCP 47).
	Language string
	// FirstOfAccount is true if this sign-in creates the account. In this case, no notice reports the browser as
	// new.
	FirstOfAccount bool
}

// Opening holds a session to be opened by the store.
type Opening struct {
	// Hash identifies the session; Previous identifies the session that it replaces.
	Hash, Previous       credential.Digest
	PersonID             string
	CreatedAt, ExpiresAt time.Time
	Browser              Browser
	// Country is where the session is opened (ISO 3166-1 alpha-2), or empty if unknown.
	Country string
	// Language is the language of the page (BCP 47). It may be empty.
	Language string
	// Notice is nil if the deployment sends no email.
	Notice *mail.Notice
}

// Opened holds a new session.
type Opened struct {
	// Secret is the value of the session cookie. Only its hash is stored.
	Secret    string
	Person    person.Person
	ExpiresAt time.Time
	// Device is the token by which the account knows the browser until DeviceExpiresAt.
	Device          string
	DeviceExpiresAt time.Time
}

// SignIn checks a password and opens a session. Errors: ErrFailed; ErrSlowed with the time to
// wait; password.ErrBusy.
func (s *Service) SignIn(ctx context.Context, in SignIn) (Opened, error) {
	return s.SignInTo(ctx, in, registered{s, person.EmailKey(in.Email)})
}

// Account is an account to which a person signs in.
type Account interface {
	// Find returns the person and the password hash. If there is no account, both are empty.
	Find(ctx context.Context) (person.Person, string, error)
	// Admit is called after the password has been found to be right. It returns the person to sign in.
	Admit(ctx context.Context, who person.Person) (person.Person, error)
}

// registered is the existing account that has an email address.
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

// SignInTo is like SignIn, but for an account that may not exist yet. in.Email is the email address that was
// entered. Errors: all errors returned by SignIn and by the account's methods.
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

// check checks the password of an admitted attempt and opens a session.
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

// verify checks the password of an admitted attempt. Errors: ErrFailed; password.ErrBusy.
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

// find returns the person and the password hash. If the email address is unknown, both are empty.
func (s *Service) find(ctx context.Context, emailKey string) (person.Person, string, error) {
	if !fault.IsStorable(emailKey) {
		return person.Person{}, "", nil
	}
	who, stored, err := s.cfg.People.PersonByEmail(ctx, emailKey)
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

// rehash replaces a stored hash whose cost is outdated. If that fails, the sign-in still succeeds.
func (s *Service) rehash(ctx context.Context, by password.Share, personID, stored, plain string) {
	fresh, err := s.cfg.Hasher.Hash(ctx, by, plain)
	if err == nil {
		err = s.cfg.People.ReplacePasswordHash(ctx, personID, stored, fresh)
	}
	if err != nil {
		s.cfg.Log.WarnContext(ctx, "a password hash was not renewed", "person", personID, "error", err)
	}
}

// SetLanguage stores the signed-in person's language, a BCP 47 tag. Errors: ErrEnded.
func (s *Service) SetLanguage(ctx context.Context, secret, language string) error {
	who, _, err := s.Get(ctx, secret)
	if err != nil {
		return err
	}
	return s.cfg.People.SetLanguage(ctx, who.ID, language)
}

// SignOut ends a session. It ignores a session that doesn't exist.
func (s *Service) SignOut(ctx context.Context, secret string) error {
	return s.cfg.Store.CloseSession(ctx, credential.Hash(secret))
}

// newSecret returns a secret with at least 256 random bits.
func newSecret() string { return rand.Text() + rand.Text() }
