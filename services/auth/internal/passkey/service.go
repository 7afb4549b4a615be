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
	"vitae.internal/services/auth/internal/session"
	"vitae.internal/services/auth/internal/throttle"
)

// Config is what a Service is made of. All fields are required.
type Config struct {
	Store    Store
	Sessions *session.Service
	Throttle *throttle.Throttle
	Post     mail.Post
	// AppURL is the address of the pages, which says for which name passkeys are made.
	AppURL string
	Clock  clock.Clock
}

// Service adds, uses and removes passkeys.
type Service struct {
	cfg   Config
	rules Rules
}

// NewService makes a Service.
func NewService(c Config) (*Service, error) {
	if c.Store == nil || c.Sessions == nil || c.Throttle == nil || c.AppURL == "" || c.Clock == nil {
		return nil, errors.New("passkey: Store, Sessions, Throttle, AppURL and Clock are required")
	}
	rules, err := NewRules(c.AppURL)
	return &Service{cfg: c, rules: rules}, err
}

// Start begins a ceremony of a session or of a sign-in, and gives the options of the browser as
// JSON. boundTo is the secret of the session, or a secret of the browser. Errors: ErrOff;
// session.ErrEnded; session.ErrProof.
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

// List gives the passkeys of the person of a session, the oldest first, and whether the person
// has a password. Errors: session.ErrEnded.
func (s *Service) List(ctx context.Context, secret string) ([]Passkey, bool, error) {
	who, _, err := s.cfg.Sessions.Get(ctx, secret)
	if err != nil {
		return nil, false, err
	}
	return s.cfg.Store.Passkeys(ctx, who.ID)
}

// Add adds a passkey to the account of a session. Errors: session.ErrEnded; session.ErrProof;
// those of Made and of Store.AddPasskey.
func (s *Service) Add(ctx context.Context, secret, name string, answer []byte) (Passkey, error) {
	who, err := s.cfg.Sessions.Proven(ctx, secret)
	if err != nil {
		return Passkey{}, err
	}
	key, err := s.Made(ctx, Add, secret, name, answer)
	if err != nil {
		return Passkey{}, err
	}
	if key.PersonID != who.ID { // the ceremony is bound to the session, so it is that person's
		return Passkey{}, ErrOver
	}
	return key, s.cfg.Store.AddPasskey(ctx, key, s.proof(secret), s.notice(mail.PasskeyAdded, secret))
}

// Rename gives a passkey of the person of a session another name. It asks for no proof: a name
// opens nothing. Errors: Invalid naming the field; session.ErrEnded; ErrUnknown.
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

// Remove removes a passkey of the person of a session. It succeeds for one that is not there,
// and for one of somebody else, which it leaves alone. Errors: session.ErrEnded;
// session.ErrProof; ErrLastWayIn.
func (s *Service) Remove(ctx context.Context, secret, passkeyID string) error {
	who, err := s.cfg.Sessions.Proven(ctx, secret)
	if err != nil || !fault.IsStorable(passkeyID) {
		return err
	}
	return s.cfg.Store.RemovePasskey(ctx, Removal{
		PersonID: who.ID, PasskeyID: passkeyID, In: s.proof(secret), Notice: s.notice(mail.PasskeyRemoved, secret),
	})
}

// RemovePassword removes the password of the person of a session
// (behaviour: accounts#passkeys-as-the-only-way-in). Errors: session.ErrEnded;
// session.ErrProof; ErrLastWayIn.
func (s *Service) RemovePassword(ctx context.Context, secret string) error {
	who, err := s.cfg.Sessions.Proven(ctx, secret)
	if err != nil {
		return err
	}
	return s.cfg.Store.RemovePassword(ctx, Removal{
		PersonID: who.ID, Email: who.Email, In: s.proof(secret), Notice: s.notice(mail.PasswordRemoved, secret),
	})
}

// proof is what the store looks at again when the person of a session was let in.
func (s *Service) proof(secret string) session.Proof {
	return session.Proof{Session: credential.Hash(secret), At: s.cfg.Clock.Now()}
}

// notice tells the person of a session what was done in it.
func (s *Service) notice(kind mail.Kind, secret string) *mail.Notice {
	return s.cfg.Post.Notice(kind, mail.Occasion{Session: credential.Hash(secret)})
}

// SignIn signs in by a passkey. boundTo is the secret of the browser with which the ceremony
// was begun. Errors: session.ErrSlowed with the time to wait; ErrOff; ErrOver; ErrRefused;
// ErrUnknown.
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

// claimed is the id of the passkey that an answer says it is of, "" if it says none. Failures
// are counted by it, so that those of one person do not slow others at the same address.
func claimed(answer []byte) string {
	var of struct {
		ID string `json:"id"`
	}
	if json.Unmarshal(answer, &of) != nil {
		return ""
	}
	return of.ID
}

// Prove takes a passkey as proof that the person of a session is there. Errors:
// session.ErrEnded; session.ErrSlowed with the time to wait; ErrOff; ErrOver; ErrRefused;
// ErrUnknown for one of another account.
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
