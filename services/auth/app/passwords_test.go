package app_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	"vitae.internal/services/auth/internal/mail"
	"vitae.internal/services/auth/internal/people/guesses/throttle"
	"vitae.internal/services/auth/internal/people/session"
)

func (w *world) forgets(email string) {
	w.Helper()
	_, err := w.passwords.StartPasswordReset(w.Context(), &authv1.StartPasswordResetRequest{
		Email: email, Language: "en", ClientIp: "203.0.113.7",
	})
	w.must(err)
}

func (w *world) passwordsFrom(device, ip, email string) error {
	_, err := w.passwords.StartPasswordReset(w.Context(), &authv1.StartPasswordResetRequest{
		Email: email, Language: "en", ClientIp: ip, DeviceToken: device,
	})
	return err
}

func (w *world) resets(token, password string) (*authv1.ResetPasswordResponse, error) {
	return w.passwords.ResetPassword(w.Context(), &authv1.ResetPasswordRequest{Token: token, Password: password, ClientIp: "203.0.113.7", Language: "en"})
}

func (w *world) isSignedIn(session string) bool {
	_, err := w.sessions.GetSession(w.Context(), &authv1.GetSessionRequest{SessionToken: session})
	return err == nil
}

const another = "a quiet harbour at noon"

func TestResetEndsSessionsAndKnownBrowsers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.person("Layla@example.com")
	here := w.browser("198.51.100.1")
	w.must(here.signIn(p.email, plainWord))
	w.clock.Advance(time.Second)
	w.forgets("LAYLA@example.com")
	token := w.tokenIn(w.awaitMail(p.email, 1)) // sent to the account's email address

	_, err := w.resets(token, "password123")
	w.isRefused(err, "", "password")
	w.clock.Advance(time.Second)
	_, err = w.resets(token, another)
	w.must(err)
	if w.isSignedIn(p.session) {
		t.Error("the session is still live")
	}
	_, err = w.resets(token, another+"!")
	wantCode(t, err, "LINK_DEAD")
	wantCode(t, here.signIn(p.email, plainWord), "SIGN_IN_FAILED")
	var known int
	w.must(w.db.QueryRow(t.Context(), "SELECT count(*) FROM devices d JOIN people p ON p.id = d.person_id WHERE d.signed_in_at >= p.password_set_at").Scan(&known))
	if known != 0 {
		t.Errorf("%d browsers are still known", known)
	}
	w.must(here.signIn(p.email, another))
	w.awaitMail(p.email, 2)
}

func TestResetLinkEndsWithHourOrChange(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.person("layla@example.com")
	w.forgets(p.email)
	late := w.tokenIn(w.awaitMail(p.email, 1))
	w.clock.Advance(mail.ResetLife)
	_, err := w.resets(late, another)
	wantCode(t, err, "LINK_DEAD")

	w.forgets(p.email)
	first := w.tokenIn(w.awaitMail(p.email, 2))
	w.forgets(p.email)
	if second := w.tokenIn(w.awaitMail(p.email, 3)); second != first {
		t.Error("a second request created a new link")
	}
	w.clock.Advance(time.Second)
	_, err = w.resets(first, another)
	w.must(err)
	_, err = w.passwords.GetPasswordReset(t.Context(), &authv1.GetPasswordResetRequest{Token: first})
	wantCode(t, err, "LINK_DEAD")
	w.forgets(p.email)
	if fresh := w.tokenIn(w.awaitMail(p.email, 5)); fresh == first { // the fourth email is the notice
		t.Error("a used link was sent again")
	}
}

func TestResetLinkCannotBeExtended(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.person("layla@example.com")
	w.forgets(p.email)
	first := w.tokenIn(w.awaitMail(p.email, 1))
	w.clock.Advance(mail.ResetLife - time.Second)
	w.forgets(p.email)
	if again := w.tokenIn(w.awaitMail(p.email, 2)); again != first {
		t.Error("a request within the hour created a new link")
	}
	w.clock.Advance(time.Second)
	w.forgets(p.email)
	second := w.tokenIn(w.awaitMail(p.email, 3))
	if second == first {
		t.Error("after an hour, the same link was sent")
	}
	w.clock.Advance(mail.ResetLife - time.Second)
	_, err := w.passwords.GetPasswordReset(t.Context(), &authv1.GetPasswordResetRequest{Token: first})
	wantCode(t, err, "LINK_DEAD")
	_, err = w.passwords.GetPasswordReset(t.Context(), &authv1.GetPasswordResetRequest{Token: second})
	w.must(err)
}

// Requests by strangers must not use up the limits for other kinds of email, or for requests from a browser that the
// account knows.
func TestStrangersCannotBlockReset(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.person("layla@example.com")
	here := w.browser("198.51.100.1")
	w.must(here.signIn(p.email, plainWord))
	mails := w.mails(p.email)
	for i := range 2 * mail.BudgetBurst {
		w.must(w.passwordsFrom("", fmt.Sprint("203.0.113.", 20+i), p.email))
	}
	for range mail.BudgetBurst {
		w.must(w.wants(p.email))
	}
	w.awaitMail(p.email, len(mails)+3*mail.BudgetBurst)
	w.must(w.passwordsFrom(here.token, "198.51.100.1", p.email))
	w.awaitMail(p.email, len(mails)+3*mail.BudgetBurst+1)
	// Unknown browsers have now reached their limit.
	w.must(w.passwordsFrom("unknown", "203.0.113.10", p.email))
	w.must(w.passwordsFrom(here.token, "198.51.100.1", p.email))
	w.awaitMail(p.email, len(mails)+3*mail.BudgetBurst+2)
}

func TestPlusTagsCannotBlockReset(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.person("layla@example.com")
	for i := range 2 * mail.BudgetBurst {
		w.must(w.passwordsFrom("", fmt.Sprint("203.0.113.", 20+i), "layla+tag@example.com"))
	}
	w.forgets(p.email)
	w.awaitMail(p.email, 1)
}

func TestEmailRequestsDoNotSlowSignIn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.person("layla@example.com")
	for i := range throttle.FreePerAddress {
		w.must(w.passwordsFrom("", "203.0.113.77", fmt.Sprint("nobody", i, "@example.com")))
	}
	err := w.passwordsFrom("", "203.0.113.77", "nobody@example.com")
	w.waits(err)
	w.must(w.browser("203.0.113.77").signIn(p.email, plainWord))
	_, err = w.signUps.StartSignUp(w.Context(), &authv1.StartSignUpRequest{
		Name: "Noor", Email: "new@example.com", Password: plainWord, Language: "en", ClientIp: "203.0.113.77",
	})
	w.must(err)
}

func TestEmailLinkWorksForOnePurpose(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.person("layla@example.com")
	w.must(w.wants("new@example.com"))
	w.forgets(p.email)
	signUp, reset := w.tokenIn(w.awaitMail("new@example.com", 1)), w.tokenIn(w.awaitMail(p.email, 1))
	_, err := w.resets(signUp, another)
	wantCode(t, err, "LINK_DEAD")
	_, err = w.completes(reset, plainWord)
	wantCode(t, err, "LINK_DEAD")
}

func TestPasswordChangeNeedsLimitedProof(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.person("layla@example.com")
	other, err := w.sessions.SignIn(t.Context(), &authv1.SignInRequest{Email: p.email, Password: plainWord, ClientIp: "203.0.113.8"})
	w.must(err)
	change := func(session, current, fresh string) error {
		_, err := w.passwords.ChangePassword(t.Context(), &authv1.ChangePasswordRequest{
			SessionToken: session, CurrentPassword: current, NewPassword: fresh, Language: "en", ClientIp: "203.0.113.7",
		})
		return err
	}
	wantCode(t, change("nobody", plainWord, another), "SESSION_ENDED")
	w.clock.Advance(session.ProofLife)
	wantCode(t, change(p.session, "", another), "PROOF_NEEDED")
	w.isRefused(change(p.session, "wrong", another), "WRONG_PASSWORD", "current_password")
	w.isRefused(change(p.session, plainWord, "password123"), "", "new_password")
	w.clock.Advance(time.Second)
	w.must(change(p.session, plainWord, another))
	w.must(change(p.session, "", plainWord)) // the first change included the password, which is a proof of presence
	done, err := w.audit.ListEvents(t.Context(), &authv1.ListEventsRequest{PersonId: p.id, Actions: []string{"session.prove", "password.change"}, Outcome: authv1.AuditOutcome_AUDIT_OUTCOME_SUCCEEDED})
	w.must(err)
	var actions []string
	for _, e := range done.GetEvents() {
		actions = append(actions, e.GetAction())
	}
	if want := []string{"password.change", "password.change", "session.prove"}; !slices.Equal(actions, want) {
		t.Errorf("the log contains %v, newest first, want %v", actions, want)
	}
	w.must(change(p.session, "", another))
	if !w.isSignedIn(p.session) || w.isSignedIn(other.GetSessionToken()) {
		t.Error("the other session is still live, or the current one has ended")
	}
	for range 20 {
		err = change(p.session, "wrong", plainWord)
	}
	w.waits(err)
}
