package recovery

import (
	"context"
	"errors"
	"time"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/fault"
	"vitae.internal/services/auth/internal/mail"
	"vitae.internal/services/auth/internal/mail/maillink"
	"vitae.internal/services/auth/internal/people/guesses/throttle"
	"vitae.internal/services/auth/internal/people/password"
	"vitae.internal/services/auth/internal/people/person"
	"vitae.internal/services/auth/internal/people/session"
)

// Reset is a link for replacing a forgotten password.
type Reset struct {
	EmailKey string
	// Device identifies the browser that requested the link. It is zero if that is unknown.
	Device               credential.Digest
	CreatedAt, ExpiresAt time.Time
}

// Change is a password change.
type Change struct {
	Person person.Person
	// OldHash is the hash of the previous password. If the stored hash is no longer OldHash, the change fails.
	OldHash, NewHash string
	// Kept is the session that stays open, or zero if none stays open.
	Kept credential.Digest
	At   time.Time
	// Notice is nil if the deployment sends no email.
	Notice *mail.Notice
}

// Store stores links and passwords.
type Store interface {
	// AddPasswordReset stores a link and its email, unless the email address has reached its limit of emails. If the
	// address has a live link that was created within the last mail.ResetLife, AddPasswordReset sends that link
	// again and extends its life, to at most twice mail.ResetLife. It does the same for an address without an
	// account.
	AddPasswordReset(ctx context.Context, link credential.Digest, r Reset, m mail.Entry) error
	// PasswordReset returns the person and the password hash of a live link. Errors:
	// maillink.ErrDead.
	PasswordReset(ctx context.Context, link credential.Digest, now time.Time) (p person.Person, hash string, err error)
	// ResetPassword consumes a link and changes the password. Errors: maillink.ErrDead.
	ResetPassword(ctx context.Context, link credential.Digest, c Change) error
	// ChangePassword changes the password if the session Kept is still live and has a recent proof of presence.
	// Errors: session.ErrEnded; session.ErrProof, which is also returned if the password has been changed in the
	// meantime.
	ChangePassword(ctx context.Context, c Change) error
}

// People reads people.
type People interface {
	// PersonByEmail reads a person and the stored password hash. Errors: person.ErrNotFound.
	PersonByEmail(ctx context.Context, emailKey string) (person.Person, string, error)
}

// Config configures a Service. Post is optional; all other fields are required.
type Config struct {
	Store    Store
	People   People
	Sessions *session.Service
	Hasher   *password.Hasher
	Throttle *throttle.Throttle
	Post     mail.Post
	Links    *maillink.Links
	// Whereabouts determines the country of a client that resets a password.
	Whereabouts session.Whereabouts
	Clock       clock.Clock
}

// Service replaces passwords.
type Service struct{ cfg Config }

// NewService returns a Service, or an error if a required field is missing.
func NewService(c Config) (*Service, error) {
	if c.Store == nil || c.People == nil || c.Sessions == nil || c.Hasher == nil || c.Throttle == nil || c.Links == nil || c.Whereabouts == nil || c.Clock == nil {
		return nil, errors.New("recovery: Store, People, Sessions, Hasher, Throttle, Links, Whereabouts and Clock are required")
	}
	return &Service{cfg: c}, nil
}

// Forgotten is a request for a link that replaces a forgotten password.
type Forgotten struct {
	Email, Language string
	// ClientIP is the client's IP address, by which requests are limited.
	ClientIP string
	// Device is the token in the device cookie, or empty if the browser has none.
	Device string
}

// Start sends a link to the email address if the address has an account. Errors: session.ErrSlowed with the time to
// wait; mail.ErrOff.
func (s *Service) Start(ctx context.Context, f Forgotten) error {
	if !s.cfg.Post.On {
		return mail.ErrOff
	}
	key := person.EmailKey(f.Email)
	// Every request counts as a failure, because none can be recognized as legitimate.
	if wait := s.cfg.Throttle.Admit(ctx, throttle.NewRequest("reset", key, f.ClientIP)); wait > 0 {
		return session.ErrSlowed.WithRetryAfter(wait)
	}
	if !fault.IsStorable(key) {
		return nil // no account can have such an address
	}
	now, link := s.cfg.Clock.Now(), maillink.NewID()
	r := Reset{EmailKey: key, CreatedAt: now, ExpiresAt: now.Add(mail.ResetLife)}
	if f.Device != "" {
		r.Device = credential.Hash(f.Device)
	}
	return s.cfg.Store.AddPasswordReset(ctx, maillink.Hash(link), r, mail.NewEntry(mail.Reset, f.Email, key, link, f.Language, now))
}

// Get returns the person to whom a link was sent. Errors: maillink.ErrDead.
func (s *Service) Get(ctx context.Context, token string) (person.Person, error) {
	link, err := s.cfg.Links.Open(token)
	if err != nil {
		return person.Person{}, err
	}
	who, _, err := s.cfg.Store.PasswordReset(ctx, link, s.cfg.Clock.Now())
	return who, err
}

// Reset replaces the password of the account to which the link belongs. Errors: Invalid, with the name of the field;
// maillink.ErrDead; password.ErrBusy.
func (s *Service) Reset(ctx context.Context, token string, r Replacement) error {
	link, err := s.cfg.Links.Open(token)
	if err != nil {
		return err
	}
	who, old, err := s.cfg.Store.PasswordReset(ctx, link, s.cfg.Clock.Now())
	if err != nil {
		return err
	}
	audit.FromContext(ctx).Note(audit.About{PersonID: who.ID, ObjectID: who.ID})
	country, _ := s.cfg.Whereabouts.Here(ctx)
	o := mail.Occasion{By: mail.Place{Browser: r.By.Browser.Name, System: r.By.Browser.System, Country: country}, Language: r.Language}
	c, err := s.change(ctx, who, old, r.New, "password", o, password.Share{Class: password.Strangers, Key: throttle.Network(r.By.ClientIP)})
	if err != nil {
		return err
	}
	return s.cfg.Store.ResetPassword(ctx, link, c)
}

// Replacement is a request to replace a password.
type Replacement struct {
	// Session is the secret of the current session, which stays open. It is empty if a link is used.
	Session string
	// By describes the browser. If a link is used, By also contains the browser's name, because no session has
	// recorded it. Otherwise, By contains the device and the current password, either of which may be empty.
	By session.SignIn
	// New is the new password.
	New string
	// Language is the language of the notice if the account has no language.
	Language string
}

// Change changes the signed-in person's password. It requires a recent proof of presence or the current password.
// Errors: Invalid, with the name of the field; session.ErrEnded; session.ErrProof; password.ErrBusy. If a password
// is given, also session.ErrWrong, and session.ErrSlowed with the time to wait.
func (s *Service) Change(ctx context.Context, r Replacement) error {
	who, _, err := s.cfg.Sessions.Get(ctx, r.Session)
	if err != nil {
		return err
	}
	audit.FromContext(ctx).Note(audit.About{ObjectID: who.ID})
	if err := acceptable(r.New, "new_password"); err != nil {
		return err
	}
	// Read the hash before the proof is checked: if someone else replaces the password in the meantime, which ends
	// this session, this change must fail.
	_, old, err := s.cfg.People.PersonByEmail(ctx, person.EmailKey(who.Email))
	if err != nil {
		return err
	}
	if r.By.Password != "" {
		if err := s.cfg.Sessions.ProveByPassword(ctx, r.Session, r.By); err != nil {
			return err
		}
	}
	if _, err := s.cfg.Sessions.Proven(ctx, r.Session); err != nil {
		return err
	}
	o := mail.Occasion{Session: credential.Hash(r.Session), Language: r.Language}
	c, err := s.change(ctx, who, old, r.New, "new_password", o, password.Share{Class: password.Known, Key: person.EmailKey(who.Email)})
	if err != nil {
		return err
	}
	c.Kept = o.Session
	return s.cfg.Store.ChangePassword(ctx, c)
}

func (s *Service) change(ctx context.Context, who person.Person, old, plain, field string, o mail.Occasion, by password.Share) (Change, error) {
	if err := acceptable(plain, field); err != nil {
		return Change{}, err
	}
	hash, err := s.cfg.Hasher.Hash(ctx, by, plain)
	if err != nil {
		return Change{}, err
	}
	return Change{
		Person: who, OldHash: old, NewHash: hash, At: s.cfg.Clock.Now(),
		Notice: s.cfg.Post.Notice(mail.PasswordChanged, o),
	}, nil
}

// acceptable checks those rules for a new password that the .proto files cannot express
// (behaviour: sign-in#password-rules).
func acceptable(plain, field string) error {
	faults := fault.Argument()
	if password.IsCommon(plain) {
		faults.Add(field, "is one of the most common passwords, which are guessed first")
	}
	return faults.Err()
}
