package app_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"google.golang.org/grpc"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/grpcserver"
	"vitae.internal/pkg/grpcserver/servertest"
	"vitae.internal/pkg/id"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	"vitae.internal/services/candidate/app"
)

// signUps is a fake of the auth service's list of new profiles.
type signUps struct {
	authv1.UnimplementedSignUpServiceServer
	mu      sync.Mutex
	waiting []*authv1.NewProfile
	// dropped, if not nil, receives a value after each removal.
	dropped chan struct{}
}

func (s *signUps) add(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiting = append(s.waiting, &authv1.NewProfile{
		Person: &authv1.Person{Id: id, Email: id + "@example.com", EmailVerified: true, Language: "ar"}, Name: "Noor Saleh",
	})
}

func (s *signUps) ListNewProfiles(_ context.Context, req *authv1.ListNewProfilesRequest) (*authv1.ListNewProfilesResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return &authv1.ListNewProfilesResponse{Profiles: slices.DeleteFunc(slices.Clone(s.waiting), func(p *authv1.NewProfile) bool {
		return req.GetPersonId() != "" && p.GetPerson().GetId() != req.GetPersonId()
	})}, nil
}

func (s *signUps) DropNewProfile(_ context.Context, req *authv1.DropNewProfileRequest) (*authv1.DropNewProfileResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiting = slices.DeleteFunc(s.waiting, func(p *authv1.NewProfile) bool { return p.GetPerson().GetId() == req.GetPersonId() })
	if s.dropped != nil {
		s.dropped <- struct{}{}
	}
	return &authv1.DropNewProfileResponse{}, nil
}

func (s *signUps) left() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.waiting)
}

// startSigningUp starts the service with a fake auth service that lists new profiles.
func startSigningUp(t *testing.T, url string, s *signUps) *running {
	t.Helper()
	r := &running{t: t, dir: certificates(t)}
	auth := servertest.Serve(t, r.identity("auth"), quiet, func(reg grpc.ServiceRegistrar) { authv1.RegisterSignUpServiceServer(reg, s) })
	a := newAppBeside(t, url, r.dir, nowhere, auth)
	r.addr = servertest.Serve(t, r.identity(app.Name), quiet, a.Register, grpcserver.WithAudit(a.Audit()), grpcserver.WithSessions(signedIn{}))
	r.pages, r.internal = candidatev1.NewProfileServiceClient(r.dial("gateway")), candidatev1.NewProfileServiceClient(r.dial("internal"))
	return r
}

func (r *running) wantNewProfile(id string) error {
	resp, err := r.internal.GetProfile(r.t.Context(), &candidatev1.GetProfileRequest{By: &candidatev1.GetProfileRequest_PersonId{PersonId: id}})
	p := resp.GetProfile()
	if err == nil && (p.GetName() != "Noor Saleh" || p.GetEmail() != id+"@example.com" || !p.GetEmailVerified() || p.GetLocale() != "ar") {
		err = errors.New(p.String())
	}
	return err
}

func TestOwnProfileIsCreatedImmediately(t *testing.T) {
	t.Parallel()
	auth := &signUps{}
	r := startSigningUp(t, database(t), auth)
	auth.add("usr_1")
	for _, session := range []string{"usr_1", "usr_1", "usr_other"} { // also covers a repeated call, and one for which there is no new profile
		if _, err := r.pages.CreateOwnProfile(t.Context(), &candidatev1.CreateOwnProfileRequest{SessionToken: sessionOf(session)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.wantNewProfile("usr_1"); err != nil || auth.left() != 0 {
		t.Errorf("error %v, %d new profiles are left", err, auth.left())
	}
	if err := r.wantNewProfile("usr_other"); !errs.HasCode(err, "PROFILE_NOT_FOUND") {
		t.Errorf("a person who has not signed up: %v", err)
	}
}

// Nobody has requested these profiles. One of them is already stored, but the auth service has not
// been notified.
func TestJobCreatesRemainingProfiles(t *testing.T) {
	t.Parallel()
	person := id.New("usr")
	auth, url := &signUps{dropped: make(chan struct{}, 10)}, database(t)
	startSigningUp(t, url, &signUps{}).create(bare("usr_stored"))
	auth.add("usr_stored")
	auth.add(person)
	r := startSigningUp(t, url, auth) // the job runs immediately
	for auth.left() > 0 {
		<-auth.dropped
	}
	if err := r.wantNewProfile(person); err != nil {
		t.Error(err)
	}
	db, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close(context.Background())
	var event struct{ PersonID, Kind, Caller string }
	err = db.QueryRow(t.Context(), `SELECT event ->> 'person_id', event -> 'actor' ->> 'kind', event ->> 'caller' FROM audit_outbox
		WHERE event ->> 'action' = 'profile.create' AND event -> 'object' ->> 'id' = $1`, person).Scan(&event.PersonID, &event.Kind, &event.Caller)
	if err != nil || event.PersonID != person || event.Kind != "service" || event.Caller != app.Name {
		t.Errorf("the audit event is %+v, %v", event, err)
	}
}
