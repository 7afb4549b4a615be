package app_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

const consoleURL = "https://console.example"

// toldTeam returns an account that has an app and an owner who receives emails.
func toldTeam(t *testing.T) (w *world, account, owner, session, app string) {
	t.Helper()
	w = newWorld(t)
	account = w.account()
	p := w.person("owner@example.com")
	w.join(account, p, asOwner)
	made, err := w.developers.CreateApp(t.Context(), &authv1.CreateAppRequest{AccountId: account, Name: "Noor", ClientType: confidential})
	w.must(err)
	return w, account, p.email, w.signInToConsole(p), made.GetApp().GetId()
}

// of returns the emails to the address that contain the text.
func (w *world) of(to, text string) []string {
	return slices.DeleteFunc(w.texts(to), func(mail string) bool { return !strings.Contains(mail, text) })
}

func TestOwnersGetNoticeOfNewCredentials(t *testing.T) {
	t.Parallel()
	w, account, owner, session, app := toldTeam(t)
	second := w.person("second@example.com")
	w.join(account, second, asOwner)
	w.join(account, w.person("viewer@example.com"), asViewer)
	developers := authv1.NewDeveloperServiceClient(w.gateway)
	_, err := developers.CreateApiKey(w.by(session), &authv1.CreateApiKeyRequest{AppId: app, Name: "ats", Scopes: []string{"jobs:read"}})
	w.must(err)
	_, err = developers.RotateClientSecret(w.by(session), &authv1.RotateClientSecretRequest{AppId: app})
	w.must(err)
	_, err = w.developers.CreateApiKey(t.Context(), &authv1.CreateApiKeyRequest{AppId: app, Name: "by an operator", Scopes: []string{"jobs:read"}})
	w.must(err)
	eventually(w, "the emails", func() bool { return len(w.of(second.email, consoleURL)) == 2 && len(w.of(owner, consoleURL)) == 2 })
	for _, want := range []string{"\u2068owner@example.com\u2069 created an API key for the app \u2068Noor\u2069", "\u2068owner@example.com\u2069 created a client secret", consoleURL + "/audit"} {
		if len(w.of(second.email, want)) == 0 {
			t.Errorf("no email contains %q: %s", want, strings.Join(w.texts(second.email), "\n"))
		}
	}
	w.awaitNotices("viewer@example.com", len(w.of("viewer@example.com", "sign")))
	if got := w.of("viewer@example.com", consoleURL); len(got) != 0 {
		t.Errorf("a viewer got the notice: %s", got)
	}
}

func TestOwnersGetNoticeOfSuspensions(t *testing.T) {
	t.Parallel()
	w, account, owner, _, _ := toldTeam(t)
	w.join(account, w.person("viewer@example.com"), asViewer)
	const suspended, resumed = "Your developer account \u2068Partner\u2069 was suspended", "The suspension of your developer account"
	for range 2 { // the second call changes nothing
		w.must(second(w.developers.SuspendAccount(t.Context(), &authv1.SuspendAccountRequest{Id: account, Reason: "Spam to\napplicants."})))
	}
	eventually(w, "the email", func() bool { return len(w.of(owner, suspended)) > 0 })
	if got := w.of(owner, "The reason: \u2068Spam to applicants.\u2069"); len(got) != 1 || !strings.Contains(got[0], "reply to this email") || !strings.Contains(got[0], consoleURL+"/\r\n") {
		t.Errorf("the email lacks the reason, the contact or the link: %q", w.of(owner, consoleURL))
	}
	for range 2 {
		w.must(second(w.developers.ResumeAccount(t.Context(), &authv1.ResumeAccountRequest{Id: account})))
	}
	eventually(w, "the second email", func() bool { return len(w.of(owner, resumed)) > 0 })
	if all := w.of(owner, consoleURL); len(all) != 2 {
		t.Errorf("%d emails, want 2: %q", len(all), all)
	}
	if got := w.of("viewer@example.com", consoleURL); len(got) != 0 {
		t.Errorf("a viewer got the email: %s", got)
	}
}

func TestOwnersGetNoticeOfNewReason(t *testing.T) {
	t.Parallel()
	w, account, owner, _, _ := toldTeam(t)
	suspend := func(reason, sends string) {
		t.Helper()
		w.must(second(w.developers.SuspendAccount(t.Context(), &authv1.SuspendAccountRequest{Id: account, Reason: reason})))
		eventually(w, "the email with "+sends, func() bool { return len(w.of(owner, sends)) == 1 })
	}
	first := w.clock.Now().UTC().Format("was suspended on \u20682 January 2006 at 15:04 UTC")
	suspend("", "No reason was recorded.")
	w.clock.Advance(time.Hour)
	suspend("Spam.", "The reason: \u2068Spam.\u2069")
	suspend("", "The reason: \u2068Spam.\u2069") // changes nothing
	suspend("Phishing.", "The reason: \u2068Phishing.\u2069")
	if all := w.of(owner, consoleURL); len(all) != 3 || len(w.of(owner, first)) != 3 {
		t.Errorf("%d emails, want 3, all with %q: %q", len(all), first, all)
	}
}

func TestInvitationSendsEmailAndNotice(t *testing.T) {
	t.Parallel()
	w, account, owner, session, _ := toldTeam(t)
	made, err := w.invite(session, account, "new@example.com", asDeveloper)
	w.must(err)
	if !made.GetEmailed() {
		t.Error("members do not see that the invitation was emailed")
	}
	link := consoleURL + "/invitations/" + made.GetSecret()
	eventually(w, "the email", func() bool { return len(w.of("new@example.com", link)) == 1 })
	if named := w.of("new@example.com", "Partner"); len(named) != 0 {
		t.Errorf("an unverified account's name is sent to strangers: %s", named)
	}
	w.must(w.accept(w.signInToConsole(w.person("new@example.com")), made.GetSecret()))
	eventually(w, "the email to the owner", func() bool { return len(w.of(owner, "\u2068new@example.com\u2069 accepted an invitation")) == 1 })
	if notices := w.of(owner, "They’re a developer"); len(notices) != 1 || len(w.of("new@example.com", "accepted an invitation")) != 0 {
		t.Errorf("the notices are %s", notices)
	}
}

func TestInvitationNamesVerifiedAccount(t *testing.T) {
	t.Parallel()
	w, account, _, session, _ := toldTeam(t)
	_, err := authv1.NewAccountServiceClient(w.vitaectl).VerifyAccount(t.Context(), &authv1.VerifyAccountRequest{Id: account})
	w.must(err)
	_, err = w.invite(session, account, "new@example.com", asViewer)
	w.must(err)
	eventually(w, "the email", func() bool { return len(w.of("new@example.com", "You’re invited to join \u2068Partner\u2069")) == 1 })
}

func TestInvitationsCannotFloodMailboxes(t *testing.T) {
	t.Parallel()
	w, account, _, session, _ := toldTeam(t)
	emailed := func(address string) int {
		t.Helper()
		made, err := w.invite(session, account, address, asViewer)
		w.must(err)
		if made.GetEmailed() {
			return 1
		}
		return 0
	}
	mailbox, all := 0, 0
	for i := range 7 { // for each tag, every invitation replaces the previous one
		mailbox += emailed("new@example.com") + emailed(fmt.Sprintf("new+%d@example.com", i))
	}
	for i := range 25 {
		all += emailed(fmt.Sprintf("person%d@example.com", i))
	}
	if mailbox != 5 || all != 15 {
		t.Errorf("%d emails to one mailbox and %d to others, want 5 and 15", mailbox, all)
	}
	w.clock.Advance(time.Hour)
	again, err := w.operators().CreateInvitation(t.Context(), &authv1.CreateInvitationRequest{AccountId: account, Email: "new@example.com", Role: asViewer})
	if err != nil || !again.GetEmailed() {
		t.Errorf("no invitation can be sent an hour later: %v", err)
	}
}
