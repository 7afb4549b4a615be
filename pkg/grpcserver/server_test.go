package grpcserver_test

import (
	"context"
	"net"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/health/grpc_health_v1"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/grpcserver"
	"vitae.internal/pkg/grpcserver/servertest"
	"vitae.internal/pkg/grpcx"
	"vitae.internal/pkg/principal"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
)

// part is a service that records what it receives.
type part struct {
	candidatev1.UnimplementedMeServiceServer
	authv1.UnimplementedPeopleServiceServer
	got       *identityv1.Principal
	requestID string
	deadline  time.Duration
}

func (p *part) GetMe(ctx context.Context, _ *candidatev1.GetMeRequest) (*candidatev1.GetMeResponse, error) {
	p.got, p.requestID = principal.FromContext(ctx), grpcx.RequestID(ctx)
	d, _ := ctx.Deadline()
	p.deadline = time.Until(d)
	return &candidatev1.GetMeResponse{}, nil
}

func (p *part) GetSharedCv(context.Context, *candidatev1.GetSharedCvRequest) (*candidatev1.GetSharedCvResponse, error) {
	panic("boom with a secret")
}

func (p *part) CreatePerson(context.Context, *authv1.CreatePersonRequest) (*authv1.CreatePersonResponse, error) {
	return &authv1.CreatePersonResponse{}, nil
}

// asReader returns a copy of ctx with a token that allows calls to part.
func asReader(ctx context.Context) context.Context {
	return principal.NewContext(ctx, &identityv1.Principal{
		Kind: identityv1.CredentialKind_CREDENTIAL_KIND_ACCESS_TOKEN, PersonId: "usr_1", Scopes: []string{"profile", "cv:read"},
	})
}

// service is implemented by the services under test.
type service interface{ register(grpc.ServiceRegistrar) }

func (p *part) register(r grpc.ServiceRegistrar) {
	candidatev1.RegisterMeServiceServer(r, p)
	authv1.RegisterPeopleServiceServer(r, p)
}

// start serves p and returns a function that connects to it as the given caller.
func start(t testing.TB, p service) (dial func(caller string, more ...grpcx.Option) *grpc.ClientConn) {
	t.Helper()
	return serve(t, p).dial
}

// served is a running server.
type served struct {
	t         testing.TB
	server    *grpcserver.Server
	addr, dir string
}

func serve(t testing.TB, p service) *served {
	t.Helper()
	s := &served{t: t, dir: servertest.Certificates(t, "candidate", "gateway", "vitaectl", "cvrender")}
	var err error
	if s.server, err = grpcserver.New(servertest.Identity(t, s.dir, "candidate"), quiet, p.register); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.addr = l.Addr().String()
	ended := make(chan error, 1)
	go func() { ended <- s.server.Serve(l) }()
	t.Cleanup(func() {
		s.server.Stop(context.Background())
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return s
}

// cut stops the server without waiting for in-flight calls.
func (s *served) cut() {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s.server.Stop(ctx)
}

// dial connects to the server with the given caller's certificate.
func (s *served) dial(caller string, more ...grpcx.Option) *grpc.ClientConn {
	s.t.Helper()
	conn, err := grpcx.Dial(s.addr, "candidate", servertest.Identity(s.t, s.dir, caller), more...)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = conn.Close() })
	return conn
}

func TestMethodAcceptsOnlyListedCallers(t *testing.T) {
	dial := start(t, &part{})
	if _, err := candidatev1.NewMeServiceClient(dial("gateway")).GetMe(asReader(t.Context()), &candidatev1.GetMeRequest{}); err != nil {
		t.Errorf("the gateway's call failed: %v", err)
	}
	for _, caller := range []string{"vitaectl", "cvrender"} {
		_, err := candidatev1.NewMeServiceClient(dial(caller)).GetMe(asReader(t.Context()), &candidatev1.GetMeRequest{})
		if !errs.HasCode(err, "CALLER_NOT_ALLOWED") || errs.KindOf(err) != errs.Denied {
			t.Errorf("%s got %v, want CALLER_NOT_ALLOWED", caller, err)
		}
	}
	if _, err := grpc_health_v1.NewHealthClient(dial("cvrender")).Check(t.Context(), &grpc_health_v1.HealthCheckRequest{}); err != nil {
		t.Errorf("health: %v", err)
	}
}

func TestCertificateFromOtherCAIsRejected(t *testing.T) {
	s := serve(t, &part{})
	s.dir = servertest.Certificates(t, "gateway") // from a different certificate authority
	if _, err := candidatev1.NewMeServiceClient(s.dial("gateway")).GetMe(asReader(t.Context()), &candidatev1.GetMeRequest{}); errs.KindOf(err) != errs.Unavailable {
		t.Errorf("a certificate from a different authority got %v, want Unavailable", err)
	}
}

func TestHandlerReceivesMetadataAndDeadline(t *testing.T) {
	p := &part{}
	dial := start(t, p)
	ctx := grpcx.WithRequestID(t.Context(), "req_1")
	ctx = asReader(ctx)
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	if _, err := candidatev1.NewMeServiceClient(dial("gateway")).GetMe(asReader(ctx), &candidatev1.GetMeRequest{}); err != nil {
		t.Fatal(err)
	}
	if p.got.GetPersonId() != "usr_1" || p.requestID != "req_1" {
		t.Errorf("got principal %v and request id %q", p.got, p.requestID)
	}
	if p.deadline <= 0 || p.deadline >= 2*time.Second {
		t.Errorf("the callee's deadline was in %v, want less than the caller's 2s", p.deadline)
	}
}

func TestPanicReturnsInternalError(t *testing.T) {
	dial := start(t, &part{})
	_, err := candidatev1.NewMeServiceClient(dial("gateway")).GetSharedCv(asReader(t.Context()), &candidatev1.GetSharedCvRequest{})
	if errs.KindOf(err) != errs.Internal || strings.Contains(err.Error(), "secret") {
		t.Errorf("got %v", err)
	}
}

func TestContractViolationContainsField(t *testing.T) {
	dial := start(t, &part{})
	_, err := authv1.NewPeopleServiceClient(dial("vitaectl")).CreatePerson(t.Context(), &authv1.CreatePersonRequest{Email: strings.Repeat("n", 255), Password: "long enough"})
	e, ok := errs.As(err)
	if !ok || e.Kind != errs.Invalid || e.Field() != "email" {
		t.Errorf("got %+v, want Invalid on email", err)
	}
}
