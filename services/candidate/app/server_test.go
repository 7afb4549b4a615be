package app_test

import (
	"context"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/fieldmaskpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/pkg/grpcserver"
	"vitae.internal/pkg/grpcserver/servertest"
	"vitae.internal/pkg/mtls"
	pkgpostgres "vitae.internal/pkg/postgres"
	"vitae.internal/pkg/presence"
	"vitae.internal/pkg/principal"
	"vitae.internal/pkg/testkit"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
	"vitae.internal/services/candidate/app"
	"vitae.internal/services/candidate/internal/postgres"
)

func TestMain(m *testing.M) { testkit.Main(m) }

const (
	appURL  = "https://vitae.example"
	baseURL = "https://api.vitae.example"
)

// nowhere is the address of an auth service that is down, so audit events stay in the outbox.
const nowhere = "127.0.0.1:1"

var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

// sessionOf returns a person's session token, which signedIn and browserSessions accept.
func sessionOf(personID string) string { return "session of " + personID }

// signedIn resolves the tokens of sessionOf without calling auth.
type signedIn struct{}

func (signedIn) Who(_ context.Context, token string) (string, bool, error) {
	id, ok := strings.CutPrefix(token, sessionOf(""))
	if !ok {
		return "", false, presence.ErrEnded
	}
	return id, false, nil
}

// parts are the names of the service, of its callers and of the services that it calls.
var parts = []string{app.Name, "auth", "partnercatalog", "gateway", "internal", "vitaectl", "cvrender"}

// certificates creates the certificates of a deployment and returns the directory that contains
// them.
func certificates(t testing.TB) string { return servertest.Certificates(t, parts...) }

// database creates a migrated database for the test and returns its URL.
func database(t testing.TB) string {
	t.Helper()
	return testkit.Database(t, "candidate", postgres.Migrate)
}

// newApp starts the service with the certificates in dir and the partnercatalog service at the
// given address.
func newApp(t testing.TB, dir, partnerCatalog string) *app.App {
	t.Helper()
	return newAppOn(t, database(t), dir, partnerCatalog)
}

// newAppOn starts the service on a database that other replicas may also use.
func newAppOn(t testing.TB, database, dir, partnerCatalog string) *app.App {
	t.Helper()
	return newAppBeside(t, database, dir, partnerCatalog, nowhere)
}

// newAppBeside starts the service on a database, with the auth service at the given address.
func newAppBeside(t testing.TB, database, dir, partnerCatalog, auth string) *app.App {
	t.Helper()
	a, err := app.New(t.Context(), app.Config{
		Postgres:           pkgpostgres.Config{URL: database, MaxConns: 8},
		AppURL:             appURL,
		CVRenderAddr:       nowhere,
		PartnerCatalogAddr: partnerCatalog,
		AuthAddr:           auth,
		BaseURL:            baseURL,
		BlobURL:            "file://" + t.TempDir(),
		BlobSigningKeys:    testkit.Ring("blob_signing", "a"),
	}, quiet, servertest.Identity(t, dir, app.Name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = a.Close(context.Background()) })
	return a
}

// running is the service on a loopback port, with clients for it.
type running struct {
	t    testing.TB
	addr string
	dir  string
	me   candidatev1.MeServiceClient
	// internal calls ProfileService as internal teams do. pages calls it as the gateway does.
	internal, pages candidatev1.ProfileServiceClient
	// intake adds applications as internal teams do. employers reads them as the gateway does.
	intake    candidatev1.ApplicationIntakeServiceClient
	employers candidatev1.ApplicationServiceClient
	// catalog is the fake partnercatalog service.
	catalog *catalog
}

// unhurried is a test whose calls have a longer deadline than the default. The largest responses
// take longer on a busy machine, and the test is not about their speed.
type unhurried struct {
	testing.TB
	ctx context.Context //nolint:containedctx // the method returns it
}

func (u unhurried) Context() context.Context { return u.ctx }

func start(t testing.TB) *running {
	t.Helper()
	return startOn(t, database(t))
}

// startOn starts the service on an existing database.
func startOn(t testing.TB, database string) *running {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	t.Cleanup(cancel)
	r := &running{t: unhurried{t, ctx}, dir: certificates(t), catalog: newCatalog()}
	catalogAddr := servertest.Serve(t, r.identity("partnercatalog"), quiet, r.catalog.register)
	a := newAppOn(t, database, r.dir, catalogAddr)
	r.addr = servertest.Serve(t, r.identity(app.Name), quiet, a.Register, grpcserver.WithAudit(a.Audit()), grpcserver.WithSessions(signedIn{}))
	gateway, internal := r.dial("gateway"), r.dial("internal")
	r.me = candidatev1.NewMeServiceClient(gateway)
	r.pages = candidatev1.NewProfileServiceClient(gateway)
	r.internal = candidatev1.NewProfileServiceClient(internal)
	r.intake = candidatev1.NewApplicationIntakeServiceClient(internal)
	r.employers = candidatev1.NewApplicationServiceClient(gateway)
	return r
}

func (r *running) identity(name string) *mtls.Identity { return servertest.Identity(r.t, r.dir, name) }

func (r *running) dial(caller string) *grpc.ClientConn {
	r.t.Helper()
	return servertest.Dial(r.t, r.addr, app.Name, r.identity(caller))
}

var connectedAt = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// consent returns the principal of a user access token with the given scopes.
func consent(personID, cvID string, scopes ...string) *identityv1.Principal {
	return &identityv1.Principal{
		Kind: identityv1.CredentialKind_CREDENTIAL_KIND_ACCESS_TOKEN, AccountId: "dev_1", AppId: "app_1",
		Scopes: scopes, GrantedScopes: []string{"profile", "email", "cv:read"}, ConnectionId: "con_1",
		PersonId: personID, CvId: cvID, ConnectedAt: timestamppb.New(connectedAt), CvLinkUrl: "https://api.example/v1/cv-links/t",
		PhotoUrl: "https://api.example/v1/photos/t",
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

// create adds a profile and returns the stored profile.
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

// bare returns the smallest valid profile that includes a CV.
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
