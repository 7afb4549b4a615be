package app_test

import (
	"strings"
	"testing"
	"time"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	"vitae.internal/services/auth/app"
	"vitae.internal/services/auth/internal/mail"
)

// newProfile returns the person's profile that the candidate service has yet to create, or nil if there is none.
func (w *world) newProfile(personID string) *authv1.NewProfile {
	w.Helper()
	resp, err := authv1.NewSignUpServiceClient(w.candidate).ListNewProfiles(w.Context(), &authv1.ListNewProfilesRequest{PersonId: personID})
	w.must(err)
	if len(resp.GetProfiles()) == 0 {
		return nil
	}
	return resp.GetProfiles()[0]
}

func (w *world) wants(email string) error {
	w.Helper()
	_, err := w.signUps.StartSignUp(w.Context(), &authv1.StartSignUpRequest{
		Name: "Noor Saleh", Email: email, Password: plainWord, Language: "ar", ClientIp: "203.0.113.7",
	})
	return err
}

func (w *world) completes(token, password string) (*authv1.CompleteSignUpResponse, error) {
	return w.signUps.CompleteSignUp(w.Context(), &authv1.CompleteSignUpRequest{Token: token, Password: password, ClientIp: "203.0.113.7"})
}

func TestSignUpNeedsLinkAndPassword(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.must(w.wants("Noor@example.com"))
	if _, err := w.sessions.SignIn(t.Context(), &authv1.SignInRequest{Email: "noor@example.com", Password: plainWord}); err == nil {
		t.Fatal("the sign-in succeeded before the address was verified")
	}
	token := w.tokenIn(w.awaitMail("Noor@example.com", 1))
	got, err := w.signUps.GetSignUp(t.Context(), &authv1.GetSignUpRequest{Token: token})
	w.must(err)
	if got.GetEmail() != "Noor@example.com" {
		t.Errorf("the link belongs to %v", got)
	}
	_, err = w.completes(token, "another password")
	wantCode(t, err, "SIGN_IN_FAILED")

	done, err := w.completes(token, plainWord)
	w.must(err)
	who := done.GetSession().GetPerson()
	if !who.GetEmailVerified() || who.GetEmail() != "Noor@example.com" {
		t.Errorf("created %v", done)
	}
	in, err := w.sessions.GetSession(t.Context(), &authv1.GetSessionRequest{SessionToken: done.GetSession().GetSessionToken()})
	w.must(err)
	if in.GetPerson().GetId() != who.GetId() {
		t.Errorf("signed in as %v", in)
	}
	if p := w.newProfile(who.GetId()); p.GetName() != "Noor Saleh" || p.GetPerson().GetEmail() != "Noor@example.com" || !p.GetPerson().GetEmailVerified() || p.GetPerson().GetLanguage() != "ar" {
		t.Errorf("the profile is %v", p)
	}
	_, err = w.completes(token, plainWord)
	wantCode(t, err, "LINK_DEAD")
}

// sendAgain requests a new link for an earlier request of noor@example.com.
func (w *world) sendAgain(pending, ip string) (string, error) {
	resp, err := w.signUps.StartSignUp(w.Context(), &authv1.StartSignUpRequest{
		Email: "noor@example.com", Pending: pending, Language: "en", ClientIp: ip,
	})
	return resp.GetPending(), err
}

func TestSignUpLinkIsResentWithoutPassword(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	asked, err := w.signUps.StartSignUp(w.Context(), &authv1.StartSignUpRequest{Name: "Noor Saleh", Email: "noor@example.com", Password: plainWord, Language: "ar"})
	w.must(err)
	first := w.tokenIn(w.awaitMail("noor@example.com", 1))
	again, err := w.sendAgain(asked.GetPending(), "203.0.113.7")
	w.must(err)
	if second := w.tokenIn(w.awaitMail("noor@example.com", 2)); second == first || again == asked.GetPending() {
		t.Error("the same link was sent again")
	}
	_, err = w.completes(asked.GetPending(), plainWord)
	wantCode(t, err, "LINK_DEAD")
	_, err = w.completes(first, plainWord)
	w.must(err)
	if got, err := w.sendAgain(again, "203.0.113.7"); err != nil || got != again {
		t.Errorf("after the account was created: %q, %v", got, err)
	}
	_, err = w.signUps.StartSignUp(w.Context(), &authv1.StartSignUpRequest{Name: "Noor", Email: "b@example.com", Language: "en"})
	w.isRefused(err, "", "password")
}

// Otherwise, anyone could sign up with another person's email address to learn whether that person completes a
// sign-up.
func TestResendHidesWhetherSignUpExists(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, pending := range []string{strings.Repeat("A", 43), "none", "A", "B", "C"} {
		got, err := w.sendAgain(pending, "203.0.113.7")
		w.must(err)
		if got != pending {
			t.Errorf("the pending value changed from %q to %q", pending, got)
		}
	}
	_, err := w.sendAgain("A", "203.0.113.7")
	w.waits(err)
	var written int
	w.must(w.db.QueryRow(t.Context(), "SELECT (SELECT count(*) FROM sign_ups) + (SELECT count(*) FROM mail_outbox)").Scan(&written))
	if written != 0 {
		t.Errorf("%d rows were written", written)
	}
}

func TestResendOverBudgetKeepsLink(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	asked, err := w.signUps.StartSignUp(w.Context(), &authv1.StartSignUpRequest{Name: "Noor Saleh", Email: "noor@example.com", Password: plainWord, Language: "ar"})
	w.must(err)
	last := asked.GetPending()
	for i := 1; i < mail.BudgetBurst; i++ {
		next, err := w.sendAgain(last, elsewhere(i))
		w.must(err)
		if next == last {
			t.Fatalf("email %d was not sent", i+1)
		}
		last = next
	}
	next, err := w.sendAgain(last, elsewhere(mail.BudgetBurst))
	w.must(err)
	if next != last {
		t.Error("the link that was not sent replaced the live one")
	}
}

func TestNewProfileWaitsForCandidate(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var made []string
	for _, email := range []string{"noor@example.com", "mira@example.com"} {
		w.must(w.wants(email))
		done, err := w.completes(w.tokenIn(w.awaitMail(email, 1)), plainWord)
		w.must(err)
		made = append(made, done.GetSession().GetPerson().GetId())
		w.clock.Advance(time.Second)
	}
	candidate := authv1.NewSignUpServiceClient(w.replica().candidate)
	for range 2 {
		_, err := candidate.DropNewProfile(t.Context(), &authv1.DropNewProfileRequest{PersonId: made[0]})
		w.must(err)
	}
	all, err := candidate.ListNewProfiles(t.Context(), &authv1.ListNewProfilesRequest{})
	w.must(err)
	if list := all.GetProfiles(); len(list) != 1 || list[0].GetPerson().GetId() != made[1] || w.newProfile(made[0]) != nil {
		t.Errorf("listed are %v", list)
	}
	_, err = w.signUps.ListNewProfiles(t.Context(), &authv1.ListNewProfilesRequest{})
	wantCode(t, err, "CALLER_NOT_ALLOWED")
}

// Browsers send a domain as typed or as its A-label, in any case. All these forms denote the same address.
func TestDomainFormsAreOneAddress(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const typed, stored = "Mira@bücher.example", "Mira@xn--bcher-kva.example"
	w.must(w.wants(typed))
	made, err := w.completes(w.tokenIn(w.awaitMail(stored, 1)), plainWord)
	w.must(err)
	if email := made.GetSession().GetPerson().GetEmail(); email != stored {
		t.Errorf("the account has %q", email)
	}
	for _, form := range []string{"mira@bu\u0308cher.EXAMPLE", stored, " " + typed} {
		w.must(w.browser("203.0.113.8").signIn(form, plainWord))
	}
	mails := len(w.mails(stored))
	w.forgets("mira@BÜCHER.example")
	w.awaitMail(stored, mails+1)
	_, err = w.people.CreatePerson(t.Context(), &authv1.CreatePersonRequest{Email: typed, Password: plainWord})
	wantCode(t, err, "EMAIL_TAKEN")
	account, owner := w.team()
	offer, err := w.invite(owner, account, typed, asViewer)
	w.must(err)
	if offer.GetInvitation().GetEmail() != stored {
		t.Errorf("the invited address is %q", offer.GetInvitation().GetEmail())
	}
	_, err = w.invite(owner, account, "ميرا@مثال.إختبار", asViewer) // the local part requires SMTPUTF8 (RFC 6531)
	w.isRefused(err, "", "email")
	w.isRefused(w.wants("ميرا@مثال.إختبار"), "", "email")
}

// The response time depends on the number of rows that a request writes, so it must be the same for every address.
func TestSignUpTakesSameWorkForAnyAddress(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.person("taken@example.com")
	rows := func() (n [3]int) {
		w.must(w.db.QueryRow(t.Context(), `SELECT (SELECT count(*) FROM sign_ups), (SELECT count(*) FROM mail_budgets),
			(SELECT count(*) FROM password_resets)`).Scan(&n[0], &n[1], &n[2]))
		return n
	}
	for i, email := range []string{"taken@example.com", "free@example.com"} {
		w.must(w.wants(email))
		_, err := w.passwords.StartPasswordReset(t.Context(), &authv1.StartPasswordResetRequest{Email: email, Language: "en", ClientIp: "203.0.113.7"})
		w.must(err)
		if got, want := rows(), [3]int{i + 1, 2 * (i + 1), i + 1}; got != want {
			t.Errorf("%s: rows %v, want %v", email, got, want)
		}
	}
	w.awaitMail("free@example.com", 1)
	w.awaitMail("taken@example.com", 2)
	eventually(w, "an empty outbox", func() bool {
		var left int
		w.must(w.db.QueryRow(t.Context(), "SELECT count(*) FROM mail_outbox").Scan(&left))
		return left == 0
	})
	if got := w.mails("free@example.com"); len(got) != 1 {
		t.Errorf("an address without an account got %d emails", len(got))
	}
}

func TestInvalidSignUpNamesTheField(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for field, change := range map[string]func(*authv1.StartSignUpRequest){
		"name": func(r *authv1.StartSignUpRequest) { r.Name = "a\nb" }, "email": func(r *authv1.StartSignUpRequest) { r.Email = "nobody" },
		"password": func(r *authv1.StartSignUpRequest) { r.Password = "password123" }, "language": func(r *authv1.StartSignUpRequest) { r.Language = "de" },
	} {
		req := &authv1.StartSignUpRequest{Name: "Noor", Email: "a@example.com", Password: plainWord, Language: "en"}
		change(req)
		_, err := w.signUps.StartSignUp(t.Context(), req)
		w.isRefused(err, "", field)
	}
}

func TestNoSignUpWithoutEmailServer(t *testing.T) {
	t.Parallel()
	first := newWorld(t)
	p := first.person("a@example.com")
	first.cfg.Mail = app.Mail{}
	w := first.replica()
	wantCode(t, w.wants("b@example.com"), "MAIL_OFF")
	_, err := w.passwords.StartPasswordReset(t.Context(), &authv1.StartPasswordResetRequest{Email: p.email, Language: "en"})
	wantCode(t, err, "MAIL_OFF")
	_, err = w.passwords.ChangePassword(t.Context(), &authv1.ChangePasswordRequest{
		SessionToken: p.session, CurrentPassword: plainWord, NewPassword: plainWord + " two", Language: "en", ClientIp: "203.0.113.7",
	})
	w.must(err)
	var left int
	w.must(w.db.QueryRow(t.Context(), "SELECT count(*) FROM mail_outbox WHERE kind <> 'new_sign_in'").Scan(&left)) // ignores the notice of an earlier sign-in
	if left != 0 {
		t.Errorf("%d emails are queued", left)
	}
}

func TestEmailRequestsAreSlowedByAddress(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var err error
	for range 5 {
		err = w.wants("a@example.com")
	}
	w.must(err)
	if wait := w.waits(w.wants("a@example.com")); wait > time.Minute {
		t.Errorf("the wait is %s", wait)
	}
	// Sign-ins from the same IP address are not delayed.
	w.person("a@example.com")
}
