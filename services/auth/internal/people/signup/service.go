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
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/fault"
	"vitae.internal/pkg/id"
	"vitae.internal/services/auth/internal/mail"
	"vitae.internal/services/auth/internal/mail/maillink"
	"vitae.internal/services/auth/internal/people/guesses/throttle"
	"vitae.internal/services/auth/internal/people/passkey"
	"vitae.internal/services/auth/internal/people/password"
	"vitae.internal/services/auth/internal/people/person"
	"vitae.internal/services/auth/internal/people/session"
)

// maxName is the maximum length of a name in characters, the same as in the candidate service.
const maxName = 200

// Pending is an account that has been requested but not created.
type Pending struct {
	Email, EmailKey string
	Name            string
	PasswordHash    string
	// Language is a BCP 47 tag.
	Language             string
	CreatedAt, ExpiresAt time.Time
}

// Store stores pending accounts.
type Store interface {
	// AddSignUp stores a pending account and its email. If the email address has reached its limit of emails, it
	// stores nothing and returns false.
	AddSignUp(ctx context.Context, link credential.Digest, p Pending, m mail.Entry) (bool, error)
	// SignUp reads the pending account of a live link. Errors: maillink.ErrDead.
	SignUp(ctx context.Context, link credential.Digest, now time.Time) (Pending, error)
	// CompleteSignUp creates the person of a pending account, and the outbox entry for the profile. If a passkey is
	// given, the account has no password. It returns maillink.ErrDead if the link has been used in the meantime.
	// Other errors: person.ErrEmailTaken; passkey.ErrExists.
	CompleteSignUp(ctx context.Context, link credential.Digest, made person.Person, p Pending, key *passkey.Passkey) error
	// NewProfiles lists the profiles that have been waiting longest. If personID is set, it lists only that person's
	// profile.
	NewProfiles(ctx context.Context, personID string, atMost int) ([]NewProfile, error)
	// DropNewProfile deletes a person's entry in the list of new profiles.
	DropNewProfile(ctx context.Context, personID string) error
}

// Config configures a Service. Post is optional; all other fields are required.
type Config struct {
	Store    Store
	Sessions *session.Service
	Passkeys *passkey.Service
	Hasher   *password.Hasher
	Throttle *throttle.Throttle
	Post     mail.Post
	Links    *maillink.Links
	Clock    clock.Clock
}

// Service creates accounts.
type Service struct{ cfg Config }

// NewService returns a Service, or an error if a required field is missing.
func NewService(c Config) (*Service, error) {
	if c.Store == nil || c.Sessions == nil || c.Passkeys == nil || c.Hasher == nil || c.Throttle == nil || c.Links == nil || c.Clock == nil {
		return nil, errors.New("signup: Store, Sessions, Passkeys, Hasher, Throttle, Links and Clock are required")
	}
	return &Service{cfg: c}, nil
}

// Wanted is a request for an account. The .proto file limits the password's length.
type Wanted struct {
	Name, Email, Password string
	Language              string
	// ClientIP is the client's IP address, by which requests are limited.
	ClientIP string
	// Pending, if set, is the value that an earlier Start for the same Email returned. Start then sends a new link
	// for that request, and ignores Name, Password and Language.
	Pending string
}

// Start stores a request, queues its email, and returns a value for Wanted.Pending with which another link can be
// requested. If the earlier request no longer exists, or if the email address has reached its limit of emails, Start
// sends nothing but still succeeds. The result must not reveal what has happened to an address. Errors: Invalid,
// with the name of the field; session.ErrSlowed with the time to wait; password.ErrBusy; mail.ErrOff.
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
	if errs.HasCode(err, maillink.ErrDead.Code) {
		return w.Pending, nil
	}
	if err != nil {
		return "", err
	}
	link := maillink.NewID()
	p.CreatedAt = s.cfg.Clock.Now()
	p.ExpiresAt = p.CreatedAt.Add(mail.SignUpLife)
	digest := maillink.Hash(link)
	entry := mail.NewEntry(mail.SignUp, p.Email, p.EmailKey, link, p.Language, p.CreatedAt)
	added, err := s.cfg.Store.AddSignUp(ctx, digest, p, entry)
	if !added && w.Pending != "" {
		return w.Pending, err // w.Pending belongs to a live link, whereas the new id doesn't
	}
	return base64.RawURLEncoding.EncodeToString(digest[:]), err
}

// again reads the request of an earlier Start. It first counts the attempt, whether or not that request still
// exists.
func (s *Service) again(ctx context.Context, w Wanted) (Pending, error) {
	if err := s.admit(ctx, person.EmailKey(w.Email), w.ClientIP); err != nil {
		return Pending{}, err
	}
	raw, err := base64.RawURLEncoding.DecodeString(w.Pending)
	if err != nil || len(raw) != len(credential.Digest{}) {
		return Pending{}, maillink.ErrDead
	}
	return s.cfg.Store.SignUp(ctx, credential.Digest(raw), s.cfg.Clock.Now())
}

// admit counts a request. Every request counts as a failure, because none can be recognized as legitimate.
func (s *Service) admit(ctx context.Context, emailKey, clientIP string) error {
	if wait := s.cfg.Throttle.Admit(ctx, throttle.NewRequest("sign-up", emailKey, clientIP)); wait > 0 {
		return session.ErrSlowed.WithRetryAfter(wait)
	}
	return nil
}

// first checks a new request.
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

// Get returns the pending account to which a link belongs. Errors: maillink.ErrDead.
func (s *Service) Get(ctx context.Context, token string) (Pending, error) {
	link, err := s.cfg.Links.Open(token)
	if err != nil {
		return Pending{}, err
	}
	return s.cfg.Store.SignUp(ctx, link, s.cfg.Clock.Now())
}

// Complete creates the account and opens a session. It sets in.Email from the link. Errors: maillink.ErrDead;
// person.ErrEmailTaken; all errors returned by session.Service.SignIn.
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
	return s.cfg.Sessions.SignInTo(ctx, in, pendingAccount{s.cfg, link, p})
}

// pendingAccount is a session.Account that comes into existence when its password has been checked.
type pendingAccount struct {
	cfg  Config
	link credential.Digest
	p    Pending
}

// Find returns the hash of the requested password.
func (a pendingAccount) Find(context.Context) (person.Person, string, error) {
	return person.Person{}, a.p.PasswordHash, nil
}

// Admit creates the account.
func (a pendingAccount) Admit(ctx context.Context, _ person.Person) (person.Person, error) {
	return a.make(ctx, id.New("usr"), nil)
}

// make creates the account. If key is set, the account has that passkey instead of the password.
func (a pendingAccount) make(ctx context.Context, personID string, key *passkey.Passkey) (person.Person, error) {
	made := person.Person{ID: personID, Email: a.p.Email, EmailVerified: true, CreatedAt: a.cfg.Clock.Now(), Language: a.p.Language}
	if err := a.cfg.Store.CompleteSignUp(ctx, a.link, made, a.p, key); err != nil {
		return person.Person{}, err
	}
	audit.FromContext(ctx).Note(audit.About{By: audit.ByPerson(made.ID), PersonID: made.ID})
	return made, nil
}
