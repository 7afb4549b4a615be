package session

import (
	"context"
	"errors"
	"time"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/presence"
	"vitae.internal/services/auth/internal/people/person"
)

// ProofLife is how long a proof of presence is valid. Signing in also counts as such a proof
// (behaviour: accounts#re-authentication).
const ProofLife = 10 * time.Minute

// ErrProof is returned if a change requires a recent proof of presence and the session has none.
var ErrProof = presence.ErrProof

// Proof identifies the session in which a change that requires a proof of presence is made, and when. The store
// checks the proof again in the transaction of the change.
type Proof struct {
	Session credential.Digest
	At      time.Time
}

// Live is a live session.
type Live struct {
	Person    person.Person
	ExpiresAt time.Time
	// ProvenAt is the time of the last proof of presence.
	ProvenAt time.Time
	// DeletionDueAt is when the account will be deleted, or zero if the person hasn't requested its deletion.
	DeletionDueAt time.Time
	Browser       Browser
}

// Get returns the person signed in to a live session, and when the session expires. Errors: ErrEnded.
func (s *Service) Get(ctx context.Context, secret string) (person.Person, time.Time, error) {
	live, err := s.read(ctx, secret)
	return live.Person, live.ExpiresAt, err
}

// GetProven returns a live session and reports whether it has a recent proof of presence.
// Errors: ErrEnded.
func (s *Service) GetProven(ctx context.Context, secret string) (Live, bool, error) {
	live, err := s.read(ctx, secret)
	return live, err == nil && s.cfg.Clock.Now().Sub(live.ProvenAt) < ProofLife, err
}

// Proven returns the person signed in to a live session that has a recent proof of presence. Errors: ErrEnded;
// ErrProof.
func (s *Service) Proven(ctx context.Context, secret string) (person.Person, error) {
	live, proven, err := s.GetProven(ctx, secret)
	if err == nil && !proven {
		err = ErrProof
	}
	return live.Person, err
}

func (s *Service) read(ctx context.Context, secret string) (Live, error) {
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

// NoteProof records a proof of presence made by means other than the password.
func (s *Service) NoteProof(ctx context.Context, secret string) error {
	return s.cfg.Store.NoteProof(ctx, credential.Hash(secret), s.cfg.Clock.Now())
}

// ErrWrong is returned if the person enters a wrong password as proof of presence.
var ErrWrong = errs.New(errs.Denied, "WRONG_PASSWORD", "The current password is wrong.").WithField("current_password")

// ProveByPassword records a proof of presence if in.Password is right. Errors: ErrEnded; ErrWrong; all errors
// returned by SignIn.
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

// checkPassword checks the password of a signed-in person. Attempts are counted as in SignIn. Errors: ErrWrong;
// ErrSlowed; password.ErrBusy.
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

// Open opens a session for a person who has signed in without a password. in describes the browser.
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
