package passkey

import (
	"context"
	"encoding/json"
	"errors"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/fault"
	"vitae.internal/services/auth/internal/mail"
	"vitae.internal/services/auth/internal/people/guesses/throttle"
	"vitae.internal/services/auth/internal/people/session"
)

// Config configures a Service. Post is optional; all other fields are required.
type Config struct {
	Store    Store
	Sessions *session.Service
	Throttle *throttle.Throttle
	Post     mail.Post
	// AppURL is the URL of the website. Passkeys are bound to its host name.
	AppURL string
	Clock  clock.Clock
}

// Service adds, uses and removes passkeys.
type Service struct {
	cfg   Config
	rules Rules
}

// NewService returns a Service, or an error if a required field is missing.
func NewService(c Config) (*Service, error) {
	if c.Store == nil || c.Sessions == nil || c.Throttle == nil || c.AppURL == "" || c.Clock == nil {
		return nil, errors.New("passkey: Store, Sessions, Throttle, AppURL and Clock are required")
	}
	rules, err := NewRules(c.AppURL)
	return &Service{cfg: c, rules: rules}, err
}

// Start starts a ceremony and returns the options for the browser, as JSON. boundTo is the session secret or, for
// SignIn, a secret that only the browser has. Errors: ErrOff; session.ErrEnded; session.ErrProof.
func (s *Service) Start(ctx context.Context, p Purpose, boundTo string) ([]byte, error) {
	switch p {
	case SignIn:
		return s.beginUse(ctx, p, boundTo)
	case Prove:
		if _, _, err := s.cfg.Sessions.Get(ctx, boundTo); err != nil {
			return nil, err
		}
		return s.beginUse(ctx, p, boundTo)
	default:
		who, err := s.cfg.Sessions.Proven(ctx, boundTo)
		if err != nil {
			return nil, err
		}
		o := Owner{ID: who.ID, Email: who.Email}
		if o.passkeys, _, err = s.cfg.Store.Passkeys(ctx, who.ID); err != nil {
			return nil, err
		}
		return s.BeginNew(ctx, Add, boundTo, o)
	}
}

// List returns the passkeys of the signed-in person, oldest first, and reports whether the person has a password.
// Errors: session.ErrEnded.
func (s *Service) List(ctx context.Context, secret string) ([]Passkey, bool, error) {
	who, _, err := s.cfg.Sessions.Get(ctx, secret)
	if err != nil {
		return nil, false, err
	}
	return s.cfg.Store.Passkeys(ctx, who.ID)
}

// Add adds a passkey to the signed-in person's account. Errors: session.ErrEnded; session.ErrProof; all errors
// returned by Made and Store.AddPasskey.
func (s *Service) Add(ctx context.Context, secret, name string, answer []byte) (Passkey, error) {
	who, err := s.cfg.Sessions.Proven(ctx, secret)
	if err != nil {
		return Passkey{}, err
	}
	key, err := s.Made(ctx, Add, secret, name, answer)
	if err != nil {
		return Passkey{}, err
	}
	if key.PersonID != who.ID { // this cannot happen, because the ceremony is bound to the session
		return Passkey{}, ErrOver
	}
	return key, s.cfg.Store.AddPasskey(ctx, key, s.proof(secret), s.notice(mail.PasskeyAdded, secret))
}

// Rename renames a passkey of the signed-in person. It needs no proof of presence, because renaming grants no
// access. Errors: Invalid, with the name of the field; session.ErrEnded; ErrUnknown.
func (s *Service) Rename(ctx context.Context, secret, passkeyID, name string) error {
	if err := checkName(name); err != nil {
		return err
	}
	who, _, err := s.cfg.Sessions.Get(ctx, secret)
	if err != nil {
		return err
	}
	if !fault.IsStorable(passkeyID) {
		return ErrUnknown
	}
	return s.cfg.Store.RenamePasskey(ctx, who.ID, passkeyID, name)
}

// Remove removes a passkey of the signed-in person. It ignores a passkey that is unknown or belongs to another
// person. Errors: session.ErrEnded; session.ErrProof; ErrLastWayIn.
func (s *Service) Remove(ctx context.Context, secret, passkeyID string) error {
	who, err := s.cfg.Sessions.Proven(ctx, secret)
	if err != nil || !fault.IsStorable(passkeyID) {
		return err
	}
	return s.cfg.Store.RemovePasskey(ctx, Removal{
		PersonID: who.ID, PasskeyID: passkeyID, In: s.proof(secret), Notice: s.notice(mail.PasskeyRemoved, secret),
	})
}

// RemovePassword removes the signed-in person's password (behaviour: accounts#removing-the-password). Errors:
// session.ErrEnded; session.ErrProof; ErrLastWayIn.
func (s *Service) RemovePassword(ctx context.Context, secret string) error {
	who, err := s.cfg.Sessions.Proven(ctx, secret)
	if err != nil {
		return err
	}
	return s.cfg.Store.RemovePassword(ctx, Removal{
		PersonID: who.ID, Email: who.Email, In: s.proof(secret), Notice: s.notice(mail.PasswordRemoved, secret),
	})
}

// proof returns the proof of presence that the store checks again in the transaction that makes a change.
func (s *Service) proof(secret string) session.Proof {
	return session.Proof{Session: credential.Hash(secret), At: s.cfg.Clock.Now()}
}

// notice returns the email about a change that was made in the session.
func (s *Service) notice(kind mail.Kind, secret string) *mail.Notice {
	return s.cfg.Post.Notice(kind, mail.Occasion{Session: credential.Hash(secret)})
}

// SignIn signs a person in with a passkey. boundTo is the secret of the browser that started the ceremony. Errors:
// session.ErrSlowed with the time to wait; ErrOff; ErrOver; ErrRefused; ErrUnknown.
func (s *Service) SignIn(ctx context.Context, boundTo string, answer []byte, in session.SignIn) (session.Opened, error) {
	a := throttle.NewAttempt("passkey "+claimed(answer), in.ClientIP)
	if wait := s.cfg.Throttle.Admit(ctx, a); wait > 0 {
		return session.Opened{}, session.ErrSlowed.WithRetryAfter(wait)
	}
	who, err := s.used(ctx, SignIn, boundTo, answer)
	if err != nil {
		return session.Opened{}, err
	}
	s.cfg.Throttle.Forgive(ctx, a)
	return s.cfg.Sessions.Open(ctx, who, in)
}

// claimed returns the passkey id that a response contains, or "". The id has not been verified. Failures are counted
// under it, so one person's failures don't slow down other people with the same IP address.
func claimed(answer []byte) string {
	var of struct {
		ID string `json:"id"`
	}
	if json.Unmarshal(answer, &of) != nil {
		return ""
	}
	return of.ID
}

// Prove records a proof of presence by a passkey of the signed-in person. It returns ErrUnknown for a passkey of
// another account. Other errors: session.ErrEnded; session.ErrSlowed with the time to wait; ErrOff; ErrOver;
// ErrRefused.
func (s *Service) Prove(ctx context.Context, secret string, answer []byte, clientIP string) error {
	who, _, err := s.cfg.Sessions.Get(ctx, secret)
	if err != nil {
		return err
	}
	a := throttle.NewAttempt("passkey "+who.ID, clientIP)
	if wait := s.cfg.Throttle.Admit(ctx, a); wait > 0 {
		return session.ErrSlowed.WithRetryAfter(wait)
	}
	shown, err := s.used(ctx, Prove, secret, answer)
	if err != nil {
		return err
	}
	audit.FromContext(ctx).Note(audit.About{PersonID: who.ID})
	if shown.ID != who.ID {
		return ErrUnknown
	}
	s.cfg.Throttle.Forgive(ctx, a)
	return s.cfg.Sessions.NoteProof(ctx, secret)
}
