package account

import (
	"net/http"
	"time"

	"vitae.internal/gateway/internal/pages/shell"
	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/vocabulary"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

const (
	// applicationsPath is the path of the page that lists the person's applications.
	applicationsPath = "/applications"
	// maxAfter is the maximum length of a page token in bytes.
	maxAfter = 100
)

// mainCVTitle is the title that every main CV has in the API. The pages translate it.
const mainCVTitle = "Main CV"

// applicationStatuses maps the stages to words, which are the last parts of their message keys.
var applicationStatuses = vocabulary.New[candidatev1.ApplicationStatus]()

// applicationPages serves the pages that list the person's own job applications
// (behaviour: applications#what-the-applicant-sees).
type applicationPages struct {
	*shell.Shell
	applicants candidatev1.ApplicantServiceClient
}

type applicationsView struct {
	Applications []applicationView
	// Next is the token of the next page, or "" on the last page. Later reports whether this is not the first
	// page.
	Next  string
	Later bool
}

// applicationView is an application in the list.
type applicationView struct {
	// Title is "" if the job no longer exists. Employer is "" if it is unknown, or hidden because Masked is
	// set.
	Title, Employer string
	Masked          bool
	// Status is a message key.
	Status    string
	AppliedAt time.Time
	// CV is the title of the submitted CV, and File is the name of the submitted file. MainCV reports whether
	// it was the main CV, for which the page shows a translated title.
	CV, File string
	MainCV   bool
	History  []applicationStep
	// Total is the number of reads. Newest and Earlier are the days on which reads took place.
	Total           int64
	Newest, Earlier []applicationDay
}

// applicationStep is a stage that an application has reached.
type applicationStep struct {
	Status string
	At     time.Time
}

// newestDays is the number of days that are shown unfolded.
const newestDays = 3

// applicationDay is a day on which apps have read an application.
type applicationDay struct {
	Day   time.Time
	Reads []applicationRead
}

// applicationRead is the number of reads by one app on one day.
type applicationRead struct {
	// App is the name of the app, or "" if the app is not named.
	App    string
	LastAt time.Time
	Count  int64
}

// list shows a page of the person's applications.
func (p applicationPages) list(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	after := r.URL.Query().Get(afterField)
	if len(after) > maxAfter {
		return web.NotFound()
	}
	resp, err := p.applicants.ListOwnApplications(r.Context(), &candidatev1.ListOwnApplicationsRequest{SessionToken: who.Token, PageToken: after})
	if err != nil {
		return err
	}
	view := applicationsView{Next: resp.GetNextPageToken(), Later: after != ""}
	for _, a := range resp.GetApplications() {
		shown, err := viewApplication(a)
		if err != nil {
			return err
		}
		view.Applications = append(view.Applications, shown)
	}
	return p.Show(w, r, who, http.StatusOK, "applications", web.View{Data: view}, "applications.title")
}

func viewApplication(a *candidatev1.OwnApplication) (applicationView, error) {
	view := applicationView{
		Title: a.GetJobTitle(), Employer: a.GetEmployer(), Masked: a.GetEmployerMasked(), Status: statusKey(a.GetStatus()),
		AppliedAt: a.GetAppliedAt().AsTime(), CV: a.GetCvTitle(), MainCV: a.GetCvTitle() == mainCVTitle, File: a.GetFilename(),
	}
	for _, step := range a.GetStatusHistory() {
		view.History = append(view.History, applicationStep{statusKey(step.GetStatus()), step.GetAt().AsTime()})
	}
	var days []applicationDay
	for _, read := range a.GetReads() { // the newest day comes first
		day, err := time.Parse(time.DateOnly, read.GetDay())
		if err != nil {
			return view, err
		}
		view.Total += read.GetReads()
		if n := len(days); n == 0 || !days[n-1].Day.Equal(day) {
			days = append(days, applicationDay{Day: day})
		}
		last := &days[len(days)-1]
		last.Reads = append(last.Reads, applicationRead{App: read.GetAppName(), LastAt: read.GetLastAt().AsTime(), Count: read.GetReads()})
	}
	newest := min(newestDays, len(days))
	view.Newest, view.Earlier = days[:newest], days[newest:]
	return view, nil
}

// statusKey returns the message key for the name of a stage.
func statusKey(s candidatev1.ApplicationStatus) string {
	return "applications.status." + applicationStatuses.Word(s)
}
