package app_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/grpcserver"
	"vitae.internal/pkg/grpcserver/servertest"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
	"vitae.internal/services/candidate/app"
)

// readLog is a fake of the auth service that knows which apps have read applications.
type readLog struct {
	authv1.UnimplementedApplicationReadServiceServer
	reads     []*authv1.ApplicationRead
	requested []string
}

func (l *readLog) ListApplicationReads(_ context.Context, req *authv1.ListApplicationReadsRequest) (*authv1.ListApplicationReadsResponse, error) {
	l.requested = req.GetApplicationIds()
	resp := &authv1.ListApplicationReadsResponse{}
	for _, r := range l.reads {
		if slices.Contains(l.requested, r.GetApplicationId()) {
			resp.Reads = append(resp.Reads, proto.CloneOf(r))
		}
	}
	return resp, nil
}

func (c *catalog) ListJobHeadings(_ context.Context, req *partnercatalogv1.ListJobHeadingsRequest) (*partnercatalogv1.ListJobHeadingsResponse, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	resp := &partnercatalogv1.ListJobHeadingsResponse{}
	for _, id := range req.GetJobIds() {
		if p, ok := c.postings[id]; ok {
			resp.Headings = append(resp.Headings, &partnercatalogv1.JobHeading{
				JobId: id, Title: "Title of " + id, Employer: "Employer of " + id, Masked: p.GetConfidential().GetEnabled(),
			})
		}
	}
	return resp, nil
}

// startWithReadLog starts the service with a readLog in place of the auth service.
func startWithReadLog(t *testing.T) (*running, *readLog) {
	t.Helper()
	r := &running{t: t, dir: certificates(t), catalog: newCatalog()}
	l := &readLog{}
	authAddr := servertest.Serve(t, r.identity("auth"), quiet, func(s grpc.ServiceRegistrar) { authv1.RegisterApplicationReadServiceServer(s, l) })
	a := newAppBeside(t, database(t), r.dir, servertest.Serve(t, r.identity("partnercatalog"), quiet, r.catalog.register), authAddr)
	r.addr = servertest.Serve(t, r.identity(app.Name), quiet, a.Register, grpcserver.WithAudit(a.Audit()), grpcserver.WithSessions(signedIn{}))
	r.internal = candidatev1.NewProfileServiceClient(r.dial("internal"))
	r.intake = candidatev1.NewApplicationIntakeServiceClient(r.dial("internal"))
	return r, l
}

func (r *running) own(personID, token string) (*candidatev1.ListOwnApplicationsResponse, error) {
	return candidatev1.NewApplicantServiceClient(r.dial("gateway")).ListOwnApplications(r.t.Context(), &candidatev1.ListOwnApplicationsRequest{SessionToken: sessionOf(personID), PageToken: token})
}

func (r *running) mustOwn(personID, token string) *candidatev1.ListOwnApplicationsResponse {
	r.t.Helper()
	resp, err := r.own(personID, token)
	if err != nil {
		r.t.Fatal(err)
	}
	return resp
}

func TestOwnApplicationsShowReaders(t *testing.T) {
	t.Parallel()
	r, l := startWithReadLog(t)
	r.create(full("usr_1"))
	r.create(bare("usr_2"))
	r.catalog.post("job_1", "app_1", questions...)
	r.catalog.post("job_2", "app_1", questions...).Confidential = &partnercatalogv1.Confidentiality{Enabled: true}
	first := r.apply(request("job_1", "usr_1"))
	second := r.apply(request("job_2", "usr_1"))
	r.apply(request("job_1", "usr_2"))
	if _, err := r.intake.RejectApplication(t.Context(), &candidatev1.RejectApplicationRequest{ApplicationId: first.GetApplicationId()}); err != nil {
		t.Fatal(err)
	}
	at := timestamppb.New(time.Date(2026, 3, 9, 10, 0, 0, 0, time.UTC))
	for _, id := range []string{first.GetApplicationId(), second.GetApplicationId()} {
		l.reads = append(l.reads,
			&authv1.ApplicationRead{ApplicationId: id, AppName: "Acme", Day: "2026-03-09", Reads: 3, LastAt: at},
			&authv1.ApplicationRead{ApplicationId: id, AppName: "Acme", Day: "2026-03-07", Reads: 1, LastAt: at})
	}
	got := r.mustOwn("usr_1", "").GetApplications()
	if len(got) != 2 || !slices.Equal(l.requested, []string{second.GetApplicationId(), first.GetApplicationId()}) {
		t.Fatalf("got %v; reads were requested for %v", got, l.requested)
	}
	reads := func(app string) []*candidatev1.OwnApplicationRead {
		return []*candidatev1.OwnApplicationRead{{AppName: app, Day: "2026-03-09", Reads: 3, LastAt: at}, {AppName: app, Day: "2026-03-07", Reads: 1, LastAt: at}}
	}
	equal(t, "the application to a masked employer", got[0], &candidatev1.OwnApplication{
		ApplicationId: second.GetApplicationId(), JobTitle: "Title of job_2", Employer: "Employer of job_2", EmployerMasked: true,
		Status: candidatev1.ApplicationStatus_APPLICATION_STATUS_APPLIED, AppliedAt: second.GetAppliedAt(), UpdatedAt: second.GetUpdatedAt(),
		StatusHistory: second.GetStatusHistory(), CvTitle: "Main CV", Reads: reads(""),
	})
	moved := got[1]
	if moved.GetStatus() != candidatev1.ApplicationStatus_APPLICATION_STATUS_REJECTED || len(moved.GetStatusHistory()) != 2 || moved.GetEmployer() != "Employer of job_1" {
		t.Errorf("the rejected application is %v", moved)
	}
	equal(t, "reads", &candidatev1.OwnApplication{Reads: moved.GetReads()}, &candidatev1.OwnApplication{Reads: reads("Acme")})
	if other := r.mustOwn("usr_2", "").GetApplications(); len(other) != 1 || len(other[0].GetReads()) != 0 {
		t.Errorf("the other person's applications are %v", other)
	}
}

func TestOwnApplicationPagesAreComplete(t *testing.T) {
	t.Parallel()
	r, _ := startWithReadLog(t)
	r.create(full("usr_1"))
	r.create(bare("usr_2"))
	var want []string
	for i := range 53 {
		job := fmt.Sprintf("job_%02d", i)
		r.catalog.post(job, "app_1", questions...)
		req := request(job, "usr_1")
		req.AppliedAt = timestamppb.New(time.Date(2026, 1, 1, i/3, 0, 0, 0, time.UTC)) // some have the same time
		want = append(want, r.apply(req).GetApplicationId())
	}
	var seen []string
	token, pages := "", 0
	for more := true; more; more = token != "" {
		page := r.mustOwn("usr_1", token)
		for _, a := range page.GetApplications() {
			seen = append(seen, a.GetApplicationId())
		}
		token, pages = page.GetNextPageToken(), pages+1
	}
	slices.Reverse(seen)
	if pages != 3 || !slices.Equal(seen, want) {
		t.Errorf("%d pages: %v, want %v", pages, seen, want)
	}
	for _, person := range []string{"usr_2", "usr_none", "usr\x00"} {
		if page := r.mustOwn(person, want[10]); len(page.GetApplications()) != 0 || page.GetNextPageToken() != "" {
			t.Errorf("%q sees %v", person, page)
		}
	}
}

func TestOwnApplicationsNeedAuth(t *testing.T) {
	t.Parallel()
	r := start(t) // auth is down
	r.create(full("usr_1"))
	if page := r.mustOwn("usr_1", ""); len(page.GetApplications()) != 0 {
		t.Errorf("a person without applications gets %v", page)
	}
	r.catalog.post("job_1", "app_1", questions...)
	r.apply(request("job_1", "usr_1"))
	if _, err := r.own("usr_1", ""); errs.KindOf(err) != errs.Unavailable {
		t.Errorf("auth is down, but the error is %v", err)
	}
}
