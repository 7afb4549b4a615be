package pages

import (
	"context"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/timestamppb"

	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

func (b *backend) ListOwnApplications(_ context.Context, req *candidatev1.ListOwnApplicationsRequest, _ ...grpc.CallOption) (*candidatev1.ListOwnApplicationsResponse, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	page := b.applied[req.GetPageToken()]
	if page == nil || !b.sessions[req.GetSessionToken()] {
		page = &candidatev1.ListOwnApplicationsResponse{}
	}
	return page, b.fail
}

func applicationsOfLayla() map[string]*candidatev1.ListOwnApplicationsResponse {
	before := func(days int) *timestamppb.Timestamp { return timestamppb.New(now.AddDate(0, 0, -days)) }
	return map[string]*candidatev1.ListOwnApplicationsResponse{
		"": {NextPageToken: "apl_2", Applications: []*candidatev1.OwnApplication{
			{
				ApplicationId: "apl_1", JobTitle: "Front-end developer", Employer: "Noor Digital", Status: candidatev1.ApplicationStatus_APPLICATION_STATUS_INTERVIEW,
				AppliedAt: before(5), UpdatedAt: before(1), CvTitle: "Main CV",
				StatusHistory: []*candidatev1.StatusChange{
					{Status: candidatev1.ApplicationStatus_APPLICATION_STATUS_APPLIED, At: before(5)}, {Status: candidatev1.ApplicationStatus_APPLICATION_STATUS_INTERVIEW, At: before(1)},
				},
				Reads: []*candidatev1.OwnApplicationRead{
					{AppName: "Acme Jobs", Day: before(1).AsTime().Format(time.DateOnly), Reads: 2, LastAt: before(1)},
					{AppName: "Acme Jobs", Day: before(4).AsTime().Format(time.DateOnly), Reads: 3, LastAt: before(4)},
				},
			},
			{
				ApplicationId: "apl_2", JobTitle: "مهندسة", EmployerMasked: true, Status: candidatev1.ApplicationStatus_APPLICATION_STATUS_APPLIED, AppliedAt: before(9), UpdatedAt: before(9),
				Filename: "cv.pdf", StatusHistory: []*candidatev1.StatusChange{{Status: candidatev1.ApplicationStatus_APPLICATION_STATUS_APPLIED, At: before(9)}},
				Reads: []*candidatev1.OwnApplicationRead{{Day: before(2).AsTime().Format(time.DateOnly), Reads: 1, LastAt: before(2)}},
			},
		}},
		"apl_2": {Applications: []*candidatev1.OwnApplication{{ApplicationId: "apl_3", Status: candidatev1.ApplicationStatus_APPLICATION_STATUS_WITHDRAWN, AppliedAt: before(90), UpdatedAt: before(80)}}},
	}
}

func TestAPersonSeesTheirApplicationsAndWhoLookedAtThem(t *testing.T) {
	t.Parallel()
	v := visit(t, "https://app.vitae.example")
	if page := v.get("/applications"); page.Header.Get("Location") != "/sign-in?return=%2Fapplications" {
		t.Errorf("somebody who is not signed in is sent to %q", page.Header.Get("Location"))
	}
	v.signIn()
	if page := v.get("/applications"); !strings.Contains(page.text(), "You haven’t applied for a job yet.") {
		t.Errorf("without an application: %s", page.text())
	}
	v.backend.applied = applicationsOfLayla()
	page := v.get("/applications")
	for _, want := range []string{
		"Front-end developer", "Noor Digital", "Status: Interview", "Applied on 4 March 2026", "With the CV Main CV , as it was when you applied",
		"Interview , 8 March 2026", "Opened in full in the last year: 5", "8 March 2026 , Acme Jobs : 2 times , last at 10:00",
		"مهندسة", "An employer that doesn’t show its name", "With the file cv.pdf", "7 March 2026 , the employer’s platform : once , last at 10:00",
	} {
		if !strings.Contains(spaced(page.text()), spaced(want)) {
			t.Errorf("does not show %q: %s", want, page.text())
		}
	}
	if !strings.Contains(page.body, `href="/applications?after=apl_2"`) || strings.Contains(page.text(), "The newest applications") {
		t.Error("the first page does not lead on")
	}
	last := v.get("/applications?after=apl_2")
	for _, want := range []string{"A job that is no longer available", "Status: Withdrawn", "With an uploaded file", "Nobody has opened it in full in the last year.", "The newest applications"} {
		if !strings.Contains(spaced(last.text()), spaced(want)) {
			t.Errorf("the last page does not show %q: %s", want, last.text())
		}
	}
	if strings.Contains(last.text(), "Older applications") {
		t.Error("the last page leads on")
	}
	if !strings.Contains(v.get("/connections").body, `href="/applications"`) {
		t.Error("no link leads there")
	}
	if got := v.get("/applications?after=" + strings.Repeat("x", 101)); got.StatusCode != 404 {
		t.Errorf("a token that is too long: %d", got.StatusCode)
	}
}

// spaced leaves out the spaces that stand between the elements of a text.
func spaced(text string) string { return strings.ReplaceAll(text, " ", "") }

func TestEveryStageOfAnApplicationHasAName(t *testing.T) {
	t.Parallel()
	v := visit(t, "https://app.vitae.example")
	v.signIn()
	for number := range candidatev1.ApplicationStatus_name {
		if number == 0 {
			continue
		}
		v.backend.applied = map[string]*candidatev1.ListOwnApplicationsResponse{"": {Applications: []*candidatev1.OwnApplication{{Status: candidatev1.ApplicationStatus(number)}}}}
		for _, v.lang = range []string{"en", "ar"} {
			if page := v.get("/applications"); page.StatusCode != 200 {
				t.Errorf("%v in %s: %d", candidatev1.ApplicationStatus(number), v.lang, page.StatusCode)
			}
		}
	}
}
