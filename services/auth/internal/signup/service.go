package signup

import (
	"context"
	"encoding/base64"
	"errors"
	"time"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/emailaddress"
	"vitae.internal/pkg/fault"
	"vitae.internal/pkg/id"
	"vitae.internal/services/auth/internal/mail"
	"vitae.internal/services/auth/internal/maillink"
	"vitae.internal/services/auth/internal/passkey"
	"vitae.internal/services/auth/internal/password"
	"vitae.internal/services/auth/internal/person"
	"vitae.internal/services/auth/internal/session"
	"vitae.internal/services/auth/internal/throttle"
)

// maxName is the longest name in characters, as candidate takes it.
const maxName = 200

// Pending is an account that somebody wants.
type Pending struct {
	Email, EmailKey string
	Name            string
	PasswordHash    string
	// Language is a BCP 47 tag.
	Language             string
	CreatedAt, ExpiresAt time.Time
}

// Store keeps pending accounts.
type Store interface {
	// AddSignUp stores a pending account and its mail, unless the address has had so much
	// mail that it gets none.
	AddSignUp(ctx context.Context, link credential.Digest, p Pending, m mail.Entry) error
	// SignUp reads the pending account of a live link; maillink.ErrDead.
	SignUp(ctx context.Context, link credential.Digest, now time.Time) (Pending, error)
	// CompleteSignUp makes the person of a pending account, and the entry from which its
	// profile is made. With a passkey the account has that and no password. Errors:
	// maillink.ErrDead for a link that was used meanwhile; person.ErrEmailTaken;
	// passkey.ErrExists.
	CompleteSignUp(ctx context.Context, link credential.Digest, made person.Person, p Pending, key *passkey.Passkey) error
}

// Profiles makes profiles.
type Profiles interface {
	// Deliver makes the profile of one person now, if it can. Otherwise a job does.
	Deliver(ctx context.Context, personID string)
}

// Config is what a Service is made of. All fields are required; Links may be nil where
// Post is off.
type Config struct {
	Store    Store
	Sessions *session.Service
	Passkeys *passkey.Service
	Profiles Profiles
	Hasher   *password.Hasher
	Throttle *throttle.Throttle
	Post     mail.Post
	Links    *maillink.Links
	Clock    clock.Clock
}

// Service creates accounts.
type Service struct{ cfg Config }

// NewService makes a Service.
func NewService(c Config) (*Service, error) {
	if c.Store == nil || c.Sessions == nil || c.Passkeys == nil || c.Profiles == nil || c.Hasher == nil || c.Throttle == nil || c.Links == nil || c.Clock == nil {
		return nil, errors.New("signup: Store, Sessions, Passkeys, Profiles, Hasher, Throttle, Links and Clock are required")
	}
	return &Service{cfg: c}, nil
}

// Wanted is what somebody types. The contract checks the length of the password.
type Wanted struct {
	Name, Email, Password string
	Language              string
	// ClientIP is the address of the browser, by which requests are slowed down.
	ClientIP string
	// Pending, if it is not empty, is what an earlier Start has returned: another link is sent for the
	// same name, address and password.
	Pending string
}

// Start notes an account and has an email sent. It returns Wanted.Pending for another one. Errors:
// Invalid naming the field; session.ErrSlowed with the time to wait; password.ErrBusy; mail.ErrOff;
// maillink.ErrDead for a Pending that has expired or become an account.
func (s *Service) Start(ctx context.Context, w Wanted) (pending string, err error) {
	if !s.cfg.Post.On {
		return "", mail.ErrOff
	}
	var p Pending
	if w.Pending != "" {
		p, err = s.again(ctx, w)
	} else {
		p, err = s.first(ctx, w)
	}
	if err != nil {
		return "", err
	}
	link := maillink.NewID()
	p.CreatedAt = s.cfg.Clock.Now()
	p.ExpiresAt = p.CreatedAt.Add(mail.SignUpLife)
	digest := maillink.Hash(link)
	entry := mail.NewEntry(mail.SignUp, p.Email, p.EmailKey, link, p.Language, p.CreatedAt)
	return base64.RawURLEncoding.EncodeToString(digest[:]), s.cfg.Store.AddSignUp(ctx, digest, p, entry)
}

// again reads the account of an earlier Start.
func (s *Service) again(ctx context.Context, w Wanted) (Pending, error) {
	raw, err := base64.RawURLEncoding.DecodeString(w.Pending)
	if err != nil || len(raw) != len(credential.Digest{}) {
		return Pending{}, maillink.ErrDead
	}
	p, err := s.cfg.Store.SignUp(ctx, credential.Digest(raw), s.cfg.Clock.Now())
	if err != nil {
		return Pending{}, err
	}
	return p, s.admit(ctx, p.EmailKey, w.ClientIP)
}

// admit counts a request. Every request counts: there is no right one by which it could be told.
func (s *Service) admit(ctx context.Context, emailKey, clientIP string) error {
	if wait := s.cfg.Throttle.Admit(ctx, throttle.NewRequest("sign-up", emailKey, clientIP)); wait > 0 {
		return session.ErrSlowed.WithRetryAfter(wait)
	}
	return nil
}

// first checks what was typed.
func (s *Service) first(ctx context.Context, w Wanted) (Pending, error) {
	faults := fault.Argument()
	if faults.Line("name", w.Name, maxName) {
		faults.NotBlank("name", w.Name)
	}
	w.Email = emailaddress.Check(faults, "email", w.Email)
	switch {
	case w.Password == "":
		faults.Add("password", "is required")
	case password.IsCommon(w.Password):
		faults.Add("password", "is one of the most common passwords, which are guessed first")
	}
	if err := faults.Err(); err != nil {
		return Pending{}, err
	}
	if err := s.admit(ctx, person.EmailKey(w.Email), w.ClientIP); err != nil {
		return Pending{}, err
	}
	hash, err := s.cfg.Hasher.Hash(ctx, password.Share{Class: password.Strangers, Key: throttle.Network(w.ClientIP)}, w.Password)
	return Pending{Email: w.Email, EmailKey: person.EmailKey(w.Email), Name: w.Name, PasswordHash: hash, Language: w.Language}, err
}

// Get reads the pending account of a link. Errors: maillink.ErrDead.
func (s *Service) Get(ctx context.Context, token string) (Pending, error) {
	link, err := s.cfg.Links.Open(token)
	if err != nil {
		return Pending{}, err
	}
	return s.cfg.Store.SignUp(ctx, link, s.cfg.Clock.Now())
}

// Complete makes the account and opens a session. in.Email is that of the link. Errors:
// maillink.ErrDead; person.ErrEmailTaken; those of session.Service.SignIn.
func (s *Service) Complete(ctx context.Context, token string, in session.SignIn) (session.Opened, error) {
	link, err := s.cfg.Links.Open(token)
	if err != nil {
		return session.Opened{}, err
	}
	p, err := s.cfg.Store.SignUp(ctx, link, s.cfg.Clock.Now())
	if err != nil {
		return session.Opened{}, err
	}
	in.Email, in.FirstOfAccount = p.Email, true
	opened, err := s.cfg.Sessions.SignInTo(ctx, in, pendingAccount{s.cfg, link, p})
	if err != nil {
		return session.Opened{}, err
	}
	s.cfg.Profiles.Deliver(ctx, opened.Person.ID)
	return opened, nil
}

// pendingAccount is an account that comes to be when its password has been checked.
type pendingAccount struct {
	cfg  Config
	link credential.Digest
	p    Pending
}

// Find implements session.Account.
func (a pendingAccount) Find(context.Context) (person.Person, string, error) {
	return person.Person{}, a.p.PasswordHash, nil
}

// Admit implements session.Account.
func (a pendingAccount) Admit(ctx context.Context, _ person.Person) (person.Person, error) {
	return a.make(ctx, id.New("usr"), nil)
}

// make makes the account, with a passkey in place of the password if there is one.
func (a pendingAccount) make(ctx context.Context, personID string, key *passkey.Passkey) (person.Person, error) {
	made := person.Person{ID: personID, Email: a.p.Email, EmailVerified: true, CreatedAt: a.cfg.Clock.Now(), Language: a.p.Language}
	if err := a.cfg.Store.CompleteSignUp(ctx, a.link, made, a.p, key); err != nil {
		return person.Person{}, err
	}
	audit.FromContext(ctx).Note(audit.About{By: audit.ByPerson(made.ID), PersonID: made.ID})
	return made, nil
}
