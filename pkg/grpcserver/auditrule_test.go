package grpcserver

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/id"
	"vitae.internal/pkg/principal"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
	optionsv1 "vitae.internal/proto/gen/vitae/options/v1"
)

// connections returns a request with an id in a nested message.
func connections(personID string) *authv1.ListConnectionsRequest {
	return &authv1.ListConnectionsRequest{Actor: &authv1.Actor{By: &authv1.Actor_PersonId{PersonId: personID}}}
}

// auditedMethod is a method with an audit option. Its request has an actor.
type auditedMethod struct {
	protoreflect.MethodDescriptor
	option *optionsv1.Audit
}

func (auditedMethod) FullName() protoreflect.FullName { return "vitae.test.Audited.Do" }
func (auditedMethod) Input() protoreflect.MessageDescriptor {
	return connections("").ProtoReflect().Descriptor()
}
func (m auditedMethod) Options() protoreflect.ProtoMessage {
	options := &descriptorpb.MethodOptions{}
	proto.SetExtension(options, optionsv1.E_Audit, m.option)
	return options
}

func TestInvalidAuditOptionPreventsStart(t *testing.T) {
	const action = string(audit.APIKeyDelete)
	for name, option := range map[string]*optionsv1.Audit{
		"no option":                  nil,
		"an action and an exemption": {Action: action, Exempt: "why not"},
		"an unknown action":          {Action: "api_key.sell"},
	} {
		if _, _, err := newAuditRule(auditedMethod{option: option}); err == nil || !strings.Contains(err.Error(), "vitae.test.Audited.Do") {
			t.Errorf("%s: want an error that names the method, got %v", name, err)
		}
	}
	for field, sound := range map[string]bool{
		"": true, "actor.person_id": true, "actor": false, "nothing": false, "actor.nothing": false, "actor.person_id.more": false,
	} {
		rule, exempt, err := newAuditRule(auditedMethod{option: &optionsv1.Audit{Action: action, Object: "person", IdField: field}})
		if (err == nil) != sound || exempt {
			t.Errorf("%q: exempt %t, %v", field, exempt, err)
		}
		if want := map[bool]string{true: "usr_1"}[field != ""]; sound && rule.idOf(connections("usr_1")) != want {
			t.Errorf("%q: the id is %q", field, rule.idOf(connections("usr_1")))
		}
		if got := rule.idOf(nil); sound && got != "" {
			t.Errorf("%q: the id in a stream is %q, want none", field, got)
		}
	}
	if _, exempt, err := newAuditRule(auditedMethod{option: &optionsv1.Audit{Exempt: "it changes nothing"}}); err != nil || !exempt {
		t.Errorf("exempt: %t, %v", exempt, err)
	}
}

func TestEventContainsObject(t *testing.T) {
	rule, _, err := newAuditRule(auditedMethod{option: &optionsv1.Audit{Action: string(audit.APIKeyDelete), IdField: "actor.person_id"}})
	if err != nil {
		t.Fatal(err)
	}
	for object, want := range map[string]audit.Event{
		"account": {AccountID: "id_1"}, "app": {AppID: "id_1"}, "person": {PersonID: "id_1"}, "profile": {PersonID: "id_1"}, "connection": {},
	} {
		rule.object = object
		e := rule.event(t.Context(), "candidate", connections("id_1"))
		if e.AccountID != want.AccountID || e.AppID != want.AppID || e.PersonID != want.PersonID || e.Object != (audit.Object{Type: object, ID: "id_1"}) {
			t.Errorf("%s: %+v", object, e)
		}
	}
}

func TestCredentialHolderIsActor(t *testing.T) {
	app, key := id.New("app"), id.New("key")
	p := &identityv1.Principal{AccountId: id.New("dev"), AppId: app, PersonId: id.New("usr"), ApiKeyId: key}
	for kind, want := range map[identityv1.CredentialKind]audit.Actor{
		identityv1.CredentialKind_CREDENTIAL_KIND_API_KEY: audit.ByKey(key), identityv1.CredentialKind_CREDENTIAL_KIND_ACCESS_TOKEN: audit.ByApp(app),
	} {
		p.Kind = kind
		call := audit.NewCall(audit.Event{Actor: audit.Actor{Kind: audit.Anonymous}, Caller: audit.Gateway})
		noteHolder(principal.NewContext(audit.NewContext(t.Context(), call), p))
		if e := call.Ended(""); e.Actor != want || e.AccountID != p.GetAccountId() || e.AppID != app || e.PersonID != p.GetPersonId() {
			t.Errorf("%v: %+v", kind, e)
		}
	}
	call := audit.NewCall(audit.Event{Actor: audit.Actor{Kind: audit.Anonymous}, Caller: audit.Gateway})
	noteHolder(audit.NewContext(t.Context(), call))
	if e := call.Ended(""); e.Actor.Kind != audit.Anonymous {
		t.Errorf("without a credential: %+v", e.Actor)
	}
}

// eventLog collects events, returns the error in fails, and stores the remaining timeout of the
// last call.
type eventLog struct {
	events []audit.Event
	left   time.Duration
	fails  error
}

func (l *eventLog) Record(ctx context.Context, e audit.Event) error {
	end, _ := ctx.Deadline()
	l.events, l.left = append(l.events, e), time.Until(end)
	return l.fails
}

const testMethod = "/vitae.test.Audited/Do"

// serveOne serves one call on a server with the rule.
func serveOne(ctx context.Context, recorder audit.Recorder, rule auditRule, serve func(context.Context) error) error {
	s := &Server{events: recorder, log: slog.New(slog.DiscardHandler), audits: auditTable{testMethod: rule}}
	_, err := s.audited(ctx, testMethod, nil, func(ctx context.Context) (any, error) { return nil, serve(ctx) })
	return err
}

func TestCallRecordsAtMostOneEvent(t *testing.T) {
	denied := errs.New(errs.Denied, "NOT_TODAY", "x")
	committed := func(ctx context.Context) {
		tx := audit.FromContext(ctx).Transaction()
		tx.Event(audit.About{})
		tx.Committed()
	}
	for name, c := range map[string]struct {
		refusalsOnly bool
		serve        func(context.Context) error
		want         []string // error codes of the recorded events
	}{
		"success":                     {false, func(context.Context) error { return nil }, []string{""}},
		"success, with refusals_only": {true, func(context.Context) error { return nil }, nil},
		"success, already recorded":   {false, func(ctx context.Context) error { committed(ctx); return nil }, nil},
		"refusal":                     {true, func(context.Context) error { return denied }, []string{"NOT_TODAY"}},
		"refusal without an error":    {true, func(ctx context.Context) error { audit.FromContext(ctx).Refuse("NOT_TODAY"); return nil }, []string{"NOT_TODAY"}},
		"refusal after a commit":      {false, func(ctx context.Context) error { committed(ctx); return denied }, []string{"NOT_TODAY"}},
		"an internal error":           {false, func(context.Context) error { return errors.New("a bug") }, nil},
		"unavailable":                 {false, func(context.Context) error { return errs.New(errs.Unavailable, "NOT_TODAY", "x") }, nil},
		"a rolled back transaction": {false, func(ctx context.Context) error {
			audit.FromContext(ctx).Transaction().Event(audit.About{})
			return denied
		}, []string{"NOT_TODAY"}},
		"a dry run":                       {false, func(ctx context.Context) error { audit.FromContext(ctx).Skip(); return nil }, nil},
		"a dry run that returns an error": {false, func(ctx context.Context) error { audit.FromContext(ctx).Skip(); return denied }, nil},
	} {
		r := &eventLog{}
		var served error
		err := serveOne(t.Context(), r, auditRule{refusalsOnly: c.refusalsOnly}, func(ctx context.Context) error { served = c.serve(ctx); return served })
		if !errors.Is(err, served) || len(r.events) != len(c.want) {
			t.Errorf("%s: %v; events %+v", name, err, r.events)
			continue
		}
		for i, code := range c.want {
			if r.events[i].Code != code {
				t.Errorf("%s: the event has the code %q", name, r.events[i].Code)
			}
		}
	}
}

func TestUnstoredEventFailsOnlySuccess(t *testing.T) {
	away, denied := errors.New("the database is away"), errs.New(errs.Denied, "NOT_TODAY", "x")
	r := &eventLog{fails: away}
	err := serveOne(t.Context(), r, auditRule{}, func(context.Context) error { return nil })
	if errs.KindOf(err) != errs.Unavailable || !errors.Is(err, away) {
		t.Errorf("a success: %v, want Unavailable with its cause", err)
	}
	if err := serveOne(t.Context(), r, auditRule{}, func(context.Context) error { return denied }); !errors.Is(err, denied) {
		t.Errorf("a refusal: %v", err)
	}
	if r.left <= 0 || r.left > 2*time.Second {
		t.Errorf("recording had a timeout of %v, want at most 2s", r.left)
	}
	if err := serveOne(t.Context(), nil, auditRule{}, func(context.Context) error { return nil }); err != nil {
		t.Errorf("a service without a recorder: %v", err)
	}
}

// The caller may disconnect before the refusal is recorded.
func TestRefusalIsRecordedAfterDisconnect(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var alive error
	r := recorderFunc(func(ctx context.Context, _ audit.Event) error { alive = ctx.Err(); return nil })
	_ = serveOne(ctx, r, auditRule{}, func(context.Context) error { cancel(); return errs.New(errs.Denied, "NOT_TODAY", "x") })
	if alive != nil {
		t.Errorf("the recorder's context has ended: %v", alive)
	}
}

type recorderFunc func(context.Context, audit.Event) error

func (f recorderFunc) Record(ctx context.Context, e audit.Event) error { return f(ctx, e) }
