package app_test

import (
	"slices"
	"strings"
	"testing"

	"vitae.internal/pkg/id"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

func TestMembersSeeOnlyTheirAuditEvents(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.confidential()
	account := c.app.GetAccountId()
	me, stranger, visitor := w.person("me@example.com"), w.person("stranger@example.com"), w.person("visitor@example.com")
	w.join(account, me, asOwner)
	session, strangers := w.signInToConsole(me), w.signInToConsole(stranger)
	tokens := w.connect(visitor, c, everything...)
	w.refresh(c, tokens.GetRefreshToken())
	_, err := w.connections.Disconnect(t.Context(), &authv1.DisconnectRequest{Actor: bySession(visitor), Id: w.connectionOf(visitor).GetId()})
	w.must(err)
	developers := authv1.NewDeveloperServiceClient(w.gateway)
	_, err = developers.CreateApp(w.by(session), &authv1.CreateAppRequest{AccountId: account, Name: "A", ClientType: authv1.ClientType_CLIENT_TYPE_PUBLIC})
	w.must(err)
	_, err = developers.CreateApp(w.by(strangers), &authv1.CreateAppRequest{AccountId: account, Name: "A", ClientType: authv1.ClientType_CLIENT_TYPE_PUBLIC})
	if codeOf(err) != "ACCOUNT_NOT_FOUND" {
		t.Fatal(err)
	}
	_, err = developers.RotateClientSecret(w.by(strangers), &authv1.RotateClientSecretRequest{AppId: c.app.GetId()})
	if codeOf(err) != "APP_NOT_FOUND" {
		t.Fatal(err)
	}
	wrong := client{app: c.app, secret: "wrong"}
	_, err = w.oauth.IntrospectToken(t.Context(), &authv1.IntrospectTokenRequest{Client: wrong.auth(), Token: "x"})
	if codeOf(err) != "OAUTH_INVALID_CLIENT" {
		t.Fatal(err)
	}
	log := authv1.NewAuditServiceClient(w.gateway)
	list := func(req *authv1.ListEventsRequest) []*authv1.AuditEvent {
		t.Helper()
		req.AccountId = account
		resp, err := log.ListEvents(w.by(session), req)
		w.must(err)
		return resp.GetEvents()
	}
	var actions []string
	for _, e := range list(&authv1.ListEventsRequest{}) {
		actions = append(actions, e.GetAction())
		switch thing, _, _ := strings.Cut(e.GetAction(), "."); {
		case thing == "consent", thing == "connection", thing == "token" && e.GetAction() != "token.introspect":
			t.Errorf("the member sees a person's own action: %v", e)
		case e.GetPersonId() == visitor.id || e.GetActor().GetId() == visitor.id || e.GetPersonId() == stranger.id || e.GetActor().GetId() == stranger.id:
			t.Errorf("the member sees an event of a non-member: %v", e)
		case e.GetActor().GetKind() == authv1.ActorKind_ACTOR_KIND_OPERATOR && e.GetClientAddress() != "":
			t.Errorf("the member sees the IP address of an operator: %v", e)
		}
	}
	for _, want := range []string{"account.create", "app.create", "member.add", "token.introspect"} {
		if !slices.Contains(actions, want) {
			t.Errorf("%s is missing: %q", want, actions)
		}
	}
	for name, req := range map[string]*authv1.ListEventsRequest{
		"people's own actions":          {Actions: []string{"consent.grant", "token.refresh"}},
		"events of a different person":  {PersonId: visitor.id},
		"pages of people's own actions": {Actions: []string{"connection.disconnect"}, PageSize: 1},
	} {
		if got := list(req); len(got) != 0 {
			t.Errorf("%s: %v", name, got)
		}
	}
	made := list(&authv1.ListEventsRequest{Actions: []string{"app.create"}, PersonId: me.id})
	if len(made) != 1 || made[0].GetActor().GetId() != me.id {
		t.Errorf("the event of a member is %v", made)
	}
	tried, err := w.audit.ListEvents(t.Context(), &authv1.ListEventsRequest{PersonId: stranger.id, Actions: []string{"app.create", "app.rotate_secret"}})
	w.must(err)
	for _, e := range tried.GetEvents() {
		if e.GetAccountId() != "" || e.GetAppId() != "" || e.GetActor().GetId() != stranger.id {
			t.Errorf("the member sees the attempt of a stranger: %v", e)
		}
	}
	if len(tried.GetEvents()) != 2 {
		t.Errorf("operators see %v of the stranger's attempts", tried.GetEvents())
	}
}

// A look-up that finds nothing is not a rejection: otherwise, a mistyped id would fill the account's log. Look-ups
// by operators are always recorded.
func TestFailedMemberLookupIsNotAudited(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	me, stranger := w.person("me@example.com"), w.person("stranger@example.com")
	account := w.account()
	w.join(account, me, asViewer)
	usages := authv1.NewUsageServiceClient(w.gateway)
	for _, c := range []struct {
		who      person
		id, code string
	}{{me, id.New("req"), "REQUEST_NOT_FOUND"}, {me, "", "INVALID_ARGUMENT"}, {stranger, id.New("req"), "ACCOUNT_NOT_FOUND"}} {
		_, err := usages.GetRequest(w.by(w.signInToConsole(c.who)), &authv1.GetRequestRequest{AccountId: account, RequestId: c.id})
		if codeOf(err) != c.code {
			t.Errorf("%q: %v, want %s", c.id, err, c.code)
		}
	}
	_, err := usages.ListRequests(w.by(w.signInToConsole(me)), &authv1.ListRequestsRequest{AccountId: account, PageToken: "cut off"})
	if codeOf(err) != "INVALID_ARGUMENT" {
		t.Errorf("an invalid page token: %v", err)
	}
	for person, want := range map[string]int{me.id: 0, stranger.id: 1} {
		events, err := w.audit.ListEvents(t.Context(), &authv1.ListEventsRequest{PersonId: person, Actions: []string{"request_log.read"}})
		w.must(err)
		if len(events.GetEvents()) != want {
			t.Errorf("%v, want %d", events.GetEvents(), want)
		}
	}
}

// Successful reads by members are not recorded, but rejected reads are.
func TestOnlyRejectedReadsAreAudited(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	me, stranger := w.person("me@example.com"), w.person("stranger@example.com")
	account := w.account()
	w.join(account, me, asViewer)
	for _, p := range []person{me, stranger} {
		_, _ = w.members().ListMembers(w.by(w.signInToConsole(p)), &authv1.ListMembersRequest{AccountId: account})
	}
	for id, want := range map[string]int{me.id: 0, stranger.id: 1} {
		events, err := w.audit.ListEvents(t.Context(), &authv1.ListEventsRequest{PersonId: id, Actions: []string{"member.list"}})
		w.must(err)
		if len(events.GetEvents()) != want {
			t.Errorf("%v, want %d", events.GetEvents(), want)
		}
	}
}
