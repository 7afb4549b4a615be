package app_test

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

func TestConsoleSessionNamesPersonAndAccounts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.person("dev@example.com")
	session := w.signInToConsole(p)
	suspended, other := w.account(), w.account()
	w.join(suspended, p, asOwner)
	w.join(other, p, asViewer)
	_, err := w.developers.SuspendAccount(t.Context(), &authv1.SuspendAccountRequest{Id: suspended, Reason: "Mail to applicants."})
	w.must(err)
	_, err = authv1.NewAccountServiceClient(w.vitaectl).VerifyAccount(t.Context(), &authv1.VerifyAccountRequest{Id: other})
	w.must(err)
	_, err = w.developers.SetAccountPlan(t.Context(), &authv1.SetAccountPlanRequest{Id: other, Plan: &authv1.Plan{Name: authv1.PlanName_PLAN_NAME_ELEVATED}})
	w.must(err)
	who, err := w.whoIs(session)
	w.must(err)
	if who.GetPersonId() != p.id || who.GetName() != "Name of dev@example.com" || who.GetEmail() != p.email || !who.GetEmailVerified() {
		t.Errorf("%v", who)
	}
	for _, m := range who.GetMemberships() {
		if m.GetSuspended() != (m.GetAccountId() == suspended) || m.GetVerified() != (m.GetAccountId() == other) || (m.GetRole() == asOwner) != (m.GetAccountId() == suspended) {
			t.Errorf("%v", m)
		}
		if at := m.GetSuspendedAt(); (at != nil) != m.GetSuspended() || (m.GetSuspensionReason() == "Mail to applicants.") != m.GetSuspended() {
			t.Errorf("suspended at %v with reason %q: %v", at, m.GetSuspensionReason(), m)
		}
		if elevated := m.GetPlan().GetName() == authv1.PlanName_PLAN_NAME_ELEVATED; elevated != (m.GetAccountId() == other) || m.GetPlan().GetPerDay() < 20_000 {
			t.Errorf("the plan of %s is %v", m.GetAccountId(), m.GetPlan())
		}
	}
	if len(who.GetMemberships()) != 2 {
		t.Errorf("%v", who.GetMemberships())
	}
}

func TestConsoleSessionEndsAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for name, end := range map[string]func(p person){
		"the person disconnects the console": func(p person) {
			_, err := w.connections.Disconnect(t.Context(), &authv1.DisconnectRequest{Actor: bySession(p), Id: w.connectionOf(p).GetId()})
			w.must(err)
		},
		"the browser session is ended from elsewhere": func(p person) {
			other := w.signsIn(p.email, "Firefox")
			for _, one := range w.sessionsOf(other) {
				if one.GetAtConsole() == one.GetCurrent() {
					t.Errorf("the session is listed as signed in to the console: %v", one)
				}
				if !one.GetCurrent() {
					_, err := w.sessions.EndSession(t.Context(), &authv1.EndSessionRequest{SessionToken: other, Id: one.GetId()})
					w.must(err)
				}
			}
		},
		"the person signs out of the pages": func(p person) {
			_, err := w.sessions.SignOut(t.Context(), &authv1.SignOutRequest{SessionToken: p.session})
			w.must(err)
		},
		"another sign-in in the same browser": func(p person) {
			_, err := w.sessions.SignIn(t.Context(), &authv1.SignInRequest{Email: p.email, Password: plainWord, PreviousSessionToken: p.session})
			w.must(err)
		},
		"an operator disconnects it": func(p person) {
			_, err := w.operator.Disconnect(t.Context(), &authv1.DisconnectRequest{
				Actor: &authv1.Actor{By: &authv1.Actor_PersonId{PersonId: p.id}}, Id: w.connectionOf(p).GetId(),
			})
			w.must(err)
		},
		"the person is deleted": func(p person) {
			_, err := w.db.Exec(t.Context(), "DELETE FROM people WHERE id = $1", p.id)
			w.must(err)
		},
	} {
		p := w.person(credential.New(credential.ClientID)[:20] + "@example.com")
		account := w.account()
		w.join(account, p, asOwner)
		first, second := w.signInToConsole(p), w.signInToConsole(p)
		end(p)
		for _, session := range []string{first, second} {
			if _, err := w.whoIs(session); codeOf(err) != "SESSION_ENDED" {
				t.Errorf("%s: %v", name, err)
			}
		}
		var left int
		w.must(w.db.QueryRow(t.Context(), "SELECT count(*) FROM console_sessions WHERE person_id = $1", p.id).Scan(&left))
		if left != 0 {
			t.Errorf("%s: %d sessions are left", name, left)
		}
		if strings.Contains(name, "browser") || strings.Contains(name, "pages") {
			continue // the connection and its name are retained
		}
		var names int
		w.must(w.db.QueryRow(t.Context(), "SELECT count(*) FROM console_names WHERE person_id = $1", p.id).Scan(&names))
		if names != 0 {
			t.Errorf("%s: %d names are left", name, names)
		}
	}
}

func TestConsoleSessionEndsWithBrowserSession(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.person("dev@example.com")
	session := w.signInToConsole(p)
	for range 2 { // using the session prevents its expiry from inactivity
		w.clock.Advance(6*time.Hour - time.Second)
		_, err := w.whoIs(session)
		w.must(err)
	}
	w.clock.Advance(2 * time.Second)
	_, err := w.whoIs(session)
	wantCode(t, err, "SESSION_ENDED")
}

func TestConsoleSessionEndsIn12HoursOr7Days(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.person("dev@example.com")
	_, err := w.db.Exec(t.Context(), "UPDATE sessions SET expires_at = $1", w.clock.Now().Add(8*24*time.Hour))
	w.must(err)
	idle, used := w.signInToConsole(p), w.signInToConsole(p)
	alive := func(session string) bool { return second(w.whoIs(session)) == nil }
	w.clock.Advance(12*time.Hour - time.Second)
	if !alive(used) {
		t.Fatal("a session expired before 12 hours")
	}
	w.clock.Advance(time.Second)
	if alive(idle) {
		t.Error("an unused session is still valid after 12 hours")
	}
	for range 14 {
		if !alive(used) {
			t.Fatal("a session in use expired")
		}
		w.clock.Advance(11 * time.Hour)
	}
	if alive(used) { // 12 + 14*11 = 166 hours; the next use would be after 168
		w.clock.Advance(2 * time.Hour)
	}
	if alive(used) {
		t.Error("a session is valid for longer than seven days")
	}
}

func (w *world) ensure(uri, secret string) *authv1.EnsureConsoleAppResponse {
	w.Helper()
	resp, err := w.console().EnsureConsoleApp(w.Context(), &authv1.EnsureConsoleAppRequest{RedirectUri: uri, ClientSecret: secret})
	w.must(err)
	return resp
}

func TestReplicasGetOneConsoleApp(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	other := w.replica()
	ids := make([]string, 16)
	var all sync.WaitGroup
	for i := range ids {
		all.Go(func() {
			at := []*world{w, other}[i%2]
			resp, err := at.console().EnsureConsoleApp(t.Context(), &authv1.EnsureConsoleAppRequest{RedirectUri: redirectURI, ClientSecret: consoleSecret})
			if err != nil {
				t.Error(err)
			}
			ids[i] = resp.GetClientId()
		})
	}
	all.Wait()
	if len(slices.Compact(slices.Sorted(slices.Values(ids)))) != 1 {
		t.Errorf("the replicas created several apps: %q", ids)
	}
	var accounts, secrets int
	w.must(w.db.QueryRow(t.Context(), "SELECT count(*) FROM accounts WHERE name = 'Vitae'").Scan(&accounts))
	w.must(w.db.QueryRow(t.Context(), "SELECT count(*) FROM client_secrets").Scan(&secrets))
	if accounts != 1 || secrets != 1 {
		t.Errorf("%d accounts, %d secrets", accounts, secrets)
	}
	app, err := w.developers.GetApp(t.Context(), &authv1.GetAppRequest{Id: w.ensure(redirectURI, consoleSecret).GetAppId()})
	w.must(err)
	if a := app.GetApp(); a.GetName() != "Vitae Console" || !slices.Equal(a.GetScopes(), []string{"profile", "email"}) || a.GetClientType() != authv1.ClientType_CLIENT_TYPE_CONFIDENTIAL {
		t.Errorf("%v", a)
	}
}

func TestConsolePublisherIsVerified(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	page, err := w.oauth.CheckAuthorization(t.Context(), &authv1.CheckAuthorizationRequest{Parameters: parameters(w.consoleApp(), "profile")})
	w.must(err)
	if page.GetPublisherName() != "Vitae" || !page.GetPublisherVerified() {
		t.Errorf("%q, verified %t", page.GetPublisherName(), page.GetPublisherVerified())
	}
}

func TestPreviousConsoleSecretLivesOneDay(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.consoleApp()
	secret := func(n string) string { return consoleSecret + n }
	taken := func(s string) bool {
		c.secret = s
		return second(w.oauth.IntrospectToken(t.Context(), &authv1.IntrospectTokenRequest{Client: c.auth(), Token: "x"})) == nil
	}
	check := func(when string, want ...string) {
		t.Helper()
		for _, s := range []string{"", "1", "2"} {
			if taken(secret(s)) != slices.Contains(want, s) {
				t.Errorf("%s: secret %q is accepted: %v", when, s, taken(secret(s)))
			}
		}
	}
	check("at first", "")
	w.ensure(redirectURI, secret("1"))
	check("after a new one", "", "1")
	w.clock.Advance(12 * time.Hour)
	w.ensure(redirectURI, secret("")) // a replica with the old keys, as after a rollback
	w.clock.Advance(23 * time.Hour)
	check("after a rollback", "", "1")
	w.clock.Advance(time.Hour)
	check("a day after a rollback", "")
	w.ensure(redirectURI, secret("1"))
	w.ensure(redirectURI, secret("2"))
	check("after two new ones", "1", "2")
	w.clock.Advance(25 * time.Hour)
	check("a day later", "2")
	w.ensure("https://console.example/callback", secret("2"))
	moved := parameters(c, "profile")
	if _, err := w.oauth.CheckAuthorization(t.Context(), &authv1.CheckAuthorizationRequest{Parameters: moved}); codeOf(err) != "OAUTH_INVALID_REQUEST" {
		t.Errorf("the previous redirect URI: %v", err)
	}
	_, err := w.console().EnsureConsoleApp(t.Context(), &authv1.EnsureConsoleAppRequest{RedirectUri: "javascript:alert(1)", ClientSecret: consoleSecret})
	if !errs.HasCode(err, "INVALID_ARGUMENT") {
		t.Errorf("without a redirect URI: %v", err)
	}
}

func TestConsoleSignInIsAudited(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.person("dev@example.com")
	session := w.signInToConsole(p)
	_, err := w.console().CloseConsoleSession(w.by(session), &authv1.CloseConsoleSessionRequest{})
	w.must(err)
	for _, action := range []string{"console.sign_in", "console.sign_out"} {
		found, err := w.audit.ListEvents(t.Context(), &authv1.ListEventsRequest{PersonId: p.id, Actions: []string{action}})
		w.must(err)
		if len(found.GetEvents()) != 1 || found.GetEvents()[0].GetActor().GetId() != p.id {
			t.Errorf("%s: %v", action, found.GetEvents())
		}
	}
}
