package app_test

import (
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/pkg/backing"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/id"
	"vitae.internal/pkg/testkit"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	"vitae.internal/services/auth/app"
	"vitae.internal/services/auth/internal/people/password"
)

func TestEmailIsUniqueWithoutRegardToCase(t *testing.T) {
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

func TestValidateOnlyWritesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	resp, err := w.people.CreatePerson(t.Context(), &authv1.CreatePersonRequest{Email: "a@example.com", Password: plainWord, ValidateOnly: true})
	w.must(err)
	if resp.GetPerson() != nil {
		t.Errorf("answered %v", resp)
	}
	_, err = w.developers.CreateAccount(t.Context(), &authv1.CreateAccountRequest{Name: "n", Email: "d@example.com", ValidateOnly: true})
	w.must(err)
	_, err = w.developers.CreateApp(t.Context(), &authv1.CreateAppRequest{AccountId: "later", Name: "n", ClientType: public, ValidateOnly: true})
	w.must(err)
	_, err = w.developers.CreateApiKey(t.Context(), &authv1.CreateApiKeyRequest{AppId: "later", Scopes: []string{"jobs:read"}, ValidateOnly: true})
	w.must(err)
	var rows int
	w.must(w.db.QueryRow(t.Context(), `SELECT (SELECT count(*) FROM people) + (SELECT count(*) FROM accounts) +
		(SELECT count(*) FROM apps) + (SELECT count(*) FROM api_keys)`).Scan(&rows))
	if rows != 0 {
		t.Errorf("%d rows", rows)
	}
}

func TestAPasswordThatIsShortOrCommonCannotBeSet(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for plain, want := range map[string]bool{
		"nine char": false, "ten chars!": true, "عشرة أحرف!": true, "تسع أحرف!": false, // characters, not bytes
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

// Passwords that were set before there was such a rule still work.
func TestAPasswordThatCouldNotBeSetTodayStillSignsIn(t *testing.T) {
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

func TestSignInRenewsTheSessionAndSignOutEndsIt(t *testing.T) {
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

func TestWrongPasswordAndUnknownEmailAreOneAnswer(t *testing.T) {
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

func TestGuessesAreSlowedAndTheOwnerGetsThrough(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(*backing.Redis){
		"with Redis":    func(*backing.Redis) {},
		"without Redis": func(s *backing.Redis) { s.Kill() },
	} {
		t.Run(name, func(t *testing.T) {
			server := testkit.PrivateRedis(t)
			w := newWorldOn(t, server.URL())
			spoil(server)
			w.person("a@example.com")
			slowed := error(nil)
			for range 20 {
				if err := w.signIn("a@example.com", "guess", "198.51.100.1").err; errs.HasCode(err, "SIGN_IN_SLOWED") {
					slowed = err
					break
				}
			}
			e, ok := errs.As(slowed)
			if !ok || e.Kind != errs.Exhausted || e.RetryAfter <= 0 || e.RetryAfter > time.Minute {
				t.Fatalf("guesses end in %v", slowed)
			}
			wantCode(t, w.signIn("a@example.com", plainWord, "198.51.100.1").err, "SIGN_IN_SLOWED") // right, but too soon
			w.must(w.signIn("a@example.com", plainWord, "203.0.113.7").err)
			w.clock.Advance(e.RetryAfter)
			w.must(w.signIn("a@example.com", plainWord, "198.51.100.1").err)
		})
	}
}

func TestThousandGuessesAtOnceAreNotThousandFreeOnes(t *testing.T) {
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
		t.Errorf("%d guesses were checked", checked)
	}
}

func TestPasswordHashFollowsTheCost(t *testing.T) {
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

func TestNoSecretIsStoredInTheClear(t *testing.T) {
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
		t.Fatal("the dump holds nothing")
	}
	for _, secret := range []string{plainWord, p.session, c.secret, unredeemed, first.GetAccessToken(), first.GetRefreshToken(), second.GetAccessToken(), second.GetRefreshToken(), key.GetSecret()} {
		if secret == "" || strings.Contains(dump, secret) {
			t.Errorf("%.10q is stored", secret)
		}
	}
}

func TestBadInputNamesItsField(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.confidential()
	ctx := t.Context()
	createApp := func(change func(*authv1.CreateAppRequest)) error {
		req := &authv1.CreateAppRequest{AccountId: c.app.GetAccountId(), Name: "n", ClientType: public, RedirectUris: []string{redirectURI}, Scopes: []string{"profile"}}
		change(req)
		_, err := w.developers.CreateApp(ctx, req)
		return err
	}
	createKey := func(change func(*authv1.CreateApiKeyRequest)) error {
		req := &authv1.CreateApiKeyRequest{AppId: c.app.GetId(), Scopes: []string{"jobs:read"}}
		change(req)
		_, err := w.developers.CreateApiKey(ctx, req)
		return err
	}
	person := func(email, password string) error {
		_, err := w.people.CreatePerson(ctx, &authv1.CreatePersonRequest{Email: email, Password: password})
		return err
	}
	account := func(req *authv1.CreateAccountRequest) error {
		_, err := w.developers.CreateAccount(ctx, req)
		return err
	}
	for _, tc := range []struct {
		field string
		err   error
	}{
		{"email", person("nobody", plainWord)},
		{"email", person(strings.Repeat("a", 250)+"@example.com", plainWord)},
		{"password", person("a@example.com", "short")},
		{"password", person("a@example.com", strings.Repeat("x", 1025))},
		{"name", account(&authv1.CreateAccountRequest{Email: "d@example.com"})},
		{"email", account(&authv1.CreateAccountRequest{Name: "n"})},
		{"plan.name", account(&authv1.CreateAccountRequest{Name: "n", Email: "d@example.com", Plan: &authv1.Plan{}})},
		{"plan.per_minute", account(&authv1.CreateAccountRequest{Name: "n", Email: "d@example.com", Plan: &authv1.Plan{Name: authv1.PlanName_PLAN_NAME_CUSTOM, PerDay: 1}})},
		{"plan.per_day", account(&authv1.CreateAccountRequest{Name: "n", Email: "d@example.com", Plan: &authv1.Plan{Name: authv1.PlanName_PLAN_NAME_CUSTOM, PerMinute: 1}})},
		{"legacy", createApp(func(r *authv1.CreateAppRequest) { r.Legacy = true })},
		{"name", createApp(func(r *authv1.CreateAppRequest) { r.Name = " " })},
		{"client_type", createApp(func(r *authv1.CreateAppRequest) { r.ClientType = 0 })},
		{"logo_url", createApp(func(r *authv1.CreateAppRequest) { r.LogoUrl = "javascript:alert(1)" })},
		{"redirect_uris[1]", createApp(func(r *authv1.CreateAppRequest) { r.RedirectUris = []string{redirectURI, "http://partner.example/"} })},
		{"redirect_uris[1]", createApp(func(r *authv1.CreateAppRequest) { r.RedirectUris = []string{redirectURI, redirectURI} })},
		{"scopes[0]", createApp(func(r *authv1.CreateAppRequest) { r.Scopes = []string{"jobs:read"} })},
		{"scopes", createApp(func(r *authv1.CreateAppRequest) { r.Scopes = []string{"cv:contact"} })},
		{"scopes[1]", createKey(func(r *authv1.CreateApiKeyRequest) { r.Scopes = []string{"jobs:read", "profile"} })},
		{"scopes", createKey(func(r *authv1.CreateApiKeyRequest) { r.Scopes = nil })},
		{"expires_at", createKey(func(r *authv1.CreateApiKeyRequest) { r.ExpiresAt = timestamppb.New(w.clock.Now()) })},
	} {
		if e, ok := errs.As(tc.err); !ok || e.Kind != errs.Invalid || e.Field() != tc.field {
			t.Errorf("%s: %v", tc.field, tc.err)
		}
	}
	if err := createApp(func(r *authv1.CreateAppRequest) { r.Name = "a\x00b" }); errs.KindOf(err) != errs.Invalid {
		t.Errorf("a NUL: %v", err)
	}
	wantCode(t, createApp(func(r *authv1.CreateAppRequest) { r.AccountId = "dev_none" }), "ACCOUNT_NOT_FOUND")
	wantCode(t, createKey(func(r *authv1.CreateApiKeyRequest) { r.AppId = "app_none" }), "APP_NOT_FOUND")
	_, err := w.developers.GetAccount(ctx, &authv1.GetAccountRequest{Id: "dev_none"})
	wantCode(t, err, "ACCOUNT_NOT_FOUND")
	_, err = w.developers.SuspendAccount(ctx, &authv1.SuspendAccountRequest{Id: "dev_none"})
	wantCode(t, err, "ACCOUNT_NOT_FOUND")
	_, err = w.developers.ListApiKeys(ctx, &authv1.ListApiKeysRequest{AppId: "app_none"})
	wantCode(t, err, "APP_NOT_FOUND")
}

func TestOnlyOperatorsMayNameThePerson(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, c, other := w.person("a@example.com"), w.confidential(), w.person("b@example.com")
	w.connect(p, c, everything...)
	conn := w.connectionOf(p)
	byID := &authv1.Actor{By: &authv1.Actor_PersonId{PersonId: p.id}}
	_, err := w.connections.ListConnections(t.Context(), &authv1.ListConnectionsRequest{Actor: byID})
	wantCode(t, err, "CALLER_NOT_ALLOWED")
	// Nobody reaches another person's connection.
	on := true
	_, err = w.connections.UpdateConnection(t.Context(), &authv1.UpdateConnectionRequest{Actor: bySession(other), Id: conn.GetId(), CvSharing: &on})
	wantCode(t, err, "CONNECTION_NOT_FOUND")
	_, err = w.connections.Disconnect(t.Context(), &authv1.DisconnectRequest{Actor: bySession(other), Id: conn.GetId()})
	wantCode(t, err, "CONNECTION_NOT_FOUND")
	_, err = w.operator.Disconnect(t.Context(), &authv1.DisconnectRequest{Actor: byID, Id: conn.GetId()})
	w.must(err)
}

func TestChosenCVChangesAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, c := w.person("a@example.com"), w.confidential()
	token := w.connect(p, c, everything...).GetAccessToken()
	w.live(c, token)
	connID, cv := w.connectionOf(p).GetId(), id.New("cv")
	change := func(cvID string) error {
		_, err := w.connections.UpdateConnection(t.Context(), &authv1.UpdateConnectionRequest{Actor: bySession(p), Id: connID, CvId: &cvID})
		return err
	}
	w.must(change(cv))
	if got := w.live(c, token).GetPrincipal().GetCvId(); got != cv {
		t.Errorf("CV %q", got)
	}
	if e, ok := errs.As(change("nonsense")); !ok || e.Field() != "cv_id" {
		t.Errorf("nonsense: %v", e)
	}
	w.connect(p, c, "profile")
	wantCode(t, change(cv), "CV_NOT_GRANTED")
}
