package recovery

import (
	"context"

	"vitae.internal/services/auth/internal/person"
	"vitae.internal/services/auth/internal/session"
)

// Confirm makes sure that the person of a session is there: by a proof of the last ten minutes
// (session.ProofLife), which signing in is, or by the password of the attempt
// (behaviour: account-data#being-there). Errors: session.ErrEnded; session.ErrWrong; session.ErrSlowed with the time
// to wait; password.ErrBusy.
func (s *Service) Confirm(ctx context.Context, secret string, by session.SignIn) (person.Person, error) {
	live, proven, err := s.cfg.Sessions.GetProven(ctx, secret)
	if err != nil {
		return person.Person{}, err
	}
	who := live.Person
	if proven {
		return who, nil
	}
	if by.Password == "" {
		return person.Person{}, session.ErrWrong
	}
	by.Email = who.Email
	_, err = s.cfg.Sessions.Prove(ctx, by)
	return who, err
}
