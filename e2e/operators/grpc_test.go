package operators_test

import (
	"context"
	"crypto/tls"
	"errors"
	"net/url"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	healthv1 "google.golang.org/grpc/health/grpc_health_v1"
	reflectionv1 "google.golang.org/grpc/reflection/grpc_reflection_v1"
	"google.golang.org/grpc/status"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/suite"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/mtls"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// services returns the internal services, each with one gRPC service that it must serve.
func services(t testing.TB) map[string]struct{ addr, serves string } {
	t.Helper()
	at := expect.Must(suite.System.Note())(t).GRPC
	return map[string]struct{ addr, serves string }{
		"auth":           {at.Auth, "vitae.auth.v1.OAuthService"},
		"candidate":      {at.Candidate, "vitae.candidate.v1.MeService"},
		"cvrender":       {at.CVRender, "vitae.cvrender.v1.CvRenderService"},
		"partnercatalog": {at.PartnerCatalog, "vitae.partnercatalog.v1.JobService"},
	}
}

func TestInternalServicesRequireCertificate(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := mtls.Issue(dir, "gateway"); err != nil { // uses a different authority
		t.Fatal(err)
	}
	files := mtls.Files(dir, "gateway")
	foreign := expect.Must(tls.LoadX509KeyPair(files.CertFile, files.KeyFile))(t)
	// The client accepts any server, but the servers must reject the client.
	stranger := &tls.Config{Certificates: []tls.Certificate{foreign}, InsecureSkipVerify: true}
	for name, service := range services(t) {
		for kind, creds := range map[string]credentials.TransportCredentials{
			"plain text":                insecure.NewCredentials(),
			"TLS without a certificate": credentials.NewTLS(&tls.Config{InsecureSkipVerify: true}),
			"a foreign certificate":     credentials.NewTLS(stranger),
		} {
			conn := expect.Must(grpc.NewClient(service.addr, grpc.WithTransportCredentials(creds)))(t)
			_, err := healthv1.NewHealthClient(conn).Check(t.Context(), &healthv1.HealthCheckRequest{})
			if status.Code(err) != codes.Unavailable {
				t.Errorf("%s with %s: %v, want a refused connection", name, kind, err)
			}
			_ = conn.Close()
		}
	}
}

func TestMethodsRejectUnlistedCallers(t *testing.T) {
	t.Parallel()
	at := services(t)["auth"].addr
	if err := mtls.Issue(suite.System.TLSDir(), "internal/payments"); err != nil {
		t.Fatal(err)
	}
	for caller, want := range map[string]string{
		"vitaectl": "ACCOUNT_NOT_FOUND", "internal": "ACCOUNT_NOT_FOUND",
		"gateway":           "SESSION_ENDED", // the gateway must call on behalf of a console user, but names none
		"internal/payments": "CALLER_NOT_ALLOWED", "cvrender": "CALLER_NOT_ALLOWED", "candidate": "CALLER_NOT_ALLOWED",
	} {
		client := authv1.NewDeveloperServiceClient(suite.Dial(t, suite.System, at, "auth", caller))
		_, err := client.GetAccount(t.Context(), &authv1.GetAccountRequest{Id: "dev_unknown"})
		if e, ok := errs.As(err); !ok || e.Code != want {
			t.Errorf("%s: %v, want %s", caller, err, want)
		}
	}
}

func TestServicesServeReflectionAndHealth(t *testing.T) {
	t.Parallel()
	for name, service := range services(t) {
		conn := suite.Dial(t, suite.System, service.addr, name, "vitaectl")
		health := expect.Must(healthv1.NewHealthClient(conn).Check(t.Context(), &healthv1.HealthCheckRequest{}))(t)
		if health.GetStatus() != healthv1.HealthCheckResponse_SERVING {
			t.Errorf("%s: health %v", name, health.GetStatus())
		}
		if listed := reflected(t, conn); !slices.Contains(listed, service.serves) {
			t.Errorf("%s: reflection lists %v, not %s", name, listed, service.serves)
		}
	}
}

func reflected(t testing.TB, conn *grpc.ClientConn) []string {
	t.Helper()
	stream := expect.Must(reflectionv1.NewServerReflectionClient(conn).ServerReflectionInfo(t.Context()))(t)
	if err := stream.Send(&reflectionv1.ServerReflectionRequest{
		MessageRequest: &reflectionv1.ServerReflectionRequest_ListServices{},
	}); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range expect.Must(stream.Recv())(t).GetListServicesResponse().GetService() {
		names = append(names, s.GetName())
	}
	return names
}

func TestRolesOpenOnlyTheirDatabase(t *testing.T) {
	t.Parallel()
	owners := []string{"auth", "candidate", "partnercatalog"}
	for _, owner := range owners {
		own := expect.Must(url.Parse(expect.Must(suite.System.Setting(owner, "VITAE_POSTGRES_URL"))(t)))(t)
		if err := connects(t.Context(), own); err != nil {
			t.Errorf("%s cannot open its own database: %v", owner, err)
		}
		for _, other := range owners {
			if other == owner {
				continue
			}
			foreign := *own
			foreign.Path = expect.Must(url.Parse(expect.Must(suite.System.Setting(other, "VITAE_POSTGRES_URL"))(t)))(t).Path
			err := connects(t.Context(), &foreign)
			// 42501 is insufficient_privilege.
			if pg := (*pgconn.PgError)(nil); !errors.As(err, &pg) || pg.Code != "42501" {
				t.Errorf("the role of %s connects to the database of %s: %v, want permission denied", owner, other, err)
			}
		}
	}
}

func connects(ctx context.Context, to *url.URL) error {
	conn, err := pgx.Connect(ctx, to.String())
	if err != nil {
		return err
	}
	return conn.Close(ctx)
}
