package app_test

import (
	"context"
	"log/slog"
	"net"
	"testing"

	"google.golang.org/grpc/health/grpc_health_v1"

	"vitae.internal/pkg/grpcserver"
	"vitae.internal/pkg/grpcx"
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

func TestThePartMigratesItsDatabaseAndAnswersHealthOverMTLS(t *testing.T) {
	a, err := app.New(t.Context(), config(t), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := mtls.Issue(dir, app.Name, "gateway"); err != nil {
		t.Fatal(err)
	}
	addr := serve(t, a, identity(t, dir, app.Name))
	conn, err := grpcx.Dial(addr, app.Name, identity(t, dir, "gateway"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	answer, err := grpc_health_v1.NewHealthClient(conn).Check(t.Context(), &grpc_health_v1.HealthCheckRequest{})
	if err != nil {
		t.Fatal(err)
	}
	if answer.Status != grpc_health_v1.HealthCheckResponse_SERVING {
		t.Errorf("health is %v, want SERVING", answer.Status)
	}
	if err := a.Ready(t.Context()); err != nil {
		t.Errorf("not ready: %v", err)
	}
}

func TestASecondReplicaStartsOnTheSameDatabase(t *testing.T) {
	c := config(t)
	for range 2 {
		a, err := app.New(t.Context(), c, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		defer a.Close(context.Background())
	}
}

func identity(t testing.TB, dir, name string) *mtls.Identity {
	t.Helper()
	id, err := mtls.Load(mtls.Files(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// serve runs the part until the test ends and returns its address.
func serve(t testing.TB, a *app.App, id *mtls.Identity) string {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	server, err := grpcserver.New(id, log, a.Register)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- server.Serve(l) }()
	t.Cleanup(func() {
		server.Stop(context.Background())
		<-done
		_ = a.Close(context.Background())
	})
	return l.Addr().String()
}

func TestAPartWithoutADatabaseDoesNotStart(t *testing.T) {
	for _, c := range []postgres.Config{{MaxConns: 1}, {URL: "postgres://127.0.0.1/none"}} {
		if _, err := app.New(t.Context(), app.Config{Postgres: c}, slog.New(slog.DiscardHandler)); err == nil {
			t.Errorf("%+v: started", c)
		}
	}
}
