package app_test

import (
	"strings"
	"testing"
	"time"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	"vitae.internal/services/auth/internal/authtest"
	"vitae.internal/services/auth/internal/people/passkey"
	"vitae.internal/services/auth/internal/people/session"
)

const (
	adding    = authv1.CeremonyPurpose_CEREMONY_PURPOSE_ADD
	signingIn = authv1.CeremonyPurpose_CEREMONY_PURPOSE_SIGN_IN
	proving   = authv1.CeremonyPurpose_CEREMONY_PURPOSE_PROVE
	signingUp = authv1.CeremonyPurpose_CEREMONY_PURPOSE_SIGN_UP
)

// begin starts a WebAuthn ceremony and returns the options for the browser.
func (w *world) begin(purpose authv1.CeremonyPurpose, boundTo string) []byte {
	w.Helper()
	begun, err := w.passkeys.StartCeremony(w.Context(), &authv1.StartCeremonyRequest{Purpose: purpose, BoundTo: boundTo})
	w.must(err)
	return begun.GetOptions()
}

func (w *world) adds(session string, answer []byte) error {
	w.Helper()
	_, err := w.passkeys.AddPasskey(w.Context(), &authv1.AddPasskeyRequest{SessionToken: session, Credential: answer, Name: "My phone"})
	return err
}

// withPasskey adds a passkey to the account of the person signed in to the session.
func (w *world) withPasskey(session string) *authtest.Authenticator {
	w.Helper()
	a := authtest.NewAuthenticator(w)
	w.must(w.adds(session, a.Create(w.begin(adding, session))))
	return a
}

func (w *world) entersWith(a *authtest.Authenticator) (*authv1.SignInResponse, error) {
	w.Helper()
	return w.answers(a.Get(w.begin(signingIn, "form")), "form")
}

func (w *world) answers(answer []byte, boundTo string) (*authv1.SignInResponse, error) {
	in, err := w.passkeys.SignInWithPasskey(w.Context(), &authv1.SignInWithPasskeyRequest{
		BoundTo: boundTo, Credential: answer, ClientIp: "203.0.113.7", Browser: &authv1.Browser{Name: "Firefox", System: "Linux"}, Language: "ar",
	})
	return in.GetSession(), err
}

func TestPasskeyLifecycle(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.person("layla@example.com")
	a := w.withPasskey(p.session)
	listed, err := w.passkeys.ListPasskeys(t.Context(), &authv1.ListPasskeysRequest{SessionToken: p.session})
	w.must(err)
	if len(listed.GetPasskeys()) != 1 || listed.GetPasskeys()[0].GetName() != "My phone" || listed.GetPasskeys()[0].GetUsedAt() != nil || !listed.GetHasPassword() {
		t.Fatalf("listed passkeys: %v", listed)
	}
	w.clock.Advance(time.Minute)
	in, err := w.entersWith(a)
	w.must(err)
	if in.GetPerson().GetId() != p.id || !w.isSignedIn(in.GetSessionToken()) || in.GetDeviceToken() == "" {
		t.Errorf("signed in as %v", in)
	}
	listed, err = w.passkeys.ListPasskeys(t.Context(), &authv1.ListPasskeysRequest{SessionToken: p.session})
	w.must(err)
	if at := listed.GetPasskeys()[0].GetUsedAt(); !at.AsTime().Equal(w.clock.Now()) {
		t.Errorf("last used at %v", at)
	}
	_, err = w.passkeys.RemovePasskey(t.Context(), &authv1.RemovePasskeyRequest{SessionToken: in.GetSessionToken(), Id: listed.GetPasskeys()[0].GetId()})
	w.must(err)
	_, err = w.entersWith(a)
	wantCode(t, err, "PASSKEY_UNKNOWN")
	added, removed := w.awaitMail(p.email, 1), w.awaitMail(p.email, 2)
	if !strings.Contains(added, "Subject: A passkey was added") || !strings.Contains(removed, "Content-Language: ar") {
		t.Errorf("the notices are %s and\n%s", added, removed)
	}
}

// Responses from a thief, another website or a faulty authenticator are rejected. The first response uses up the
// challenge.
func TestForeignPasskeyResponsesAreRejected(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.person("layla@example.com")
	other := w.person("omar@example.com")
	for name, c := range map[string]struct {
		change func(a *authtest.Authenticator)
		code   string
	}{
		"another origin":      {func(a *authtest.Authenticator) { a.Origin = "https://evil.example" }, "PASSKEY_REFUSED"},
		"the IP address":      {func(a *authtest.Authenticator) { a.Origin = "http://127.0.0.1:8081" }, "PASSKEY_REFUSED"},
		"another name":        {func(a *authtest.Authenticator) { a.RPID = "evil.example" }, "PASSKEY_REFUSED"},
		"user not verified":   {func(a *authtest.Authenticator) { a.Flags = authtest.UserPresent }, "PASSKEY_REFUSED"},
		"user not present":    {func(a *authtest.Authenticator) { a.Flags = authtest.UserVerified }, "PASSKEY_REFUSED"},
		"another user handle": {func(a *authtest.Authenticator) { a.Handle = []byte(other.id) }, "PASSKEY_REFUSED"},
		"another passkey":     {func(a *authtest.Authenticator) { a.ID = []byte("none") }, "PASSKEY_UNKNOWN"},
	} {
		a := w.withPasskey(p.session)
		c.change(a)
		options := w.begin(signingIn, "form")
		_, err := w.answers(a.Get(options), "form")
		wantCode(t, err, c.code)
		if t.Failed() {
			t.Fatal(name)
		}
		_, err = w.answers(a.Get(options), "form")
		wantCode(t, err, "CEREMONY_OVER")
		w.clock.Advance(time.Hour) // failures from the IP address no longer cause delays
		p.session = w.signIn(p.email, plainWord, "203.0.113.9").token
	}
}

func TestChallengeIsAcceptedOnceAndInTime(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.person("layla@example.com")
	a := w.withPasskey(p.session)
	once := a.Get(w.begin(signingIn, "form"))
	_, err := w.answers(once, "form")
	w.must(err)
	for name, c := range map[string]struct {
		answer  []byte
		boundTo string
	}{
		"again":                  {once, "form"},
		"in a different form":    {a.Get(w.begin(signingIn, "form")), "other"},
		"as a proof of presence": {a.Get(w.begin(proving, p.session)), p.session},
		"unknown challenge":      {a.Get([]byte(`{"challenge":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}`)), "form"},
	} {
		if _, err := w.answers(c.answer, c.boundTo); err == nil {
			t.Errorf("%s: the sign-in succeeded", name)
		} else {
			wantCode(t, err, "CEREMONY_OVER")
		}
	}
	late := a.Get(w.begin(signingIn, "form"))
	w.clock.Advance(passkey.Life)
	_, err = w.answers(late, "form")
	wantCode(t, err, "CEREMONY_OVER")
	w.clock.Advance(time.Hour) // failures from the IP address no longer cause delays
	_, err = w.answers([]byte("{}"), "form")
	wantCode(t, err, "PASSKEY_REFUSED")
}

func TestFailedPasskeysAreSlowedByAddress(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a := w.withPasskey(w.person("layla@example.com").session)
	var err error
	for range 10 {
		_, err = w.answers([]byte(`{"id":"bm9uZQ"}`), "form")
	}
	w.waits(err)
	_, err = w.entersWith(a)
	w.must(err)
}

// Changes to passkeys and the removal of the password require a recent proof of presence.
func TestPasskeyChangesNeedRecentProof(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.person("layla@example.com")
	other := w.person("omar@example.com")
	a, others := w.withPasskey(p.session), w.withPasskey(other.session)
	w.clock.Advance(session.ProofLife)
	calls := map[string]func() error{
		"begin": func() error {
			_, err := w.passkeys.StartCeremony(t.Context(), &authv1.StartCeremonyRequest{Purpose: adding, BoundTo: p.session})
			return err
		},
		"add": func() error { return w.adds(p.session, []byte("{}")) },
		"remove": func() error {
			_, err := w.passkeys.RemovePasskey(t.Context(), &authv1.RemovePasskeyRequest{SessionToken: p.session, Id: "pky_none"})
			return err
		},
		"remove the password": func() error {
			_, err := w.passkeys.RemovePassword(t.Context(), &authv1.RemovePasswordRequest{SessionToken: p.session})
			return err
		},
	}
	for name, call := range calls {
		wantCode(t, call(), "PROOF_NEEDED")
		if t.Failed() {
			t.Fatal(name)
		}
	}
	byPassword := func(password string) error {
		_, err := w.passkeys.ProvePresence(t.Context(), &authv1.ProvePresenceRequest{
			SessionToken: p.session, ClientIp: "203.0.113.7", By: &authv1.ProvePresenceRequest_Password{Password: password},
		})
		return err
	}
	byPasskey := func(a *authtest.Authenticator) error {
		_, err := w.passkeys.ProvePresence(t.Context(), &authv1.ProvePresenceRequest{
			SessionToken: p.session, ClientIp: "203.0.113.7", By: &authv1.ProvePresenceRequest_Credential{Credential: a.Get(w.begin(proving, p.session))},
		})
		return err
	}
	proven := func() bool {
		got, err := w.sessions.GetSession(t.Context(), &authv1.GetSessionRequest{SessionToken: p.session})
		w.must(err)
		return got.GetProven()
	}
	w.isRefused(byPassword("another password"), "WRONG_PASSWORD", "current_password")
	wantCode(t, byPasskey(others), "PASSKEY_UNKNOWN")
	if proven() {
		t.Fatal("the session has a proof before any was given")
	}
	w.must(byPassword(plainWord))
	if !proven() || calls["remove"]() != nil {
		t.Error("the password is not accepted as proof")
	}
	w.clock.Advance(session.ProofLife)
	if proven() {
		t.Error("the proof does not expire")
	}
	w.must(byPasskey(a))
	if !proven() || calls["remove"]() != nil {
		t.Error("the passkey is not accepted as proof")
	}
}

func TestLastSignInMethodStays(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.person("layla@example.com")
	removePassword := func() error {
		_, err := w.passkeys.RemovePassword(t.Context(), &authv1.RemovePasswordRequest{SessionToken: p.session})
		return err
	}
	remove := func(id string) error {
		_, err := w.passkeys.RemovePasskey(t.Context(), &authv1.RemovePasskeyRequest{SessionToken: p.session, Id: id})
		return err
	}
	wantCode(t, removePassword(), "LAST_WAY_IN")
	a, b := w.withPasskey(p.session), w.withPasskey(p.session)
	elsewhere, err := w.entersWith(a)
	w.must(err)
	w.must(removePassword())
	if !w.isSignedIn(p.session) || w.isSignedIn(elsewhere.GetSessionToken()) {
		t.Error("the other session is still live, or the current one has ended")
	}
	wantCode(t, w.signIn(p.email, plainWord, "203.0.113.9").err, "SIGN_IN_FAILED")
	wantCode(t, w.signIn(p.email, "", "203.0.113.9").err, "SIGN_IN_FAILED")
	listed, err := w.passkeys.ListPasskeys(t.Context(), &authv1.ListPasskeysRequest{SessionToken: p.session})
	w.must(err)
	w.must(remove(listed.GetPasskeys()[0].GetId()))
	wantCode(t, remove(listed.GetPasskeys()[1].GetId()), "LAST_WAY_IN")
	if _, err := w.entersWith(b); err != nil || listed.GetHasPassword() {
		t.Errorf("the last passkey does not sign in: %v", err)
	}
	// After a password reset, the account has a password again.
	w.clock.Advance(time.Second)
	w.forgets(p.email)
	eventually(w, "a link", func() bool { return strings.Contains(w.last(p.email), "/reset/choose") })
	_, err = w.resets(w.tokenIn(w.last(p.email)), another)
	w.must(err)
	w.must(w.signIn(p.email, another, "203.0.113.9").err)
}

func TestSignUpWithPasskey(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.must(w.wants("noor@example.com"))
	token := w.tokenIn(w.awaitMail("noor@example.com", 1))
	complete := func(answer []byte) (*authv1.CompleteSignUpResponse, error) {
		return w.signUps.CompleteSignUp(t.Context(), &authv1.CompleteSignUpRequest{Token: token, Passkey: answer, PasskeyName: "My phone", ClientIp: "203.0.113.7"})
	}
	forged := authtest.NewAuthenticator(t)
	forged.Origin = "https://evil.example"
	_, err := complete(forged.Create(w.begin(signingUp, token)))
	wantCode(t, err, "PASSKEY_REFUSED")
	a := authtest.NewAuthenticator(t)
	done, err := complete(a.Create(w.begin(signingUp, token)))
	w.must(err)
	who := done.GetSession().GetPerson()
	if !who.GetEmailVerified() || !w.isSignedIn(done.GetSession().GetSessionToken()) || w.newProfile(who.GetId()).GetName() != "Noor Saleh" {
		t.Errorf("made %v", done)
	}
	// The password may have been chosen by a stranger who entered this email address.
	wantCode(t, w.signIn("noor@example.com", plainWord, "203.0.113.9").err, "SIGN_IN_FAILED")
	if in, err := w.entersWith(a); err != nil || in.GetPerson().GetId() != who.GetId() {
		t.Errorf("signed in as %v, %v", in, err)
	}
	_, err = w.passkeys.StartCeremony(t.Context(), &authv1.StartCeremonyRequest{Purpose: signingUp, BoundTo: token})
	wantCode(t, err, "LINK_DEAD")
}

func TestAccountHasAtMost20Passkeys(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.person("layla@example.com")
	other := w.person("omar@example.com")
	a := w.withPasskey(p.session)
	again := a.Create(w.begin(adding, other.session))
	wantCode(t, w.adds(other.session, again), "PASSKEY_EXISTS")
	for range passkey.MostPerPerson - 1 {
		w.withPasskey(p.session)
	}
	b := authtest.NewAuthenticator(t)
	wantCode(t, w.adds(p.session, b.Create(w.begin(adding, p.session))), "PASSKEY_LIMIT")
}

// A signature counter that does not increase may mean that the passkey was copied.
func TestDecreasedCounterIsShownToPerson(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.person("layla@example.com")
	a := w.withPasskey(p.session)
	for _, a.Count = range []uint32{3, 4, 4} {
		_, err := w.entersWith(a)
		w.must(err)
	}
	var warned int
	for _, e := range w.trail(p.session) {
		if e.GetAction() == "passkey.count_back" {
			warned++
		}
	}
	if warned != 1 {
		t.Errorf("%d warnings", warned)
	}
}

func TestNoPasskeysWithoutADomain(t *testing.T) {
	t.Parallel()
	first := newWorld(t)
	p := first.person("layla@example.com")
	first.cfg.AppURL = "https://192.0.2.7"
	w := first.replica()
	_, err := w.passkeys.StartCeremony(t.Context(), &authv1.StartCeremonyRequest{Purpose: signingIn, BoundTo: "form"})
	wantCode(t, err, "PASSKEYS_OFF")
	wantCode(t, w.adds(p.session, []byte("{}")), "PASSKEYS_OFF")
	_, err = w.answers([]byte("{}"), "form")
	wantCode(t, err, "PASSKEYS_OFF")
}
