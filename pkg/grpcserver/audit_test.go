package grpcserver_test

import (
	"context"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/grpcserver"
	"vitae.internal/pkg/grpcserver/servertest"
	"vitae.internal/pkg/grpcx"
	"vitae.internal/pkg/id"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// auditedPart is a service with audited methods.
type auditedPart struct {
	authv1.UnimplementedDeveloperServiceServer
	authv1.UnimplementedConnectionServiceServer
	authv1.UnimplementedOAuthServiceServer
	answer error
	// during is called in every handler.
	during func(ctx context.Context)
}

func (p *auditedPart) end(ctx context.Context) error {
	if p.during != nil {
		p.during(ctx)
	}
	return p.answer
}

func (p *auditedPart) DeleteApiKey(ctx context.Context, _ *authv1.DeleteApiKeyRequest) (*authv1.DeleteApiKeyResponse, error) {
	return &authv1.DeleteApiKeyResponse{}, p.end(ctx)
}

func (p *auditedPart) CreateApiKey(ctx context.Context, _ *authv1.CreateApiKeyRequest) (*authv1.CreateApiKeyResponse, error) {
	return &authv1.CreateApiKeyResponse{}, p.end(ctx)
}

func (p *auditedPart) ListConnections(ctx context.Context, _ *authv1.ListConnectionsRequest) (*authv1.ListConnectionsResponse, error) {
	return &authv1.ListConnectionsResponse{}, p.end(ctx)
}

func (p *auditedPart) IntrospectToken(ctx context.Context, _ *authv1.IntrospectTokenRequest) (*authv1.IntrospectTokenResponse, error) {
	return &authv1.IntrospectTokenResponse{}, p.end(ctx)
}

// recorder collects events, or fails with the error in fails.
type recorder struct {
	mu     sync.Mutex
	events []audit.Event
	fails  error
}

func (r *recorder) Record(_ context.Context, e audit.Event) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.fails == nil {
		r.events = append(r.events, e)
	}
	return r.fails
}

// taken returns and removes the events collected so far.
func (r *recorder) taken() []audit.Event {
	r.mu.Lock()
	defer r.mu.Unlock()
	taken := r.events
	r.events = nil
	return taken
}

// serveAudited serves p and returns a function that connects to it as the given caller.
func serveAudited(t *testing.T, p *auditedPart, r audit.Recorder, log *slog.Logger) (dial func(caller string) *grpc.ClientConn) {
	t.Helper()
	dir := servertest.Certificates(t, "auth", "gateway", "vitaectl", "internal", "cvrender")
	addr := servertest.Serve(t, servertest.Identity(t, dir, "auth"), log, func(s grpc.ServiceRegistrar) {
		authv1.RegisterDeveloperServiceServer(s, p)
		authv1.RegisterConnectionServiceServer(s, p)
		authv1.RegisterOAuthServiceServer(s, p)
	}, grpcserver.WithAudit(r))
	return func(caller string) *grpc.ClientConn {
		return servertest.Dial(t, addr, "auth", servertest.Identity(t, dir, caller))
	}
}

var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

func TestEveryAuditedCallIsRecorded(t *testing.T) {
	p, r := &auditedPart{}, &recorder{}
	dial := serveAudited(t, p, r, quiet)
	key, request := id.New("key"), id.New("req")
	ctx := grpcx.WithRequestID(grpcx.WithClientAddress(t.Context(), "192.0.2.7"), request)
	remove := func(caller, keyID string) error {
		_, err := authv1.NewDeveloperServiceClient(dial(caller)).DeleteApiKey(ctx, &authv1.DeleteApiKeyRequest{Id: keyID})
		return err
	}
	base := audit.Event{
		Action: audit.APIKeyDelete, Outcome: audit.Done, Actor: audit.Actor{Kind: audit.Operator}, Caller: "vitaectl",
		Object: audit.Object{Type: "api_key", ID: key}, ClientAddress: "127.0.0.1", RequestID: request,
	}
	for _, c := range []struct {
		name   string
		caller string
		key    string
		answer error
		want   func(*audit.Event)
	}{
		{"success", "vitaectl", key, nil, func(*audit.Event) {}},
		{"refusal", "vitaectl", key, errs.New(errs.NotFound, "API_KEY_NOT_FOUND", "There is none."), func(e *audit.Event) {
			e.Outcome, e.Code = audit.Refused, "API_KEY_NOT_FOUND"
		}},
		{"a different internal caller", "internal", key, nil, func(e *audit.Event) {
			e.Actor, e.Caller = audit.Actor{Kind: audit.Service}, "internal"
		}},
		{"a caller without permission", "cvrender", key, nil, func(e *audit.Event) {
			e.Actor, e.Caller, e.Outcome, e.Code = audit.Actor{Kind: audit.Service}, "cvrender", audit.Refused, "CALLER_NOT_ALLOWED"
		}},
		{"a secret in place of the id", "vitaectl", "svc_sk_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", nil, func(e *audit.Event) {
			e.Object.ID = ""
		}},
	} {
		p.answer = c.answer
		err := remove(c.caller, c.key)
		want := base
		c.want(&want)
		if (err != nil) != (want.Outcome == audit.Refused) {
			t.Errorf("%s: %v", c.name, err)
		}
		got := r.taken()
		if len(got) != 1 {
			t.Errorf("%s: %d events", c.name, len(got))
			continue
		}
		if !id.Valid("evt", got[0].ID) {
			t.Errorf("%s: the event has the id %q", c.name, got[0].ID)
		}
		got[0].ID, got[0].Details = "", nil
		if !equal(got[0], want) {
			t.Errorf("%s:\ngot  %+v\nwant %+v", c.name, got[0], want)
		}
	}
}

func equal(a, b audit.Event) bool {
	a.Details, b.Details = nil, nil
	return a.Action == b.Action && a.Outcome == b.Outcome && a.Code == b.Code && a.Actor == b.Actor && a.Caller == b.Caller &&
		a.AccountID == b.AccountID && a.AppID == b.AppID && a.PersonID == b.PersonID && a.Object == b.Object &&
		a.ClientAddress == b.ClientAddress && a.RequestID == b.RequestID
}

func TestOnlyGatewaySetsClientAddress(t *testing.T) {
	r := &recorder{}
	refusal := errs.New(errs.Unauthenticated, "OAUTH_INVALID_CLIENT", "Client authentication failed.")
	dial := serveAudited(t, &auditedPart{answer: refusal}, r, quiet)
	ctx := grpcx.WithClientAddress(t.Context(), "192.0.2.7")
	_, _ = authv1.NewOAuthServiceClient(dial("gateway")).IntrospectToken(ctx, &authv1.IntrospectTokenRequest{Client: &authv1.ClientAuthentication{ClientId: "c"}, Token: "t"})
	got := r.taken()
	if len(got) != 1 || got[0].ClientAddress != "192.0.2.7" || got[0].Actor.Kind != audit.Anonymous {
		t.Errorf("%+v", got)
	}
}

func TestExemptCallsAreNotRecorded(t *testing.T) {
	r := &recorder{}
	dial := serveAudited(t, &auditedPart{}, r, quiet)
	list := func(caller string) {
		_, _ = authv1.NewConnectionServiceClient(dial(caller)).ListConnections(t.Context(), &authv1.ListConnectionsRequest{
			Actor: &authv1.Actor{By: &authv1.Actor_PersonId{PersonId: id.New("usr")}},
		})
	}
	list("gateway")
	if got := r.taken(); len(got) != 0 {
		t.Errorf("a read by the gateway was recorded: %+v", got)
	}
	list("internal")
	if got := r.taken(); len(got) != 1 {
		t.Errorf("events for a read by a different caller: %+v", got)
	}
	_, _ = authv1.NewDeveloperServiceClient(dial("vitaectl")).CreateApiKey(t.Context(), &authv1.CreateApiKeyRequest{AppId: "a", Scopes: []string{"jobs:read"}, ValidateOnly: true})
	if got := r.taken(); len(got) != 0 {
		t.Errorf("a dry run was recorded: %+v", got)
	}
}

// If a store writes an event in its transaction, the server does not record a second one.
func TestCommittedEventIsNotRecordedAgain(t *testing.T) {
	p, r := &auditedPart{}, &recorder{}
	var lines strings.Builder
	dial := serveAudited(t, p, r, slog.New(slog.NewTextHandler(&lines, nil)))
	client := authv1.NewDeveloperServiceClient(dial("vitaectl"))
	key, app := id.New("key"), id.New("app")
	p.during = func(ctx context.Context) {
		committing := audit.FromContext(ctx).Transaction()
		committing.Event(audit.About{ObjectID: key, AppID: app})
		committing.Committed()
	}
	if _, err := client.DeleteApiKey(t.Context(), &authv1.DeleteApiKeyRequest{Id: key}); err != nil {
		t.Fatal(err)
	}
	if got := r.taken(); len(got) != 0 {
		t.Errorf("recorded again: %+v", got)
	}
	if line := lines.String(); !strings.Contains(line, "msg=audit") || !strings.Contains(line, "app="+app) || !strings.Contains(line, "action=api_key.delete") {
		t.Errorf("the log has %q", line)
	}
}

func TestGatewayReceivesAuthenticatedApp(t *testing.T) {
	p := &auditedPart{}
	dial := serveAudited(t, p, &recorder{}, quiet)
	by := audit.About{By: audit.ByApp("app_1"), AppID: "app_1", AccountID: "dev_1"}
	notes := func(ctx context.Context) { audit.FromContext(ctx).Note(by) }
	committed := func(ctx context.Context) {
		tx := audit.FromContext(ctx).Transaction()
		tx.Event(audit.About{By: audit.ByApp(id.New("app")), AppID: by.AppID, AccountID: by.AccountID})
		tx.Committed()
	}
	names := func(ctx context.Context) {
		audit.FromContext(ctx).Note(audit.About{AppID: "app_1", AccountID: "dev_1"})
	}
	refusal := errs.New(errs.Invalid, "OAUTH_INVALID_GRANT", "no")
	for name, c := range map[string]struct {
		during func(context.Context)
		answer error
		want   bool
	}{
		"a secret":                           {notes, nil, true},
		"a secret, and a refusal":            {notes, refusal, true},
		"a client id without authentication": {names, refusal, false},
		"nothing":                            {nil, nil, false},
	} {
		p.during, p.answer = c.during, c.answer
		var trailer metadata.MD
		_, _ = authv1.NewOAuthServiceClient(dial("gateway")).IntrospectToken(t.Context(), &authv1.IntrospectTokenRequest{Client: &authv1.ClientAuthentication{}}, grpc.Trailer(&trailer))
		want := grpcx.Acting{}
		if c.want {
			want = grpcx.Acting{AppID: "app_1", AccountID: "dev_1"}
		}
		if got := grpcx.ActingOf(trailer); got != want {
			t.Errorf("%s: %+v", name, got)
		}
	}
	p.during, p.answer = committed, nil
	var trailer metadata.MD
	_, _ = authv1.NewDeveloperServiceClient(dial("vitaectl")).DeleteApiKey(t.Context(), &authv1.DeleteApiKeyRequest{Id: "key_1"}, grpc.Trailer(&trailer))
	if got := grpcx.ActingOf(trailer); got != (grpcx.Acting{}) {
		t.Errorf("the trailer for vitaectl contains %+v", got)
	}
}
