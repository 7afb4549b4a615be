package app_test

import (
	"context"
	"log/slog"
	"testing"

	"google.golang.org/grpc/health/grpc_health_v1"

	"vitae.internal/pkg/grpcserver"
	"vitae.internal/pkg/grpcserver/servertest"
	"vitae.internal/pkg/mtls"
	"vitae.internal/pkg/postgres"
	"vitae.internal/pkg/testkit"
	"vitae.internal/services/partnercatalog/app"
)

func TestMain(m *testing.M) { testkit.Main(m) }

func empty(context.Context, string) error { return nil }

func config(t *testing.T) app.Config {
	return app.Config{Postgres: postgres.Config{URL: testkit.Database(t, "partnercatalog", empty), MaxConns: 2}}
}

func TestServiceMigratesAndServesOverMTLS(t *testing.T) {
	t.Parallel()
	a, err := app.New(t.Context(), config(t), slog.New(slog.DiscardHandler), ownIdentity(t))
	if err != nil {
		t.Fatal(err)
	}
	dir := servertest.Certificates(t, app.Name, "gateway")
	conn := servertest.Dial(t, serve(t, a, dir), app.Name, servertest.Identity(t, dir, "gateway"))
	answer, err := grpc_health_v1.NewHealthClient(conn).Check(t.Context(), &grpc_health_v1.HealthCheckRequest{})
	if err != nil {
		t.Fatal(err)
	}
	if answer.Status != grpc_health_v1.HealthCheckResponse_SERVING {
		t.Errorf("health is %v, want SERVING", answer.Status)
	}
	if err := a.Ready(t.Context()); err != nil {
		t.Errorf("Ready: %v", err)
	}
}

// ownIdentity returns the service's identity.
func ownIdentity(t testing.TB) *mtls.Identity {
	t.Helper()
	return servertest.Identity(t, servertest.Certificates(t, app.Name), app.Name)
}

// serve runs the service until the test ends and returns its listen address.
func serve(t testing.TB, a *app.App, dir string) string {
	t.Helper()
	t.Cleanup(func() { _ = a.Close(context.Background()) })
	return servertest.Serve(t, servertest.Identity(t, dir, app.Name), slog.New(slog.DiscardHandler), a.Register, grpcserver.WithAudit(a.Audit()))
}

func TestServiceRequiresDatabase(t *testing.T) {
	t.Parallel()
	for _, c := range []postgres.Config{{MaxConns: 1}, {URL: "postgres://127.0.0.1/none"}} {
		if _, err := app.New(t.Context(), app.Config{Postgres: c}, slog.New(slog.DiscardHandler), ownIdentity(t)); err == nil {
			t.Errorf("%+v: New succeeded", c)
		}
	}
}
