package app_test

import (
	"context"
	"io"
	"log/slog"
	"net"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/fieldmaskpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"

	"vitae.internal/pkg/grpcx"
	"vitae.internal/pkg/mtls"
	pkgpostgres "vitae.internal/pkg/postgres"
	"vitae.internal/pkg/principal"
	"vitae.internal/pkg/testkit"
	"vitae.internal/services/candidate/app"
	"vitae.internal/services/candidate/internal/postgres"
)

func TestMain(m *testing.M) { testkit.Main(m) }

const appURL = "https://vitae.example"

var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

func newApp(t testing.TB) *app.App {
	t.Helper()
	a, err := app.New(t.Context(), app.Config{
		Postgres: pkgpostgres.Config{URL: testkit.Database(t, "candidate", postgres.Migrate), MaxConns: 8},
		AppURL:   appURL,
	}, quiet)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = a.Close(context.Background()) })
	return a
}

// running is the service on a loopback port, as the parts of a deployment reach
// it.
type running struct {
	t    testing.TB
	addr string
	dir  string
	me   candidatev1.MeServiceClient
	// internal is ProfileService as internal teams call it, pages as the edge does.
	internal, pages candidatev1.ProfileServiceClient
}

func start(t testing.TB) *running {
	t.Helper()
	a := newApp(t)
	r := &running{t: t, dir: t.TempDir()}
	if err := mtls.Issue(r.dir, app.Name, "gateway", "internal", "vitaectl", "cvrender"); err != nil {
		t.Fatal(err)
	}
	server, err := grpcx.NewServer(r.identity(app.Name), quiet, a.Register)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r.addr = l.Addr().String()
	served := make(chan error, 1)
	go func() { served <- server.Serve(l) }()
	t.Cleanup(func() {
		server.Stop(context.Background())
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	gateway := r.dial("gateway")
	r.me = candidatev1.NewMeServiceClient(gateway)
	r.pages = candidatev1.NewProfileServiceClient(gateway)
	r.internal = candidatev1.NewProfileServiceClient(r.dial("internal"))
	return r
}

func (r *running) identity(name string) *mtls.Identity {
	r.t.Helper()
	identity, err := mtls.Load(mtls.Files(r.dir, name))
	if err != nil {
		r.t.Fatal(err)
	}
	return identity
}

func (r *running) dial(caller string) *grpc.ClientConn {
	r.t.Helper()
	conn, err := grpcx.Dial(r.addr, app.Name, r.identity(caller))
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { _ = conn.Close() })
	return conn
}

var connectedAt = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// consent is the principal of a user access token with the scopes.
func consent(personID, cvID string, scopes ...string) *identityv1.Principal {
	return &identityv1.Principal{
		Kind: identityv1.CredentialKind_CREDENTIAL_KIND_ACCESS_TOKEN, AccountId: "dev_1", AppId: "app_1",
		Scopes: scopes, GrantedScopes: []string{"profile", "email", "cv:read"}, ConnectionId: "con_1",
		PersonId: personID, CvId: cvID, ConnectedAt: timestamppb.New(connectedAt), CvLinkUrl: "https://api.example/v1/cv-links/t",
	}
}

func (r *running) getMe(p *identityv1.Principal) (*candidatev1.SignedInUser, error) {
	resp, err := r.me.GetMe(principal.NewContext(r.t.Context(), p), &candidatev1.GetMeRequest{})
	return resp.GetUser(), err
}

func (r *running) getSharedCv(p *identityv1.Principal) (*cvv1.SharedCv, error) {
	resp, err := r.me.GetSharedCv(principal.NewContext(r.t.Context(), p), &candidatev1.GetSharedCvRequest{})
	return resp.GetCv(), err
}

// create adds a profile and gives it as it was stored.
func (r *running) create(p *candidatev1.Profile) *candidatev1.Profile {
	r.t.Helper()
	resp, err := r.internal.CreateProfile(r.t.Context(), &candidatev1.CreateProfileRequest{Profile: p})
	if err != nil {
		r.t.Fatal(err)
	}
	return resp.GetProfile()
}

func (r *running) update(p *candidatev1.Profile, paths ...string) *candidatev1.Profile {
	r.t.Helper()
	resp, err := r.internal.UpdateProfile(r.t.Context(), &candidatev1.UpdateProfileRequest{
		Profile: p, UpdateMask: &fieldmaskpb.FieldMask{Paths: paths},
	})
	if err != nil {
		r.t.Fatal(err)
	}
	return resp.GetProfile()
}

func (r *running) createCv(personID, title string, content *candidatev1.CvContent) *candidatev1.Cv {
	r.t.Helper()
	resp, err := r.internal.CreateCv(r.t.Context(), &candidatev1.CreateCvRequest{PersonId: personID, Title: title, Content: content})
	if err != nil {
		r.t.Fatal(err)
	}
	return resp.GetCv()
}

// bare is the least that a profile with a CV can be.
func bare(personID string) *candidatev1.Profile {
	return &candidatev1.Profile{
		PersonId: personID, Email: personID + "@example.com", Name: "Sara",
		Content: &candidatev1.CvContent{
			Experiences:    []*cvv1.Experience{{Title: "Engineer", Company: "Acme"}},
			Educations:     []*cvv1.Education{{School: "School"}},
			Certifications: []*cvv1.Certification{{Name: "Certificate", Issuer: "Issuer"}},
			Projects:       []*cvv1.Project{{Title: "Project"}},
			Highlights:     []*cvv1.Highlight{{Title: "Highlight"}},
			SkillGroups:    []*cvv1.SkillGroup{{Category: "Tools"}},
		},
	}
}

func equal(t testing.TB, what string, got, want proto.Message) {
	t.Helper()
	if !proto.Equal(got, want) {
		t.Errorf("%s:\ngot  %v\nwant %v", what, got, want)
	}
}
