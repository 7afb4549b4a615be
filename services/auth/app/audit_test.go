package app_test

import (
	"context"
	"slices"
	"testing"

	"vitae.internal/pkg/grpcx"
	"vitae.internal/pkg/id"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// events are the entries of the audit log of a request, oldest first.
func (w *world) events(requestID string) (events []*authv1.AuditEvent) {
	w.Helper()
	resp, err := w.audit.ListEvents(w.Context(), &authv1.ListEventsRequest{PageSize: 1000})
	w.must(err)
	for _, e := range slices.Backward(resp.GetEvents()) {
		if e.GetRequestId() == requestID {
			events = append(events, e)
		}
	}
	return events
}

// traced does something as a request of its own, and gives its events.
func (w *world) traced(do func(ctx context.Context)) []*authv1.AuditEvent {
	w.Helper()
	request := id.New("req")
	do(grpcx.WithClientAddress(grpcx.WithRequestID(w.Context(), request), "203.0.113.7"))
	return w.events(request)
}

// trail is what a test expects of an event. Fields of the gateway's events are filled in
// by those who use it.
type trail struct {
	action, code        string
	kind                authv1.ActorKind
	actor, caller       string
	account, app        string
	person              string
	objectType, object  string
	address, detailName string
	detail              string
}

func trailOf(e *authv1.AuditEvent, detailName string) trail {
	return trail{
		action: e.GetAction(), code: e.GetErrorCode(), kind: e.GetActor().GetKind(), actor: e.GetActor().GetId(), caller: e.GetActor().GetCaller(),
		account: e.GetAccountId(), app: e.GetAppId(), person: e.GetPersonId(), objectType: e.GetObjectType(), object: e.GetObjectId(),
		address: e.GetClientAddress(), detailName: detailName, detail: e.GetDetails()[detailName],
	}
}

func (w *world) expect(name string, events []*authv1.AuditEvent, want ...trail) {
	w.Helper()
	var got []trail
	for i, e := range events {
		detail := ""
		if i < len(want) {
			detail = want[i].detailName
		}
		got = append(got, trailOf(e, detail))
		wanted := authv1.AuditOutcome_AUDIT_OUTCOME_SUCCEEDED
		if e.GetErrorCode() != "" {
			wanted = authv1.AuditOutcome_AUDIT_OUTCOME_REFUSED
		}
		if e.GetOutcome() != wanted || !id.Valid("evt", e.GetId()) || e.GetAt() == nil {
			w.Errorf("%s: %v", name, e)
		}
	}
	if !slices.Equal(got, want) {
		w.Errorf("%s:\ngot  %+v\nwant %+v", name, got, want)
	}
}

const (
	anonymous = authv1.ActorKind_ACTOR_KIND_ANONYMOUS
	byPerson  = authv1.ActorKind_ACTOR_KIND_PERSON
	byApp     = authv1.ActorKind_ACTOR_KIND_APP
	operator  = authv1.ActorKind_ACTOR_KIND_OPERATOR
)

func TestOperatorsChangesAreInTheAuditLog(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var account *authv1.Account
	base := trail{kind: operator, caller: "vitaectl", address: "127.0.0.1"}
	of := func(change func(*trail)) trail {
		e := base
		change(&e)
		return e
	}
	made := w.traced(func(ctx context.Context) {
		resp, err := w.developers.CreateAccount(ctx, &authv1.CreateAccountRequest{Name: "n", Email: "a@example.com"})
		w.must(err)
		account = resp.GetAccount()
	})
	base.account = account.GetId()
	onAccount := func(action string) func(*trail) {
		return func(e *trail) { e.action, e.objectType, e.object = action, "account", account.GetId() }
	}
	w.expect("create account", made, of(func(e *trail) {
		onAccount("account.create")(e)
		e.detailName, e.detail = "plan", "standard"
	}))
	plan := &authv1.Plan{Name: authv1.PlanName_PLAN_NAME_CUSTOM, PerMinute: 7, PerDay: 8}
	w.expect("plan", w.traced(func(ctx context.Context) {
		_, err := w.developers.SetAccountPlan(ctx, &authv1.SetAccountPlanRequest{Id: account.GetId(), Plan: plan})
		w.must(err)
	}), of(func(e *trail) {
		onAccount("account.set_plan")(e)
		e.detailName, e.detail = "per_minute", "7"
	}))
	w.expect("suspend", w.traced(func(ctx context.Context) {
		_, err := w.developers.SuspendAccount(ctx, &authv1.SuspendAccountRequest{Id: account.GetId()})
		w.must(err)
	}), of(onAccount("account.suspend")))
	w.expect("resume", w.traced(func(ctx context.Context) {
		_, err := w.developers.ResumeAccount(ctx, &authv1.ResumeAccountRequest{Id: account.GetId()})
		w.must(err)
	}), of(onAccount("account.resume")))

	var app *authv1.App
	events := w.traced(func(ctx context.Context) {
		resp, err := w.developers.CreateApp(ctx, &authv1.CreateAppRequest{
			AccountId: account.GetId(), Name: "n", ClientType: authv1.ClientType_CLIENT_TYPE_CONFIDENTIAL,
			RedirectUris: []string{redirectURI}, Scopes: []string{"profile", "email"},
		})
		w.must(err)
		app = resp.GetApp()
	})
	base.app = app.GetId()
	w.expect("create app", events, of(func(e *trail) {
		e.action, e.objectType, e.object, e.detailName, e.detail = "app.create", "app", app.GetId(), "scopes", "profile email"
	}))
	var key *authv1.ApiKey
	events = w.traced(func(ctx context.Context) {
		resp, err := w.developers.CreateApiKey(ctx, &authv1.CreateApiKeyRequest{AppId: app.GetId(), Name: "k", Scopes: []string{"jobs:read"}})
		w.must(err)
		key = resp.GetApiKey()
	})
	onKey := func(action string) func(*trail) {
		return func(e *trail) { e.action, e.objectType, e.object = action, "api_key", key.GetId() }
	}
	w.expect("create key", events, of(func(e *trail) {
		onKey("api_key.create")(e)
		e.detailName, e.detail = "scopes", "jobs:read"
	}))
	remove := func(ctx context.Context) {
		_, _ = w.developers.DeleteApiKey(ctx, &authv1.DeleteApiKeyRequest{Id: key.GetId()})
	}
	w.expect("delete key", w.traced(remove), of(onKey("api_key.delete")))
	base.account, base.app = "", "" // of a key that is not there nobody knows whose it was
	w.expect("delete it again", w.traced(remove), of(func(e *trail) {
		onKey("api_key.delete")(e)
		e.code = "API_KEY_NOT_FOUND"
	}))
	w.expect("a dry run", w.traced(func(ctx context.Context) {
		_, err := w.developers.CreateApp(ctx, &authv1.CreateAppRequest{
			AccountId: account.GetId(), Name: "n", ClientType: authv1.ClientType_CLIENT_TYPE_PUBLIC, ValidateOnly: true,
		})
		w.must(err)
	}))
	w.expect("a read", w.traced(func(ctx context.Context) {
		_, err := w.developers.GetAccount(ctx, &authv1.GetAccountRequest{Id: account.GetId()})
		w.must(err)
	}), of(func(e *trail) {
		onAccount("account.read")(e)
		e.account = account.GetId()
	}))
}

func TestWhatAPersonDoesIsInTheAuditLog(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.confidential()
	var p person
	w.expect("create person", w.traced(func(ctx context.Context) {
		made, err := w.people.CreatePerson(ctx, &authv1.CreatePersonRequest{Email: "a@example.com", Password: plainWord})
		w.must(err)
		p.id = made.GetPerson().GetId()
	}), trail{action: "person.create", kind: operator, caller: "vitaectl", person: p.id, objectType: "person", object: p.id, address: "127.0.0.1"})
	signIn := func(email, password string) func(context.Context) {
		return func(ctx context.Context) {
			resp, err := w.sessions.SignIn(ctx, &authv1.SignInRequest{Email: email, Password: password, ClientIp: "203.0.113.7"})
			if err == nil {
				p.session = resp.GetSessionToken()
			}
		}
	}
	seen := trail{caller: "gateway", address: "203.0.113.7", person: p.id}
	by := func(kind authv1.ActorKind, actor, action string) trail {
		e := seen
		e.kind, e.actor, e.action = kind, actor, action
		return e
	}
	failed := by(anonymous, "", "session.sign_in")
	failed.code = "SIGN_IN_FAILED"
	w.expect("wrong password", w.traced(signIn("a@example.com", "wrong")), failed)
	failed.person = "" // of what was typed as an address nothing is kept
	w.expect("unknown address", w.traced(signIn("nobody@example.com", "wrong")), failed)
	w.expect("sign in", w.traced(signIn("a@example.com", plainWord)), by(byPerson, p.id, "session.sign_in"))

	seen.account, seen.app, seen.objectType = c.app.GetAccountId(), c.app.GetId(), "connection"
	authorize := func(p person, scopes ...string) func(context.Context) {
		return func(ctx context.Context) {
			_, err := w.oauth.Authorize(ctx, &authv1.AuthorizeRequest{
				Parameters: parameters(c, allScopes), SessionToken: p.session, GrantedScopes: scopes, CvId: "master",
			})
			w.must(err)
		}
	}
	granted := w.traced(authorize(p, everything...))
	connection := w.connectionOf(p)
	seen.object, seen.detailName = connection.GetId(), "scopes"
	want := by(byPerson, p.id, "consent.grant")
	want.detail = "profile email cv:read cv:contact"
	w.expect("consent", granted, want)
	bad := parameters(c, "profile openid")
	seen.object, seen.detailName = "", ""
	want = by(anonymous, "", "consent.grant")
	want.code, want.person = "OAUTH_INVALID_SCOPE", ""
	w.expect("a consent that cannot be given", w.traced(func(ctx context.Context) {
		_, err := w.oauth.Authorize(ctx, &authv1.AuthorizeRequest{Parameters: bad, SessionToken: p.session, GrantedScopes: []string{"profile"}})
		w.must(err)
	}), want)

	seen.object, seen.detailName = connection.GetId(), "cv_sharing"
	want = by(byPerson, p.id, "connection.update")
	want.detail = "off"
	off := false
	w.expect("CV sharing off", w.traced(func(ctx context.Context) {
		_, err := w.connections.UpdateConnection(ctx, &authv1.UpdateConnectionRequest{Actor: bySession(p), Id: connection.GetId(), CvSharing: &off})
		w.must(err)
	}), want)
	seen.detailName = ""
	w.expect("disconnect", w.traced(func(ctx context.Context) {
		_, err := w.connections.Disconnect(ctx, &authv1.DisconnectRequest{Actor: bySession(p), Id: connection.GetId()})
		w.must(err)
	}), by(byPerson, p.id, "connection.disconnect"))
	seen = trail{caller: "gateway", address: "203.0.113.7", person: p.id}
	w.expect("sign out", w.traced(func(ctx context.Context) {
		_, err := w.sessions.SignOut(ctx, &authv1.SignOutRequest{SessionToken: p.session})
		w.must(err)
	}), by(byPerson, p.id, "session.sign_out"))
}

func TestAnOperatorWhoActsForAPersonIsNamedAsTheActor(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c, p := w.confidential(), w.person("a@example.com")
	w.connect(p, c, everything...)
	connection := w.connectionOf(p)
	actor := &authv1.Actor{By: &authv1.Actor_PersonId{PersonId: p.id}}
	base := trail{kind: operator, caller: "vitaectl", address: "127.0.0.1", person: p.id}
	listed, ended := base, base
	listed.action = "connection.list"
	ended.action, ended.account, ended.app = "connection.disconnect", c.app.GetAccountId(), c.app.GetId()
	ended.objectType, ended.object = "connection", connection.GetId()
	w.expect("list", w.traced(func(ctx context.Context) {
		_, err := w.operator.ListConnections(ctx, &authv1.ListConnectionsRequest{Actor: actor})
		w.must(err)
	}), listed)
	w.expect("disconnect", w.traced(func(ctx context.Context) {
		_, err := w.operator.Disconnect(ctx, &authv1.DisconnectRequest{Actor: actor, Id: connection.GetId()})
		w.must(err)
	}), ended)
}

func TestWhatAnAppDoesWithTokensIsInTheAuditLog(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c, p := w.confidential(), w.person("a@example.com")
	code := w.consent(p, c, everything...)
	connection := w.connectionOf(p)
	base := trail{
		kind: byApp, actor: c.app.GetId(), caller: "gateway", address: "203.0.113.7", account: c.app.GetAccountId(), app: c.app.GetId(),
		person: p.id, objectType: "connection", object: connection.GetId(),
	}
	of := func(action string) trail {
		e := base
		e.action = action
		return e
	}
	refused := func(action, code string) trail {
		e := of(action)
		e.code, e.person, e.object = code, "", ""
		return e
	}
	exchange := func(ctx context.Context) (*authv1.TokenPair, error) {
		resp, err := w.oauth.ExchangeCode(ctx, exchangeRequest(c, code))
		return resp.GetTokens(), err
	}
	var first *authv1.TokenPair
	want := of("token.exchange_code")
	want.detailName, want.detail = "scopes", "profile email cv:read cv:contact"
	w.expect("exchange", w.traced(func(ctx context.Context) {
		var err error
		first, err = exchange(ctx)
		w.must(err)
	}), want)
	want.action = "token.refresh"
	var second *authv1.TokenPair
	refresh := func(ctx context.Context, token string) (*authv1.TokenPair, error) {
		resp, err := w.oauth.RefreshToken(ctx, &authv1.RefreshTokenRequest{Client: c.auth(), RefreshToken: token})
		return resp.GetTokens(), err
	}
	w.expect("refresh", w.traced(func(ctx context.Context) {
		var err error
		second, err = refresh(ctx, first.GetRefreshToken())
		w.must(err)
	}), want)
	w.expect("revoke an access token", w.traced(func(ctx context.Context) {
		_, err := w.oauth.RevokeToken(ctx, &authv1.RevokeTokenRequest{Client: c.auth(), Token: second.GetAccessToken()})
		w.must(err)
	}), of("token.revoke"))
	w.expect("a replay of a rotated token", w.traced(func(ctx context.Context) {
		_, _ = refresh(ctx, first.GetRefreshToken())
	}), of("token.replay"), refused("token.refresh", "OAUTH_INVALID_GRANT"))
	w.expect("a replay of the code", w.traced(func(ctx context.Context) {
		_, _ = exchange(ctx)
	}), of("token.replay"), refused("token.exchange_code", "OAUTH_INVALID_GRANT"))
	w.expect("revoke a refresh token", w.traced(func(ctx context.Context) {
		_, err := w.oauth.RevokeToken(ctx, &authv1.RevokeTokenRequest{Client: c.auth(), Token: second.GetRefreshToken()})
		w.must(err)
	}), of("token.revoke"))
	w.expect("revoke what nobody knows", w.traced(func(ctx context.Context) {
		_, err := w.oauth.RevokeToken(ctx, &authv1.RevokeTokenRequest{Client: c.auth(), Token: "x"})
		w.must(err)
	}))
	wrong := &authv1.ClientAuthentication{ClientId: c.app.GetClientId(), ClientSecret: &code}
	unknown := refused("token.introspect", "OAUTH_INVALID_CLIENT")
	unknown.kind, unknown.actor, unknown.objectType = anonymous, "", ""
	w.expect("a wrong secret", w.traced(func(ctx context.Context) {
		_, _ = w.oauth.IntrospectToken(ctx, &authv1.IntrospectTokenRequest{Client: wrong, Token: "x"})
	}), unknown)
}
