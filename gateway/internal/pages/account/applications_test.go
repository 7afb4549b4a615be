package account_test

import (
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/gateway/internal/pages/pagestest"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

func TestApplicationsAreListed(t *testing.T) {
	t.Parallel()
	v := pagestest.Visit(t)
	if page := v.Get("/applications"); page.Header.Get("Location") != "/sign-in?return=%2Fapplications" {
		t.Errorf("a signed-out visitor is redirected to %q", page.Header.Get("Location"))
	}
	v.SignIn()
	if page := v.Get("/applications"); !strings.Contains(page.Text(), "You haven’t applied for a job yet.") {
		t.Errorf("page without applications: %s", page.Text())
	}
	v.Backend.Applied = pagestest.ApplicationsOfLayla()
	page := v.Get("/applications")
	for _, want := range []string{
		"Front-end developer", "Noor Digital", "Status: Interview", "Applied on 4 March 2026", "CV sent: Main CV",
		"Interview , 8 March 2026", "Opened in full in the last year: 5", "8 March 2026 Acme Jobs : 2 times , last at 10:00",
		"مهندسة", "An employer that doesn’t show its name", "File sent: cv.pdf", "7 March 2026 The employer’s platform : once , last at 10:00",
	} {
		if !strings.Contains(spaced(page.Text()), spaced(want)) {
			t.Errorf("%q is missing: %s", want, page.Text())
		}
	}
	if !strings.Contains(page.Body, `href="/applications?after=apl_2"`) || strings.Contains(page.Text(), "The newest applications") {
		t.Error("the first page does not link to the next one")
	}
	last := v.Get("/applications?after=apl_2")
	for _, want := range []string{"A job that is no longer available", "Status: Withdrawn", "A file was sent", "Nobody has opened it in full in the last year.", "The newest applications"} {
		if !strings.Contains(spaced(last.Text()), spaced(want)) {
			t.Errorf("%q is missing on the last page: %s", want, last.Text())
		}
	}
	if strings.Contains(last.Text(), "Older applications") {
		t.Error("the last page links to a next one")
	}
	if !strings.Contains(v.Get("/connections").Body, `href="/applications"`) {
		t.Error("no page links to the applications")
	}
	if got := v.Get("/applications?after=" + strings.Repeat("x", 101)); got.StatusCode != 404 {
		t.Errorf("token that is too long: status %d", got.StatusCode)
	}
}

func TestReadsOfApplicationAreFolded(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	a := &candidatev1.OwnApplication{Status: candidatev1.ApplicationStatus_APPLICATION_STATUS_APPLIED}
	for i := range 40 { // two apps per day
		at := pagestest.Now.AddDate(0, 0, -i/2)
		a.Reads = append(a.Reads, &candidatev1.OwnApplicationRead{AppName: "Acme Jobs", Day: at.Format(time.DateOnly), Reads: 1, LastAt: timestamppb.New(at)})
	}
	v.Backend.Applied = map[string]*candidatev1.ListOwnApplicationsResponse{"": {Applications: []*candidatev1.OwnApplication{a}}}
	shown, folded, _ := strings.Cut(v.Get("/applications").Text(), "Earlier days: 17")
	for day, want := range map[string]bool{"9 March 2026": true, "7 March 2026": true, "6 March 2026": false, "18 February 2026": false} {
		if strings.Count(shown, day) > 1 || strings.Contains(shown, day) != want || strings.Contains(folded, day) == want {
			t.Errorf("%s: shown %q, folded %q", day, shown, folded)
		}
	}
}

// spaced removes all spaces, such as those between elements.
func spaced(text string) string { return strings.ReplaceAll(text, " ", "") }

func TestEveryStageHasAName(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	for number := range candidatev1.ApplicationStatus_name {
		if number == 0 {
			continue
		}
		v.Backend.Applied = map[string]*candidatev1.ListOwnApplicationsResponse{"": {Applications: []*candidatev1.OwnApplication{{Status: candidatev1.ApplicationStatus(number)}}}}
		for _, v.Lang = range []string{"en", "ar"} {
			if page := v.Get("/applications"); page.StatusCode != 200 {
				t.Errorf("%v in %s: status %d", candidatev1.ApplicationStatus(number), v.Lang, page.StatusCode)
			}
		}
	}
}
