package app_test

import (
	"context"
	"net"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"google.golang.org/grpc"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/grpcserver"
	"vitae.internal/pkg/grpcserver/servertest"
	"vitae.internal/pkg/grpcx"
	"vitae.internal/pkg/id"
	pkgpostgres "vitae.internal/pkg/postgres"
	"vitae.internal/pkg/testkit"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	"vitae.internal/services/candidate/app"
	"vitae.internal/services/candidate/internal/postgres"
)

// keeper is a fake of the auth service's audit log.
type keeper struct {
	authv1.UnimplementedAuditServiceServer

	mu   sync.Mutex
	kept []*authv1.AuditEvent
	// fails is the number of calls that fail after they have stored their events.
	fails int
}

func (k *keeper) RecordEvents(_ context.Context, req *authv1.RecordEventsRequest) (*authv1.RecordEventsResponse, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.kept = append(k.kept, req.GetEvents()...)
	if k.fails > 0 {
		k.fails--
		return nil, errs.New(errs.Unavailable, "SERVICE_UNAVAILABLE", "The response is lost.")
	}
	return &authv1.RecordEventsResponse{}, nil
}

// once returns the events without duplicates, in the order in which they first arrived.
func (k *keeper) once() (events []*authv1.AuditEvent) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, e := range k.kept {
		if !slices.ContainsFunc(events, func(other *authv1.AuditEvent) bool { return other.GetId() == e.GetId() }) {
			events = append(events, e)
		}
	}
	return events
}

// audited runs the service with two Postgres roles and an auth service that is down until revive is
// called.
type audited struct {
	*running
	keeper   *keeper
	database pkgpostgres.Config
	authAddr string
	owner    *pgx.Conn
}

func startAudited(t *testing.T) *audited {
	t.Helper()
	a := &audited{keeper: &keeper{}, database: testkit.OwnedDatabase(t, "candidate in two roles", postgres.Prepare)}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	a.authAddr = l.Addr().String()
	_ = l.Close()
	dir := servertest.Certificates(t, append(slices.Clone(parts), "auth")...)
	catalog := newCatalog()
	service, err := app.New(t.Context(), app.Config{
		Postgres: a.database, AppURL: appURL, BaseURL: baseURL, BlobURL: "file://" + t.TempDir(), AuthAddr: a.authAddr,
		CVRenderAddr:       nowhere,
		PartnerCatalogAddr: servertest.Serve(t, servertest.Identity(t, dir, "partnercatalog"), quiet, catalog.register),
		BlobSigningKeys:    testkit.Ring("blob_signing", "a"),
	}, quiet, servertest.Identity(t, dir, app.Name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = service.Close(context.Background()) })
	a.running = &running{t: t, dir: dir, catalog: catalog}
	a.addr = servertest.Serve(t, servertest.Identity(t, dir, app.Name), quiet, service.Register, grpcserver.WithAudit(service.Audit()), grpcserver.WithSessions(signedIn{}))
	a.internal = candidatev1.NewProfileServiceClient(a.dial("internal"))
	a.pages = candidatev1.NewProfileServiceClient(a.dial("gateway"))
	if a.owner, err = pgx.Connect(t.Context(), a.database.MigrationURL); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = a.owner.Close(context.Background()) })
	return a
}

// revive starts auth.
func (a *audited) revive() {
	a.t.Helper()
	server, err := grpcserver.New(servertest.Identity(a.t, a.dir, "auth"), quiet, func(r grpc.ServiceRegistrar) {
		authv1.RegisterAuditServiceServer(r, a.keeper)
	})
	if err != nil {
		a.t.Fatal(err)
	}
	l, err := net.Listen("tcp", a.authAddr)
	if err != nil {
		a.t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(l) }()
	a.t.Cleanup(func() {
		server.Stop(context.Background())
		<-served
	})
}

func (a *audited) waiting() (events int) {
	a.t.Helper()
	if err := a.owner.QueryRow(context.Background(), "SELECT count(*) FROM audit_outbox").Scan(&events); err != nil {
		a.t.Fatal(err)
	}
	return events
}

func (a *audited) eventually(what string, done func() bool) {
	a.t.Helper()
	for deadline := time.Now().Add(time.Minute); !done(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			a.t.Fatalf("timed out waiting for %s", what)
		}
	}
}

// Internal callers' reads and changes of a profile are recorded even while the auth service is
// down.
func TestAuditEventsSurviveAuthOutage(t *testing.T) {
	t.Parallel()
	a := startAudited(t)
	request := id.New("req")
	ctx := grpcx.WithRequestID(t.Context(), request)
	person := id.New("usr")
	profile := &candidatev1.Profile{PersonId: person, Email: "a@example.com", Name: "Layla", Username: "layla", ProfilePublic: true}
	steps := []struct {
		action string
		do     func() error
	}{
		{"profile.create", func() error {
			_, err := a.internal.CreateProfile(ctx, &candidatev1.CreateProfileRequest{Profile: profile})
			return err
		}},
		{"profile.read", func() error {
			_, err := a.internal.GetProfile(ctx, &candidatev1.GetProfileRequest{By: &candidatev1.GetProfileRequest_Username{Username: "layla"}})
			return err
		}},
		{"cv.list", func() error {
			_, err := a.internal.ListCvs(ctx, &candidatev1.ListCvsRequest{PersonId: person})
			return err
		}},
		{"profile.create", func() error {
			_, err := a.internal.CreateProfile(ctx, &candidatev1.CreateProfileRequest{Profile: profile})
			if !errs.HasCode(err, "PROFILE_EXISTS") {
				return err
			}
			return nil
		}},
	}
	for _, step := range steps {
		if err := step.do(); err != nil {
			t.Fatalf("%s: %v", step.action, err)
		}
	}
	if _, err := a.pages.GetPublicProfile(ctx, &candidatev1.GetPublicProfileRequest{Username: "layla"}); err != nil {
		t.Fatal(err)
	}
	if n := a.waiting(); n != len(steps) {
		t.Fatalf("%d events are waiting, want %d; the gateway's read needs none", n, len(steps))
	}
	a.keeper.fails = 1 // the response to the first call is lost, so all events are sent again
	a.revive()
	a.eventually("the outbox to become empty", func() bool { return a.waiting() == 0 })
	got := a.keeper.once()
	if len(got) != len(steps) {
		t.Fatalf("%d events arrived, want %d", len(got), len(steps))
	}
	for i, e := range got {
		if e.GetAction() != steps[i].action || e.GetPersonId() != person || e.GetRequestId() != request || e.GetClientAddress() != "127.0.0.1" ||
			e.GetActor().GetKind() != authv1.ActorKind_ACTOR_KIND_SERVICE || e.GetActor().GetCaller() != "internal" {
			t.Errorf("event %d: %v", i, e)
		}
	}
	if last := got[len(got)-1]; last.GetErrorCode() != "PROFILE_EXISTS" || last.GetOutcome() != authv1.AuditOutcome_AUDIT_OUTCOME_REFUSED {
		t.Errorf("the event of the rejected call is %v", last)
	}
	if len(a.keeper.kept) < 2*len(steps) {
		t.Error("no event was sent twice, so the test has not covered retries")
	}
}

func TestNothingChangesWithoutAuditEvent(t *testing.T) {
	t.Parallel()
	a := startAudited(t)
	person := a.create(&candidatev1.Profile{PersonId: id.New("usr"), Email: "a@example.com", Name: "Layla"})
	cv := a.createCv(person.GetPersonId(), "One", &candidatev1.CvContent{})
	if _, err := a.owner.Exec(t.Context(), "ALTER TABLE audit_outbox RENAME TO elsewhere"); err != nil {
		t.Fatal(err)
	}
	fingerprint := func() (hash string) {
		t.Helper()
		if err := a.owner.QueryRow(t.Context(), `SELECT md5(string_agg(t, E'\n' ORDER BY t)) FROM (
			SELECT p::text AS t FROM profiles p UNION ALL SELECT c::text FROM cvs c) rows`).Scan(&hash); err != nil {
			t.Fatal(err)
		}
		return hash
	}
	before := fingerprint()
	ctx := t.Context()
	title := "Two"
	for name, do := range map[string]func() error{
		"create profile": func() error {
			_, err := a.internal.CreateProfile(ctx, &candidatev1.CreateProfileRequest{Profile: &candidatev1.Profile{PersonId: id.New("usr"), Email: "b@example.com", Name: "B"}})
			return err
		},
		"read profile": func() error {
			_, err := a.internal.GetProfile(ctx, &candidatev1.GetProfileRequest{By: &candidatev1.GetProfileRequest_PersonId{PersonId: person.GetPersonId()}})
			return err
		},
		"create CV": func() error {
			_, err := a.internal.CreateCv(ctx, &candidatev1.CreateCvRequest{PersonId: person.GetPersonId(), Title: "Two", Content: &candidatev1.CvContent{}})
			return err
		},
		"update CV": func() error {
			_, err := a.internal.UpdateCv(ctx, &candidatev1.UpdateCvRequest{Id: cv.GetId(), Title: &title})
			return err
		},
		"delete CV": func() error {
			_, err := a.internal.DeleteCv(ctx, &candidatev1.DeleteCvRequest{Id: cv.GetId()})
			return err
		},
	} {
		if err := do(); err == nil {
			t.Errorf("%s succeeded without an audit event", name)
		}
		if after := fingerprint(); after != before {
			t.Fatalf("%s changed something without an audit event", name)
		}
	}
}
