package signup

import (
	"context"

	"vitae.internal/pkg/id"
	"vitae.internal/services/auth/internal/people/passkey"
	"vitae.internal/services/auth/internal/people/session"
)

// StartPasskey starts the creation of a passkey for the account that a link creates. It returns the options for the
// browser, as JSON. Errors: maillink.ErrDead; passkey.ErrOff.
func (s *Service) StartPasskey(ctx context.Context, token string) ([]byte, error) {
	p, err := s.Get(ctx, token)
	if err != nil {
		return nil, err
	}
	return s.cfg.Passkeys.BeginNew(ctx, passkey.SignUp, token, passkey.Owner{ID: id.New("usr"), Email: p.Email})
}

// CompleteWithPasskey creates the account with a passkey instead of a password, and opens a session. It discards the
// password that was requested: a stranger may have typed it, whereas only the owner of the email address has the
// link (behaviour: accounts#a-passkey-in-place-of-the-password). Errors: maillink.ErrDead; person.ErrEmailTaken;
// passkey.ErrExists; all errors returned by passkey.Service.Made.
func (s *Service) CompleteWithPasskey(ctx context.Context, token, name string, answer []byte, in session.SignIn) (session.Opened, error) {
	link, err := s.cfg.Links.Open(token)
	if err != nil {
		return session.Opened{}, err
	}
	p, err := s.cfg.Store.SignUp(ctx, link, s.cfg.Clock.Now())
	if err != nil {
		return session.Opened{}, err
	}
	key, err := s.cfg.Passkeys.Made(ctx, passkey.SignUp, token, name, answer)
	if err != nil {
		return session.Opened{}, err
	}
	who, err := pendingAccount{s.cfg, link, p}.make(ctx, key.PersonID, &key)
	if err != nil {
		return session.Opened{}, err
	}
	in.FirstOfAccount = true
	return s.cfg.Sessions.Open(ctx, who, in)
}
