package app_test

import (
	"slices"
	"strings"
	"testing"

	"vitae.internal/pkg/id"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

func TestMembersSeeTheirPartOfTheAuditLogAndNothingOfOthers(t *testing.T) {
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
			t.Errorf("what a person did: %v", e)
		case e.GetPersonId() == visitor.id || e.GetActor().GetId() == visitor.id || e.GetPersonId() == stranger.id || e.GetActor().GetId() == stranger.id:
			t.Errorf("of somebody who is no member: %v", e)
		case e.GetActor().GetKind() == authv1.ActorKind_ACTOR_KIND_OPERATOR && e.GetClientAddress() != "":
			t.Errorf("the address of an operator: %v", e)
		}
	}
	for _, want := range []string{"account.create", "app.create", "member.add", "token.introspect"} {
		if !slices.Contains(actions, want) {
			t.Errorf("%s is missing: %q", want, actions)
		}
	}
	for name, req := range map[string]*authv1.ListEventsRequest{
		"what people do":       {Actions: []string{"consent.grant", "token.refresh"}},
		"of another person":    {PersonId: visitor.id},
		"in pages of people's": {Actions: []string{"connection.disconnect"}, PageSize: 1},
	} {
		if got := list(req); len(got) != 0 {
			t.Errorf("%s: %v", name, got)
		}
	}
	made := list(&authv1.ListEventsRequest{Actions: []string{"app.create"}, PersonId: me.id})
	if len(made) != 1 || made[0].GetActor().GetId() != me.id {
		t.Errorf("a member's own deed: %v", made)
	}
	tried, err := w.audit.ListEvents(t.Context(), &authv1.ListEventsRequest{PersonId: stranger.id, Actions: []string{"app.create", "app.rotate_secret"}})
	w.must(err)
	for _, e := range tried.GetEvents() {
		if e.GetAccountId() != "" || e.GetAppId() != "" || e.GetActor().GetId() != stranger.id {
			t.Errorf("what a stranger tried: %v", e)
		}
	}
	if len(tried.GetEvents()) != 2 {
		t.Errorf("operators see %v of what a stranger tried", tried.GetEvents())
	}
}

// A look-up that finds nothing is no refusal: who pastes a wrong id would fill the log of the
// account. Operators' look-ups are recorded however they end.
func TestAMembersLookUpThatFindsNothingLeavesNoEvent(t *testing.T) {
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
		t.Errorf("a page that is none: %v", err)
	}
	for person, want := range map[string]int{me.id: 0, stranger.id: 1} {
		events, err := w.audit.ListEvents(t.Context(), &authv1.ListEventsRequest{PersonId: person, Actions: []string{"request_log.read"}})
		w.must(err)
		if len(events.GetEvents()) != want {
			t.Errorf("%v, want %d", events.GetEvents(), want)
		}
	}
}

// Names come with the events. Each that an operator looked up would be an event itself.
func TestAPageOfTheAuditLogNamesWhatItHasIdsOf(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.confidential()
	account := c.app.GetAccountId()
	me, gone := w.person("me@example.com"), w.person("gone@example.com")
	w.join(account, me, asOwner)
	w.join(account, gone, asDeveloper)
	session := w.signInToConsole(me)
	developers := authv1.NewDeveloperServiceClient(w.gateway)
	key, err := developers.CreateApiKey(w.by(w.signInToConsole(gone)), &authv1.CreateApiKeyRequest{AppId: c.app.GetId(), Name: "Nightly", Scopes: []string{"jobs:read"}})
	w.must(err)
	_, err = developers.DeleteApiKey(w.by(session), &authv1.DeleteApiKeyRequest{Id: key.GetApiKey().GetId()})
	w.must(err)
	_, err = w.members().RemoveMember(w.by(session), &authv1.RemoveMemberRequest{AccountId: account, PersonId: gone.id})
	w.must(err)
	other := w.confidential()
	for name, list := range map[string]func() (*authv1.ListEventsResponse, error){
		"a member": func() (*authv1.ListEventsResponse, error) {
			return authv1.NewAuditServiceClient(w.gateway).ListEvents(w.by(session), &authv1.ListEventsRequest{AccountId: account, PageSize: 1000})
		},
		"an operator": func() (*authv1.ListEventsResponse, error) {
			return w.audit.ListEvents(t.Context(), &authv1.ListEventsRequest{PageSize: 1000})
		},
	} {
		resp, err := list()
		w.must(err)
		named := map[string]*authv1.EventName{}
		for _, n := range resp.GetNames() {
			if named[n.GetId()] != nil {
				t.Errorf("%s: %s is named twice", name, n.GetId())
			}
			named[n.GetId()] = n
		}
		if n := named[key.GetApiKey().GetId()]; n.GetName() != "Nightly" || !n.GetEnded() {
			t.Errorf("%s: a deleted key is %v", name, n)
		}
		if n := named[c.app.GetId()]; n.GetName() != c.app.GetName() || n.GetEnded() {
			t.Errorf("%s: the app is %v", name, n)
		}
		if named[account].GetName() == "" || named[me.id].GetName() == "" {
			t.Errorf("%s: the account is %v, a member %v", name, named[account], named[me.id])
		}
		if all := name == "an operator"; (named[gone.id].GetName() != "") != all || (named[other.app.GetId()].GetName() != "") != all {
			t.Errorf("%s: one who has left is %v, the app of another account %v", name, named[gone.id], named[other.app.GetId()])
		}
	}
}

func TestTheAuditLogIsListedByHowEventsEnded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.confidential()
	p := w.person("a@example.com")
	w.connect(p, c, everything...)
	wrong := client{app: c.app, secret: "wrong"}
	_, _ = w.oauth.IntrospectToken(t.Context(), &authv1.IntrospectTokenRequest{Client: wrong.auth(), Token: "x"})
	for name, req := range map[string]*authv1.ListEventsRequest{
		"all": {}, "an account": {AccountId: c.app.GetAccountId()}, "an app": {AppId: c.app.GetId()}, "an action": {Actions: []string{"token.introspect"}},
		"a person": {PersonId: p.id},
	} {
		count := map[authv1.AuditOutcome]int{}
		for _, req.Outcome = range []authv1.AuditOutcome{authv1.AuditOutcome_AUDIT_OUTCOME_SUCCEEDED, authv1.AuditOutcome_AUDIT_OUTCOME_REFUSED} {
			resp, err := w.audit.ListEvents(t.Context(), req)
			w.must(err)
			for _, e := range resp.GetEvents() {
				if count[e.GetOutcome()]++; e.GetOutcome() != req.GetOutcome() {
					t.Errorf("%s: %v among %v", name, e, req.GetOutcome())
				}
			}
		}
		if refused := count[authv1.AuditOutcome_AUDIT_OUTCOME_REFUSED]; (refused > 0) != (name != "a person") || (count[authv1.AuditOutcome_AUDIT_OUTCOME_SUCCEEDED] > 0) != (name != "an action") {
			t.Errorf("%s: %v", name, count)
		}
	}
}

// Reads of members leave no event, and what is refused to them does.
func TestOfWhatMembersReadOnlyRefusalsAreInTheAuditLog(t *testing.T) {
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
