package session

import (
	"context"
	"errors"
	"time"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/presence"
	"vitae.internal/services/auth/internal/person"
)

// ProofLife is how long a proof that the person is there holds, the sign-in itself included
// (behaviour: accounts#proving-to-be-there).
const ProofLife = 10 * time.Minute

// ErrProof is for a change that asks for a proof in a session without a recent one.
var ErrProof = presence.ErrProof

// Proof is what a change that asks for a proof has been let in by. The store looks at it again
// in the transaction of the change.
type Proof struct {
	// Session is the session in which the change is made.
	Session credential.Digest
	// At is when it is made.
	At time.Time
}

// Live is a live session.
type Live struct {
	Person    person.Person
	ExpiresAt time.Time
	// ProvenAt is when the person has last proven to be there.
	ProvenAt time.Time
	// DeletionDueAt is when the account is deleted; the zero time if the person has not asked
	// for it.
	DeletionDueAt time.Time
	Browser       Browser
}

// Get gives the person of a live session, and when the session ends. Errors: ErrEnded.
func (s *Service) Get(ctx context.Context, secret string) (person.Person, time.Time, error) {
	live, err := s.look(ctx, secret)
	return live.Person, live.ExpiresAt, err
}

// GetProven is Get, and says whether the person has proven to be there lately. Errors:
// ErrEnded.
func (s *Service) GetProven(ctx context.Context, secret string) (Live, bool, error) {
	live, err := s.look(ctx, secret)
	return live, err == nil && s.cfg.Clock.Now().Sub(live.ProvenAt) < ProofLife, err
}

// Proven gives the person of a live session who has proven to be there lately. Errors:
// ErrEnded; ErrProof.
func (s *Service) Proven(ctx context.Context, secret string) (person.Person, error) {
	live, proven, err := s.GetProven(ctx, secret)
	if err == nil && !proven {
		err = ErrProof
	}
	return live.Person, err
}

func (s *Service) look(ctx context.Context, secret string) (Live, error) {
	var used *string
	if country, known := s.cfg.Whereabouts.Here(ctx); known {
		used = &country
	}
	live, err := s.cfg.Store.Session(ctx, credential.Hash(secret), s.cfg.Clock.Now(), used)
	if err == nil {
		audit.FromContext(ctx).Note(audit.About{By: audit.ByPerson(live.Person.ID), PersonID: live.Person.ID})
		live.Browser.note(ctx)
	}
	return live, err
}

// NoteProof notes that the person of a session has proven to be there by other means than the
// password.
func (s *Service) NoteProof(ctx context.Context, secret string) error {
	return s.cfg.Store.NoteProof(ctx, credential.Hash(secret), s.cfg.Clock.Now())
}

// ErrWrong is for a proof by a password that is wrong.
var ErrWrong = errs.New(errs.Denied, "WRONG_PASSWORD", "The current password is wrong.").WithField("current_password")

// ProveByPassword proves that the person of a session is there, by the password of in. Errors:
// ErrEnded; ErrWrong; those of SignIn.
func (s *Service) ProveByPassword(ctx context.Context, secret string, in SignIn) error {
	who, _, err := s.Get(ctx, secret)
	if err != nil {
		return err
	}
	in.Email = who.Email
	if err := s.checkPassword(ctx, in); err != nil {
		return err
	}
	return s.NoteProof(ctx, secret)
}

// checkPassword checks a person's password and opens no session: the person is signed in
// already. Guesses are counted as those of SignIn. Errors: ErrWrong for a wrong one; ErrSlowed;
// password.ErrBusy.
func (s *Service) checkPassword(ctx context.Context, in SignIn) error {
	emailKey := person.EmailKey(in.Email)
	a, err := s.admit(ctx, emailKey, in)
	if err != nil {
		return err
	}
	_, _, _, err = s.verify(ctx, a, in, registered{s, emailKey})
	if err == nil && a.known {
		err = s.cfg.Store.UncountDeviceAttempt(ctx, a.device, emailKey)
	}
	a.count(err)
	if errors.Is(err, ErrFailed) {
		err = ErrWrong
	}
	return err
}

// Open opens a session for a person who has signed in without a password. in has what the
// browser holds. Errors: those of the store.
func (s *Service) Open(ctx context.Context, who person.Person, in SignIn) (Opened, error) {
	in.Browser.note(ctx)
	a := admission{emailKey: person.EmailKey(who.Email), device: credential.Hash(in.Device)}
	if in.Device != "" {
		var err error
		if a.known, err = s.cfg.Store.CountDeviceAttempt(ctx, a.device, a.emailKey, s.cfg.Clock.Now(), DeviceFailures); err != nil {
			return Opened{}, err
		}
	}
	opened, err := s.open(ctx, who, a, in)
	a.count(err)
	return opened, err
}
