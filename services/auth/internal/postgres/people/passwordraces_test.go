package people_test

import (
	"sync"
	"testing"
	"time"

	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	"vitae.internal/services/auth/internal/authtest"
	"vitae.internal/services/auth/internal/mail"
	"vitae.internal/services/auth/internal/mail/maillink"
	"vitae.internal/services/auth/internal/people/person"
	"vitae.internal/services/auth/internal/people/recovery"
	"vitae.internal/services/auth/internal/people/session"
)

// twoPasswords is a person who changes the password in a session while also resetting it with a link. Both
// operations have read the old password.
type twoPasswords struct {
	w      *authtest.World
	who    person.Person
	here   session.Proof
	change func() error
	reset  func() error
}

func newTwoPasswords(w *authtest.World) twoPasswords {
	w.Helper()
	who, err := w.Stores.People.Person(w.Context(), w.Person())
	w.Must(err)
	here, key, now := proofOf(w, who.ID), person.EmailKey(who.Email), w.Clock.Now()
	w.Must(w.Stores.Sessions.OpenSession(w.Context(), session.Opening{
		Hash: credential.Hash("elsewhere " + who.ID), Previous: credential.Hash("none"), PersonID: who.ID, CreatedAt: now, ExpiresAt: now.Add(time.Hour),
	}))
	link := credential.Hash("link of " + who.ID)
	w.Must(w.Stores.Passwords.AddPasswordReset(w.Context(), link, recovery.Reset{EmailKey: key, CreatedAt: now, ExpiresAt: now.Add(time.Hour)},
		mail.NewEntry(mail.Reset, key, key, "id", "en", now)))
	to := func(hash string, kept credential.Digest) recovery.Change {
		return recovery.Change{Person: who, OldHash: "no password", NewHash: hash, Kept: kept, At: now}
	}
	return twoPasswords{
		w: w, who: who, here: here,
		change: func() error { return w.Stores.Passwords.ChangePassword(w.Context(), to("changed", here.Session)) },
		reset: func() error {
			return w.Stores.Passwords.ResetPassword(w.Context(), link, to("reset", credential.Digest{}))
		},
	}
}

// wantOnly fails the test unless the password was set either only by the change or only by the reset. A change keeps
// its session, a reset keeps none, and both delete the link.
func (p twoPasswords) wantOnly(changed bool) {
	p.w.Helper()
	hash, sessions := "reset", 0
	if changed {
		hash, sessions = "changed", 1
	}
	_, stored, err := p.w.Stores.People.PersonByEmail(p.w.Context(), person.EmailKey(p.who.Email))
	p.w.Must(err)
	live := authtest.Names(p.w, "SELECT encode(hash, 'hex') FROM sessions WHERE person_id = '"+p.who.ID+"'")
	links := authtest.Names(p.w, "SELECT email_key FROM password_resets WHERE email_key = '"+person.EmailKey(p.who.Email)+"'")
	if stored != hash || len(live) != sessions || len(links) != 0 {
		p.w.Errorf("the password is %q with %d sessions and %d links, want %q with %d sessions", stored, len(live), len(links), hash, sessions)
	}
	if _, err := p.w.Stores.Sessions.Session(p.w.Context(), p.here.Session, p.here.At, nil); (err == nil) != changed {
		p.w.Errorf("the session of the change: %v", err)
	}
}

func TestFirstOfResetAndChangeApplies(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	p := newTwoPasswords(w)
	w.Must(p.reset())
	if err := p.change(); !errs.HasCode(err, session.ErrProof.Code) {
		t.Errorf("a change after the reset: %v", err)
	}
	p.wantOnly(false)

	p = newTwoPasswords(w)
	w.Must(p.change())
	if err := p.reset(); !errs.HasCode(err, maillink.ErrDead.Code) {
		t.Errorf("a reset after the change: %v", err)
	}
	p.wantOnly(true)
}

// Both operations lock the rows of the person, the sessions and the link. They would deadlock if they locked them in
// different orders.
func TestConcurrentResetAndChangeSetOne(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	for round := range 40 {
		p := newTwoPasswords(w)
		var changed, reset error
		var wait sync.WaitGroup
		wait.Go(func() { changed = p.change() })
		wait.Go(func() { reset = p.reset() })
		wait.Wait()
		if (changed == nil) == (reset == nil) || (changed != nil && !errs.HasCode(changed, session.ErrProof.Code)) ||
			(reset != nil && !errs.HasCode(reset, maillink.ErrDead.Code)) {
			t.Fatalf("round %d: change %v, reset %v", round, changed, reset)
		}
		p.wantOnly(changed == nil)
	}
}
