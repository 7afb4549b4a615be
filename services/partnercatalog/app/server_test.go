package app_test

import (
	"context"
	"log/slog"
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/grpcserver/servertest"
	pkgpostgres "vitae.internal/pkg/postgres"
	"vitae.internal/pkg/principal"
	"vitae.internal/pkg/testkit"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
	"vitae.internal/services/partnercatalog/app"
	"vitae.internal/services/partnercatalog/internal/postgres"
)

// unreachable is the address of an auth service that does not respond, so that events stay in the
// outbox.
const unreachable = "127.0.0.1:1"

// running is the service under test. It serves mutual TLS on a loopback port.
type running struct {
	t    testing.TB
	addr string
	dir  string
	// companies makes calls as the gateway, and pages as an internal team.
	companies partnercatalogv1.CompanyServiceClient
	pages     partnercatalogv1.CompanyPageServiceClient
}

// database creates a migrated database and returns its URL.
func database(t testing.TB) string {
	t.Helper()
	return testkit.Database(t, "catalog", postgres.Migrate)
}

func start(t testing.TB) *running {
	t.Helper()
	return startOn(t, database(t))
}

// startOn starts the service on an existing database.
func startOn(t testing.TB, database string) *running {
	t.Helper()
	r := &running{t: t, dir: servertest.Certificates(t, app.Name, "gateway", "internal", "vitaectl", "candidate", "cvrender")}
	a, err := app.New(t.Context(), app.Config{
		Postgres: pkgpostgres.Config{URL: database, MaxConns: 8}, AuthAddr: unreachable,
	}, slog.New(slog.DiscardHandler), servertest.Identity(t, r.dir, app.Name))
	if err != nil {
		t.Fatal(err)
	}
	r.addr = serve(t, a, r.dir)
	r.companies = partnercatalogv1.NewCompanyServiceClient(r.dial("gateway"))
	r.pages = partnercatalogv1.NewCompanyPageServiceClient(r.dial("internal"))
	return r
}

func (r *running) dial(caller string) *grpc.ClientConn {
	r.t.Helper()
	return servertest.Dial(r.t, r.addr, app.Name, servertest.Identity(r.t, r.dir, caller))
}

// key returns the context for a call with one of the app's API keys. By default, the key has all
// scopes.
func (r *running) key(appID string, scopes ...string) context.Context {
	if len(scopes) == 0 {
		scopes = []string{"companies:read", "companies:write", "jobs:read", "jobs:write", "candidates:read"}
	}
	return principal.NewContext(r.t.Context(), &identityv1.Principal{
		Kind: identityv1.CredentialKind_CREDENTIAL_KIND_API_KEY, AccountId: "dev_" + appID, AppId: appID, Scopes: scopes,
	})
}

// about is the shortest valid description.
var about = strings.Repeat("é", 50)

// createRequest returns a request to create a company, with only the required fields.
func createRequest(name string) *partnercatalogv1.CreateCompanyRequest {
	return &partnercatalogv1.CreateCompanyRequest{
		Name: name, Industry: "Rockets", EmployeeCount: "51-200", Location: "Dubai, UAE", Description: about,
	}
}

func (r *running) create(appID string, req *partnercatalogv1.CreateCompanyRequest) *partnercatalogv1.Company {
	r.t.Helper()
	resp, err := r.companies.CreateCompany(r.key(appID), req)
	if err != nil {
		r.t.Fatal(err)
	}
	return resp.GetCompany()
}

func (r *running) get(appID, id string) *partnercatalogv1.Company {
	r.t.Helper()
	resp, err := r.companies.GetCompany(r.key(appID), &partnercatalogv1.GetCompanyRequest{CompanyId: id})
	if err != nil {
		r.t.Fatal(err)
	}
	return resp.GetCompany()
}

func equal(t testing.TB, what string, got, want proto.Message) {
	t.Helper()
	if !proto.Equal(got, want) {
		t.Errorf("%s:\ngot  %v\nwant %v", what, got, want)
	}
}

// checkError checks the kind, the code and the field of an error.
func checkError(t testing.TB, what string, err error, kind errs.Kind, code, field string) {
	t.Helper()
	e, ok := errs.As(err)
	if !ok || e.Kind != kind || e.Code != code || e.Field() != field || e.Message == "" {
		t.Errorf("%s: %v, want %s of %q", what, err, code, field)
	}
}

func ptr[T any](v T) *T { return &v }
