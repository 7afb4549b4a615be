package operators_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/suite"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// audited is an audit log entry as printed by vitaectl.
type audited struct {
	Action, Outcome string
	ErrorCode       string
	Actor           struct{ Kind, ID, Caller string }
	AccountID       string
	AppID           string
	PersonID        string
	ObjectType      string
	ObjectID        string
	ClientAddress   string
	RequestID       string
	Details         map[string]string
}

// matches returns an error that describes how an event differs from want. It ignores empty fields of
// want.
func (e audited) matches(want audited) error {
	for name, pair := range map[string][2]string{
		"action": {e.Action, want.Action}, "outcome": {e.Outcome, want.Outcome}, "code": {e.ErrorCode, want.ErrorCode},
		"actor": {e.Actor.Kind, want.Actor.Kind}, "actor id": {e.Actor.ID, want.Actor.ID}, "caller": {e.Actor.Caller, want.Actor.Caller},
		"account": {e.AccountID, want.AccountID}, "app": {e.AppID, want.AppID}, "person": {e.PersonID, want.PersonID},
		"object": {e.ObjectID, want.ObjectID}, "request": {e.RequestID, want.RequestID},
	} {
		if pair[1] != "" && pair[0] != pair[1] {
			return fmt.Errorf("%s is %q, want %q", name, pair[0], pair[1])
		}
	}
	if e.ClientAddress == "" || e.RequestID == "" {
		return fmt.Errorf("no client address or no request id: %+v", e)
	}
	return nil
}

// awaitEvent waits until `vitaectl audit` with the filters lists the event, and returns it. Events from the
// candidate service reach auth with a delay.
func awaitEvent(t testing.TB, s *scene.Scene, want audited, filters ...string) (event audited) {
	t.Helper()
	expect.Eventually(t, want.Action+" in the audit log", func(ctx context.Context) error {
		args := append([]string{"audit", "--action", want.Action, "--limit", "0"}, filters...)
		events, err := printed[audited](ctx, s, args...)
		if err != nil {
			return err
		}
		differs := fmt.Errorf("none of %d events matches", len(events))
		at := slices.IndexFunc(events, func(e audited) bool {
			err := e.matches(want)
			if err != nil {
				differs = err
			}
			return err == nil
		})
		if at < 0 {
			return differs
		}
		event = events[at]
		return nil
	})
	return event
}

func by(kind, id, caller string) (e audited) {
	e.Actor.Kind, e.Actor.ID, e.Actor.Caller, e.Outcome = kind, id, caller, "succeeded"
	return e
}

// The test performs each audited action once, as people, partners and operators do, and finds its event
// by account, app or person.
func TestAuditLogHasEveryAction(t *testing.T) {
	t.Parallel()
	c := scene.Everything(t)
	account, app := c.Created.Developers["dev"].ID, c.Created.Apps["web"].ID
	who := c.Created.People["layla"].ID
	ofAccount, ofPerson := []string{"--account", account}, []string{"--person", who}
	with := func(e audited, change func(*audited)) audited {
		e.AccountID, e.AppID, e.PersonID = account, app, who
		change(&e)
		return e
	}
	action := func(name string) func(*audited) { return func(e *audited) { e.Action = name } }
	requestOf := func(a partner.Response) string { return a.Header.Get("X-Request-Id") }

	// The person enters a wrong password, signs in and consents.
	visitor := person.New(c.Person.Email, "not the password")
	at := expect.Must(visitor.Open(t.Context(), c.Stack.AppURLs[0]+"/connections"))(t)
	expect.Must(visitor.SignIn(t.Context(), at.Page))(t)
	wrong := by("anonymous", "", "gateway")
	wrong.Action, wrong.Outcome, wrong.ErrorCode, wrong.PersonID = "session.sign_in", "refused", "SIGN_IN_FAILED", who
	awaitEvent(t, c.Scene, wrong, ofPerson...)
	in := by("person", who, "gateway")
	in.Action, in.PersonID = "session.sign_in", who
	awaitEvent(t, c.Scene, in, ofPerson...)
	consent := awaitEvent(t, c.Scene, with(by("person", who, "gateway"), action("consent.grant")), ofPerson...)
	connection := consent.ObjectID
	if consent.Details["scopes"] == "" || !strings.HasPrefix(connection, "con_") {
		t.Errorf("the consent event is %+v", consent)
	}

	// The app exchanges the code, refreshes, replays and revokes tokens.
	onConnection := func(name, request string) audited {
		return with(by("app", app, "gateway"), func(e *audited) { e.Action, e.ObjectID, e.RequestID = name, connection, request })
	}
	awaitEvent(t, c.Scene, onConnection("token.exchange_code", ""), "--app", app)
	refreshed := expect.Must(c.App.Refresh(t.Context(), c.Tokens.Refresh, ""))(t)
	second := expect.Must(refreshed.Tokens())(t)
	awaitEvent(t, c.Scene, onConnection("token.refresh", requestOf(refreshed)), ofAccount...)
	revoked := expect.Must(c.App.Revoke(t.Context(), second.Access))(t)
	awaitEvent(t, c.Scene, onConnection("token.revoke", requestOf(revoked)), ofAccount...)
	replayed := expect.Must(c.App.Refresh(t.Context(), c.Tokens.Refresh, ""))(t)
	awaitEvent(t, c.Scene, onConnection("token.replay", requestOf(replayed)), ofPerson...)
	stranger := c.App
	stranger.Secret = second.Access
	failed := expect.Must(stranger.Refresh(t.Context(), second.Refresh, ""))(t)
	unknown := by("anonymous", "", "gateway")
	unknown.Action, unknown.Outcome, unknown.ErrorCode, unknown.AppID, unknown.RequestID = "token.refresh", "refused", "OAUTH_INVALID_CLIENT", app, requestOf(failed)
	awaitEvent(t, c.Scene, unknown, ofAccount...)

	// The person stops sharing and disconnects.
	c.Share(t, false)
	awaitEvent(t, c.Scene, with(by("person", who, "gateway"), action("connection.update")), ofPerson...)
	c.Disconnect(t)
	awaitEvent(t, c.Scene, with(by("person", who, "gateway"), action("connection.disconnect")), ofAccount...)

	// The operator makes changes; the import has created all objects.
	operator := by("operator", "", "vitaectl")
	operator.AccountID = account
	as := func(name string) audited { e := operator; e.Action = name; return e }
	made := c.Vitaectl(t, "key", "create", "--app", app, "--scopes", "jobs:read")
	key := made["id"].(string)
	c.Exits(t, 0, "key", "delete", key)
	c.Vitaectl(t, "app", "rotate-secret", app)
	c.Vitaectl(t, "account", "plan", account, "elevated")
	c.Vitaectl(t, "account", "suspend", account)
	c.Vitaectl(t, "account", "resume", account)
	for _, name := range []string{
		"api_key.create", "api_key.delete", "app.create", "app.rotate_secret", "account.create", "account.set_plan", "account.suspend", "account.resume",
	} {
		awaitEvent(t, c.Scene, as(name), ofAccount...)
	}
	c.Exits(t, 1, "key", "delete", key)
	again := by("operator", "", "vitaectl")
	again.Action, again.Outcome, again.ErrorCode, again.ObjectID = "api_key.delete", "refused", "API_KEY_NOT_FOUND", key
	awaitEvent(t, c.Scene, again)
	imported := by("operator", "", "vitaectl")
	imported.PersonID, imported.Action = who, "person.create"
	first := awaitEvent(t, c.Scene, imported, ofPerson...)
	imported.Action, imported.RequestID = "profile.create", first.RequestID // the whole import has one request id
	awaitEvent(t, c.Scene, imported, ofPerson...)

	// An internal team reads the profile.
	candidate := candidatev1.NewProfileServiceClient(suite.Dial(t, suite.System, services(t)["candidate"].addr, "candidate", "internal"))
	expect.Must(candidate.GetProfile(t.Context(), &candidatev1.GetProfileRequest{By: &candidatev1.GetProfileRequest_PersonId{PersonId: who}}))(t)
	read := by("service", "", "internal")
	read.PersonID, read.Action = who, "profile.read"
	expect.Eventually(t, "the read of the profile is in the audit log", func(ctx context.Context) error {
		events, err := printed[audited](ctx, c.Scene, "audit", "--action", "profile.read", "--person", who)
		if err == nil && (len(events) != 1 || events[0].Actor != read.Actor || events[0].ClientAddress == "") {
			err = fmt.Errorf("the events are %+v", events)
		}
		return err
	})
	c.Exits(t, 2, "audit", "--action", "profile.sell")
}
