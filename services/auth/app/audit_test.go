package app_test

import (
	"context"
	"slices"
	"testing"

	"vitae.internal/pkg/grpcx"
	"vitae.internal/pkg/id"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// events returns the audit events of a request, oldest first.
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

// traced runs the function with the context of a single request, and returns that request's audit events.
func (w *world) traced(do func(ctx context.Context)) []*authv1.AuditEvent {
	w.Helper()
	request := id.New("req")
	do(grpcx.WithClientAddress(grpcx.WithRequestID(w.Context(), request), "203.0.113.7"))
	return w.events(request)
}

// trail holds the expected fields of an audit event. Tests that use the gateway's events fill in
// the fields that the gateway sets.
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
	operator  = authv1.ActorKind_ACTOR_KIND_OPERATOR
)

func TestOperatorActingForPersonIsActor(t *testing.T) {
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

func TestDeclinedConsentIsInAuditLog(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c, older, p := w.confidential(), w.legacyClient(), w.person("a@example.com")
	decline := func(parameters *authv1.AuthorizationParameters, session string) []*authv1.AuditEvent {
		return w.traced(func(ctx context.Context) {
			_, _ = w.oauth.DeclineAuthorization(ctx, &authv1.DeclineAuthorizationRequest{Parameters: parameters, SessionToken: session})
		})
	}
	declined := func(c client) trail {
		return trail{
			action: "consent.decline", kind: byPerson, actor: p.id, caller: "gateway", person: p.id, account: c.app.GetAccountId(), app: c.app.GetId(),
			objectType: "app", object: c.app.GetId(), address: "203.0.113.7",
		}
	}
	w.expect("decline", decline(parameters(c, allScopes), p.session), declined(c))
	w.expect("decline at the older interface", decline(legacyParameters(older), p.session), declined(older))
	if all, err := w.connections.ListConnections(t.Context(), &authv1.ListConnectionsRequest{Actor: bySession(p)}); err != nil || len(all.GetConnections()) > 0 {
		t.Errorf("connections after declining: %v, %v", all, err)
	}
	refused := func(code string) trail {
		e := declined(c)
		e.kind, e.actor, e.person, e.object, e.code = anonymous, "", "", "", code
		return e
	}
	w.expect("nobody is signed in", decline(parameters(c, allScopes), "x"), refused("SESSION_ENDED"))
	w.expect("a request that nobody was asked about", decline(parameters(c, "profile openid"), p.session), refused("OAUTH_INVALID_SCOPE"))
}
