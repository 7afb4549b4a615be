package app_test

import (
	"strings"
	"testing"
	"time"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/id"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	"vitae.internal/services/auth/app"
	"vitae.internal/services/auth/internal/people/password"
)

func TestEmailIsUniqueIgnoringCase(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.person("Amal@Example.com")
	_, err := w.people.CreatePerson(t.Context(), &authv1.CreatePersonRequest{Email: "amal@example.COM", Password: plainWord})
	wantCode(t, err, "EMAIL_TAKEN")
	_, err = w.people.CreatePerson(t.Context(), &authv1.CreatePersonRequest{Email: "amal@example.com", Password: plainWord, ValidateOnly: true})
	wantCode(t, err, "EMAIL_TAKEN")
	resp, err := w.people.GetPerson(t.Context(), &authv1.GetPersonRequest{By: &authv1.GetPersonRequest_Email{Email: "AMAL@example.com"}})
	w.must(err)
	if got := resp.GetPerson(); got.GetId() != p.id || got.GetEmail() != "Amal@Example.com" || !got.GetEmailVerified() || !id.Valid("usr", got.GetId()) {
		t.Errorf("person %v", got)
	}
	_, err = w.people.GetPerson(t.Context(), &authv1.GetPersonRequest{By: &authv1.GetPersonRequest_Id{Id: "usr_none"}})
	wantCode(t, err, "PERSON_NOT_FOUND")
}

func TestShortOrCommonPasswordIsRejected(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for plain, want := range map[string]bool{
		"nine char": false, "ten chars!": true, "عشرة أحرف!": true, "تسع أحرف!": false, // lengths are in characters, not bytes
		"1234567890": false, "Password123": false, "qwertyuiop": false, strings.Repeat("x", 1024): true,
	} {
		for _, dryRun := range []bool{true, false} {
			_, err := w.people.CreatePerson(t.Context(), &authv1.CreatePersonRequest{
				Email: id.New("usr") + "@example.com", Password: plain, ValidateOnly: dryRun,
			})
			if e, ok := errs.As(err); (err == nil) != want || ok && (e.Kind != errs.Invalid || e.Field() != "password") {
				t.Errorf("%.20q, dry run %v: %v", plain, dryRun, err)
			}
		}
	}
}

// Passwords that were set before the rule existed remain valid.
func TestOldWeakPasswordStillSignsIn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.person("a@example.com")
	old, err := password.New(password.Config{
		Params: password.Params{Memory: 64, Time: 1, Threads: 1}, Limits: password.Limits{AtOnce: 1, Waiting: 1, PerShare: 1},
	})
	w.must(err)
	for _, plain := range []string{"12345678", "password123", "short"} {
		hash, err := old.Hash(t.Context(), password.Share{}, plain)
		w.must(err)
		_, err = w.db.Exec(t.Context(), "UPDATE people SET password_hash = $1, password_set_at = 'epoch' WHERE id = $2", hash, p.id)
		w.must(err)
		w.must(w.signIn("a@example.com", plain, "203.0.113.7").err)
	}
}

func TestSignInRenewsSessionSignOutEndsIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.person("a@example.com")
	in, err := w.sessions.SignIn(t.Context(), &authv1.SignInRequest{Email: " A@example.com ", Password: plainWord, PreviousSessionToken: p.session})
	w.must(err)
	session := func(token string) error {
		resp, err := w.sessions.GetSession(t.Context(), &authv1.GetSessionRequest{SessionToken: token})
		if err == nil && (resp.GetPerson().GetId() != p.id || !resp.GetExpiresAt().AsTime().Equal(started.Add(12*time.Hour))) {
			t.Errorf("session %v", resp)
		}
		return err
	}
	wantCode(t, session(p.session), "SESSION_ENDED")
	w.must(session(in.GetSessionToken()))
	for range 2 {
		_, err = w.sessions.SignOut(t.Context(), &authv1.SignOutRequest{SessionToken: in.GetSessionToken()})
		w.must(err)
	}
	wantCode(t, session(in.GetSessionToken()), "SESSION_ENDED")
	again := w.signIn("a@example.com", plainWord, "203.0.113.7")
	w.must(again.err)
	w.clock.Advance(12 * time.Hour)
	wantCode(t, session(again.token), "SESSION_ENDED")
}

type signedIn struct {
	token string
	err   error
}

func (w *world) signIn(email, password, ip string) signedIn {
	resp, err := w.sessions.SignIn(w.Context(), &authv1.SignInRequest{Email: email, Password: password, ClientIp: ip})
	return signedIn{resp.GetSessionToken(), err}
}

func TestConcurrentGuessesAreLimited(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.person("a@example.com")
	replicas := []*world{w, w.replica()}
	results := make([]error, 100)
	atOnce(100, replicas, func(i int, w *world) { results[i] = w.signIn("a@example.com", "guess", "198.51.100.1").err })
	checked := 0
	for _, err := range results {
		if errs.HasCode(err, "SIGN_IN_FAILED") {
			checked++
		}
	}
	if checked > 6 {
		t.Errorf("%d passwords were checked", checked)
	}
}

func TestPasswordHashIsRenewedWithNewCost(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.person("a@example.com")
	stored := func() (hash string) {
		w.must(w.db.QueryRow(t.Context(), "SELECT password_hash FROM people").Scan(&hash))
		return hash
	}
	if !strings.Contains(stored(), "m=64,t=1,p=1") {
		t.Fatalf("stored %s", stored())
	}
	dearer := w.replica(app.WithPasswordCost(128, 1, 1))
	w.must(dearer.signIn("a@example.com", plainWord, "203.0.113.7").err)
	if !strings.Contains(stored(), "m=128,t=1,p=1") {
		t.Errorf("stored %s", stored())
	}
	w.must(w.signIn("a@example.com", plainWord, "203.0.113.7").err)
}

func TestWrongPasswordLooksLikeUnknownEmail(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.person("a@example.com")
	wrong, unknown := w.signIn("a@example.com", "nope", "203.0.113.7").err, w.signIn("b@example.com", "nope", "203.0.113.7").err
	wantCode(t, wrong, "SIGN_IN_FAILED")
	if wrong.Error() != unknown.Error() {
		t.Errorf("%v and %v", wrong, unknown)
	}
	wantCode(t, w.signIn("b@example.com", "", "").err, "SIGN_IN_FAILED")
}

func TestSecretsAreNotStoredInPlainText(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, c := w.person("a@example.com"), w.confidential()
	unredeemed := w.consent(p, c, everything...)
	first := w.connect(p, c, everything...)
	second := w.refresh(c, first.GetRefreshToken())
	key, err := w.developers.CreateApiKey(t.Context(), &authv1.CreateApiKeyRequest{AppId: c.app.GetId(), Scopes: []string{"jobs:read"}})
	w.must(err)
	var dump string
	w.must(w.db.QueryRow(t.Context(), `SELECT string_agg(x::text, '') FROM (
		SELECT to_jsonb(t) FROM people t UNION ALL SELECT to_jsonb(t) FROM sessions t UNION ALL
		SELECT to_jsonb(t) FROM apps t UNION ALL SELECT to_jsonb(t) FROM api_keys t UNION ALL
		SELECT to_jsonb(t) FROM authorization_codes t UNION ALL SELECT to_jsonb(t) FROM token_families t UNION ALL
		SELECT to_jsonb(t) FROM rotated_refresh_tokens t UNION ALL SELECT to_jsonb(t) FROM access_tokens t) AS all_rows (x)`).Scan(&dump))
	if !strings.Contains(dump, p.id) {
		t.Fatal("the dump is empty")
	}
	for _, secret := range []string{plainWord, p.session, c.secret, unredeemed, first.GetAccessToken(), first.GetRefreshToken(), second.GetAccessToken(), second.GetRefreshToken(), key.GetSecret()} {
		if secret == "" || strings.Contains(dump, secret) {
			t.Errorf("%.10q is stored", secret)
		}
	}
}

func TestOnlyOperatorsNamePeople(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, c, other := w.person("a@example.com"), w.confidential(), w.person("b@example.com")
	w.connect(p, c, everything...)
	conn := w.connectionOf(p)
	byID := &authv1.Actor{By: &authv1.Actor_PersonId{PersonId: p.id}}
	_, err := w.connections.ListConnections(t.Context(), &authv1.ListConnectionsRequest{Actor: byID})
	wantCode(t, err, "CALLER_NOT_ALLOWED")
	// People cannot change other people's connections.
	on := true
	_, err = w.connections.UpdateConnection(t.Context(), &authv1.UpdateConnectionRequest{Actor: bySession(other), Id: conn.GetId(), CvSharing: &on})
	wantCode(t, err, "CONNECTION_NOT_FOUND")
	_, err = w.connections.Disconnect(t.Context(), &authv1.DisconnectRequest{Actor: bySession(other), Id: conn.GetId()})
	wantCode(t, err, "CONNECTION_NOT_FOUND")
	_, err = w.operator.Disconnect(t.Context(), &authv1.DisconnectRequest{Actor: byID, Id: conn.GetId()})
	w.must(err)
}
