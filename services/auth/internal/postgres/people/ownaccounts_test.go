package people_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/id"
	"vitae.internal/services/auth/internal/authtest"
	"vitae.internal/services/auth/internal/mail"
	"vitae.internal/services/auth/internal/mail/maillink"
	"vitae.internal/services/auth/internal/people/person"
	"vitae.internal/services/auth/internal/people/recovery"
	"vitae.internal/services/auth/internal/people/session"
	"vitae.internal/services/auth/internal/people/signup"
)

// wantedAccount returns a pending account and the email for it.
func wantedAccount(w *authtest.World, email string) (signup.Pending, mail.Entry) {
	now := w.Clock.Now()
	p := signup.Pending{
		Email: email, EmailKey: email, Name: "Noor", PasswordHash: "hash", Language: "ar", CreatedAt: now, ExpiresAt: now.Add(mail.SignUpLife),
	}
	return p, mail.NewEntry(mail.SignUp, email, email, "id", "ar", now)
}

func addSignUp(w *authtest.World, link credential.Digest, p signup.Pending, m mail.Entry) bool {
	w.Helper()
	added, err := w.Stores.SignUps.AddSignUp(w.Context(), link, p, m)
	w.Must(err)
	return added
}

func newPerson(w *authtest.World, email string) person.Person {
	return person.Person{ID: id.New("usr"), Email: email, EmailVerified: true, CreatedAt: w.Clock.Now()}
}

func ownAccountOperations(w *authtest.World) []authtest.Operation {
	p, now := w.Person(), w.Clock.Now()
	pending, m := wantedAccount(w, "wanted@example.com")
	made := newPerson(w, pending.Email)
	signUp, reset, here := credential.Hash("sign-up"), credential.Hash("reset"), credential.Hash("here, to change a password")
	email := p + "@example.com"
	r := recovery.Reset{EmailKey: email, CreatedAt: now, ExpiresAt: now.Add(time.Hour)}
	change := func(from, to string) recovery.Change {
		return recovery.Change{Person: person.Person{ID: p, Email: email}, OldHash: from, NewHash: to, At: now}
	}
	changed := &audit.Event{PersonID: p, Object: audit.Object{ID: p}}
	return []authtest.Operation{
		{"add a sign-up", func(ctx context.Context) error {
			_, err := w.Stores.SignUps.AddSignUp(ctx, signUp, pending, m)
			return err
		}, nil},
		{"sign-up", func(ctx context.Context) error { _, err := w.Stores.SignUps.SignUp(ctx, signUp, now); return err }, nil},
		{"complete a sign-up", func(ctx context.Context) error {
			return w.Stores.SignUps.CompleteSignUp(ctx, signUp, made, pending, nil)
		}, &audit.Event{Actor: audit.ByPerson(made.ID), PersonID: made.ID, Object: audit.Object{Type: "person", ID: made.ID}}},
		{"add a password reset", func(ctx context.Context) error {
			return w.Stores.Passwords.AddPasswordReset(ctx, reset, r, mail.NewEntry(mail.Reset, email, email, "id", "en", now))
		}, nil},
		{"password reset", func(ctx context.Context) error {
			_, _, err := w.Stores.Passwords.PasswordReset(ctx, reset, now)
			return err
		}, nil},
		{"reset a password", func(ctx context.Context) error {
			return w.Stores.Passwords.ResetPassword(ctx, reset, change("no password", "one"))
		}, changed},
		{"a session to change it in", func(ctx context.Context) error {
			_, err := w.Pool.Exec(ctx, "INSERT INTO sessions (hash, person_id, created_at, expires_at) VALUES ($1, $2, $3, $4)", here[:], p, now, now.Add(time.Hour))
			return err
		}, nil},
		{"change a password", func(ctx context.Context) error {
			c := change("one", "two")
			c.Kept = here
			return w.Stores.Passwords.ChangePassword(ctx, c)
		}, changed},
	}
}

func TestSignUpLinkCreatesOneAccount(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	first, second := credential.Hash("first"), credential.Hash("second")
	pending, m := wantedAccount(w, "a@example.com")
	addSignUp(w, first, pending, m)
	m.ID = id.New("mail")
	addSignUp(w, second, pending, m)

	late := newPerson(w, pending.Email)
	late.CreatedAt = pending.ExpiresAt
	if err := w.Stores.SignUps.CompleteSignUp(t.Context(), first, late, pending, nil); !errs.HasCode(err, maillink.ErrDead.Code) {
		t.Errorf("an expired link: %v", err)
	}
	made := newPerson(w, pending.Email)
	w.Must(w.Stores.SignUps.CompleteSignUp(t.Context(), first, made, pending, nil))
	for _, link := range []credential.Digest{first, second} {
		if err := w.Stores.SignUps.CompleteSignUp(t.Context(), link, newPerson(w, pending.Email), pending, nil); !errs.HasCode(err, maillink.ErrDead.Code) {
			t.Errorf("a used link: %v", err)
		}
	}
	list, err := w.Stores.SignUps.NewProfiles(t.Context(), made.ID, 1)
	w.Must(err)
	if len(list) != 1 || list[0].Name != "Noor" || list[0].Person.Language != "ar" || list[0].Person.Email != pending.Email || !list[0].Person.EmailVerified {
		t.Errorf("the profile to create is %+v", list)
	}
	if none, err := w.Stores.SignUps.NewProfiles(t.Context(), "usr_other", 1); err != nil || len(none) != 0 {
		t.Errorf("a different person has %v, %v", none, err)
	}

	// The address has been given an account in another way. The sign-up must fail and change nothing.
	third := credential.Hash("third")
	m.ID = id.New("mail")
	addSignUp(w, third, pending, m)
	if err := w.Stores.SignUps.CompleteSignUp(t.Context(), third, newPerson(w, pending.Email), pending, nil); !errs.HasCode(err, person.ErrEmailTaken.Code) {
		t.Errorf("a taken address: %v", err)
	}
	if _, err := w.Stores.SignUps.SignUp(t.Context(), third, w.Clock.Now()); err != nil {
		t.Errorf("the link was used up: %v", err)
	}
	if all, err := w.Stores.SignUps.NewProfiles(t.Context(), "", 10); err != nil || len(all) != 1 {
		t.Errorf("%d profiles to create, %v", len(all), err)
	}
}

func TestAddressGetsFiveEmailsThenOneAnHour(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	ask := func(email string) bool {
		t.Helper()
		pending, m := wantedAccount(w, email)
		return addSignUp(w, credential.Hash(m.ID), pending, m)
	}
	waiting := func(email string) int {
		return len(authtest.Names(w, "SELECT id FROM mail_outbox WHERE email_key = '"+email+"'"))
	}
	for i := range mail.BudgetBurst + 3 {
		if added := ask("a@example.com"); added != (i < mail.BudgetBurst) {
			t.Errorf("request %d was added: %v", i, added)
		}
	}
	ask("b@example.com")
	if a, b := waiting("a@example.com"), waiting("b@example.com"); a != mail.BudgetBurst || b != 1 {
		t.Errorf("%d and %d emails", a, b)
	}
	if links := authtest.Names(w, "SELECT email FROM sign_ups WHERE email_key = 'a@example.com'"); len(links) != mail.BudgetBurst {
		t.Errorf("%d links without an email", len(links)-mail.BudgetBurst)
	}
	w.Clock.Advance(mail.BudgetEvery - time.Second)
	ask("a@example.com")
	if got := waiting("a@example.com"); got != mail.BudgetBurst {
		t.Errorf("%d emails within the hour", got)
	}
	w.Clock.Advance(time.Second)
	ask("a@example.com")
	ask("a@example.com")
	if got := waiting("a@example.com"); got != mail.BudgetBurst+1 {
		t.Errorf("%d emails after an hour", got)
	}
}

func TestEmailIsLeasedByOneReplica(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	pending, m := wantedAccount(w, "a@example.com")
	addSignUp(w, credential.Hash("link"), pending, m)
	now := w.Clock.Now()
	lease := func(at time.Time) []mail.Due {
		t.Helper()
		due, err := w.Stores.Outbox.LeaseMail(t.Context(), at, at.Add(time.Minute), 10)
		w.Must(err)
		return due
	}
	due := lease(now)
	if len(due) != 1 || due[0].ID != m.ID || due[0].Attempts != 1 || due[0].PersonID != "" || due[0].Language != "ar" || !due[0].ExpiresAt.Equal(m.ExpiresAt) {
		t.Fatalf("leased %+v", due)
	}
	if again := lease(now.Add(time.Minute - time.Microsecond)); len(again) != 0 {
		t.Errorf("leased twice: %+v", again)
	}
	if again := lease(now.Add(time.Minute)); len(again) != 1 || again[0].Attempts != 2 {
		t.Errorf("after the lease: %+v", again)
	}
	w.Must(w.Stores.Outbox.DeferMail(t.Context(), m.ID, now.Add(time.Hour)))
	if sizes, err := w.Stores.Outbox.Outboxes(t.Context(), now.Add(time.Second)); err != nil || sizes["mail"].Entries != 1 || sizes["mail"].Oldest != time.Second {
		t.Errorf("%+v, %v", sizes, err)
	}
	w.Must(w.Stores.Outbox.DropMail(t.Context(), m.ID))
	if left := lease(now.Add(time.Hour)); len(left) != 0 {
		t.Errorf("leased after it was dropped: %+v", left)
	}
}

func TestNewPasswordEndsSessionsAndLinks(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	who, now := person.Person{ID: w.Person()}, w.Clock.Now()
	p, err := w.Stores.People.Person(t.Context(), who.ID)
	w.Must(err)
	who = p
	key := person.EmailKey(who.Email)
	here, there := credential.Hash("here"), credential.Hash("there")
	for _, hash := range []credential.Digest{here, there} {
		w.Must(w.Stores.Sessions.OpenSession(t.Context(), session.Opening{Hash: hash, Previous: credential.Hash("none"), PersonID: who.ID, CreatedAt: now, ExpiresAt: now.Add(time.Hour)}))
	}
	link := credential.Hash("link")
	w.Must(w.Stores.Passwords.AddPasswordReset(t.Context(), link, recovery.Reset{EmailKey: key, CreatedAt: now, ExpiresAt: now.Add(time.Hour)}, mail.NewEntry(mail.Reset, key, key, "id", "en", now)))
	change := recovery.Change{Person: who, OldHash: "no password", NewHash: "new", Kept: here, At: now.Add(time.Second), Notice: notice(w, mail.PasswordChanged)}
	w.Must(w.Stores.Passwords.ChangePassword(t.Context(), change))
	if left := authtest.Names(w, "SELECT encode(hash, 'hex') FROM sessions"); len(left) != 1 {
		t.Errorf("%d sessions are left", len(left))
	}
	if _, err := w.Stores.Sessions.Session(t.Context(), here, now, nil); err != nil {
		t.Errorf("the current session: %v", err)
	}
	if _, _, err := w.Stores.Passwords.PasswordReset(t.Context(), link, now); !errs.HasCode(err, maillink.ErrDead.Code) {
		t.Errorf("an earlier link: %v", err)
	}
	if kinds := authtest.Names(w, "SELECT kind FROM mail_outbox"); !slices.Contains(kinds, string(mail.PasswordChanged)) {
		t.Errorf("emails %v", kinds)
	}
	// A change must have no effect if the password has already been replaced.
	if err := w.Stores.Passwords.ChangePassword(t.Context(), change); !errs.HasCode(err, session.ErrProof.Code) {
		t.Errorf("an overtaken change: %v", err)
	}
}

// While a password is being hashed, the session may end and the proof may expire.
func TestPasswordChangeNeedsARecentProof(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	now := w.Clock.Now()
	p, err := w.Stores.People.Person(t.Context(), w.Person())
	w.Must(err)
	here := credential.Hash("here")
	w.Must(w.Stores.Sessions.OpenSession(t.Context(), session.Opening{Hash: here, Previous: credential.Hash("none"), PersonID: p.ID, CreatedAt: now, ExpiresAt: now.Add(time.Hour)}))
	change := func(kept credential.Digest, at time.Time) error {
		return w.Stores.Passwords.ChangePassword(t.Context(), recovery.Change{Person: p, OldHash: "no password", NewHash: "new", Kept: kept, At: at})
	}
	for name, c := range map[string]struct {
		kept credential.Digest
		at   time.Time
		code string
	}{
		"ended":        {credential.Hash("ended"), now, session.ErrEnded.Code},
		"expired":      {here, now.Add(time.Hour), session.ErrEnded.Code},
		"an old proof": {here, now.Add(session.ProofLife), session.ErrProof.Code},
	} {
		if err := change(c.kept, c.at); !errs.HasCode(err, c.code) {
			t.Errorf("%s: %v, want %s", name, err, c.code)
		}
	}
	w.Must(change(here, now.Add(session.ProofLife-time.Microsecond))) // the failed changes must have had no effect
}

func TestCleanUpLeavesWorkingLinks(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	now := w.Clock.Now()
	for name, until := range map[string]time.Time{"past": now.Add(-time.Microsecond), "now": now} {
		for _, insert := range []string{
			"INSERT INTO sign_ups VALUES (convert_to($1, 'UTF8'), $1, $1, '', '', '', '', 'epoch', $2)",
			"INSERT INTO password_resets VALUES (convert_to($1, 'UTF8'), $1, '', 'epoch', $2)",
			"INSERT INTO mail_budgets VALUES (convert_to($1, 'UTF8'), $2)",
		} {
			_, err := w.Pool.Exec(t.Context(), insert, name, until)
			w.Must(err)
		}
	}
	more, err := w.Stores.Cleanup.DeleteIdle(t.Context(), now, 10)
	w.Must(err)
	if more {
		t.Error("DeleteDead reported that more is left")
	}
	for _, table := range []string{"sign_ups", "password_resets"} {
		if left := authtest.Names(w, "SELECT email_key FROM "+table); !slices.Equal(left, []string{"now"}) {
			t.Errorf("rows of %s left: %v", table, left)
		}
	}
	if left := authtest.Names(w, "SELECT convert_from(address, 'UTF8') FROM mail_budgets"); !slices.Equal(left, []string{"now"}) {
		t.Errorf("budgets left: %v", left)
	}
}

// A password reset has no session, so its notice must contain the place that the caller passes.
func TestNoticeWithoutSessionHasGivenPlace(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	p, now := w.Person(), w.Clock.Now()
	place := mail.Place{Browser: "Firefox", System: "Linux", Country: "DE"}
	w.Must(w.Stores.Exports.AddNotice(t.Context(), p, mail.Post{On: true, Clock: w.Clock}.Notice(mail.PasswordChanged, mail.Occasion{By: place})))
	due, err := w.Stores.Outbox.LeaseMail(t.Context(), now, now.Add(time.Minute), 10)
	w.Must(err)
	if len(due) != 1 || (mail.Place{Browser: due[0].Browser, System: due[0].System, Country: due[0].Country}) != place {
		t.Errorf("%+v", due)
	}
}
