package recovery

import (
	"context"
	"errors"
	"time"

	"vitae.internal/services/auth/internal/person"
	"vitae.internal/services/auth/internal/session"
)

// RecentSignIn is how long after signing in a person need not give the password again
// (behaviour: account-data#being-there). The pages know it too, to leave out the field.
const RecentSignIn = 10 * time.Minute

// Confirm makes sure that the person of a session is there: by a recent sign-in, or by the
// password of the attempt. Errors: session.ErrEnded; session.ErrWrong; session.ErrSlowed with the time
// to wait; password.ErrBusy.
func (s *Service) Confirm(ctx context.Context, secret string, by session.SignIn) (person.Person, error) {
	who, _, err := s.cfg.Sessions.Get(ctx, secret)
	if err != nil {
		return person.Person{}, err
	}
	if s.cfg.Clock.Now().Sub(who.SignedInAt) < RecentSignIn {
		return who, nil
	}
	if by.Password == "" {
		return person.Person{}, session.ErrWrong
	}
	by.Email = who.Email
	_, err = s.cfg.Sessions.Prove(ctx, by)
	if errors.Is(err, session.ErrFailed) {
		err = session.ErrWrong
	}
	return who, err
}
