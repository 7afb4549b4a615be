package application_test

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/errs"
	"vitae.internal/services/candidate/internal/application"
)

// desk is a fake Store, Catalog (with one job) and Counted. It records the calls that it receives.
type desk struct {
	posting              application.Posting
	from                 application.Status
	stored               application.New
	moved                time.Time
	filter               application.Filter
	page                 application.Page
	calls                []string
	woken                int
	catalogErr, storeErr error
}

func (d *desk) Wake() { d.woken++ }

func (d *desk) Posting(_ context.Context, jobID string) (application.Posting, error) {
	d.calls = append(d.calls, "posting "+jobID)
	return d.posting, d.catalogErr
}

func (d *desk) AppOf(_ context.Context, jobID string) (string, error) {
	d.calls = append(d.calls, "app of "+jobID)
	return d.posting.AppID, d.catalogErr
}

func (d *desk) Apply(_ context.Context, n application.New) (application.Row, error) {
	d.calls, d.stored = append(d.calls, "apply"), n
	return application.Row{Application: n.Application}, d.storeErr
}

func (d *desk) Move(_ context.Context, id string, to application.Status, at time.Time, allowed func(application.Status) error) (application.Row, error) {
	d.calls, d.moved = append(d.calls, "move "+id), at
	if err := allowed(d.from); err != nil {
		return application.Row{}, err
	}
	return application.Row{Application: application.Application{ID: id, Status: to}}, d.storeErr
}

func (d *desk) List(_ context.Context, f application.Filter, p application.Page) (application.List, error) {
	d.calls, d.filter, d.page = append(d.calls, "list"), f, p
	return application.List{Total: 7}, d.storeErr
}

// now has a higher precision than an application's time.
var now = start.Add(123*time.Millisecond + 456*time.Microsecond)

func at(t *testing.T, d *desk) *application.Service {
	t.Helper()
	s, err := application.NewService(application.Config{Store: d, Catalog: d, Counted: d, Clock: clock.NewFake(now)})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func live() *desk {
	return &desk{posting: application.Posting{JobID: "job_1", CompanyID: "com_1", AppID: "app_1", Live: true, Questions: questions}}
}

func request() application.Request {
	return application.Request{
		JobID: "job_1", PersonID: "usr_1", Submission: application.Submission{CvID: "master"}, CoverLetter: "Dear all",
		Answers: []application.AnswerInput{give("q_short", "s"), give("q_yes", true)}, Source: application.SourcePublicPage,
	}
}

func TestApplicationContainsJobAndTime(t *testing.T) {
	d := live()
	if _, err := at(t, d).Apply(t.Context(), request()); err != nil {
		t.Fatal(err)
	}
	cut := start.Add(123 * time.Millisecond)
	got := d.stored
	if !strings.HasPrefix(got.ID, "apl_") {
		t.Errorf("the application's id is %q", got.ID)
	}
	got.ID = ""
	want := application.New{
		Application: application.Application{
			JobID: "job_1", CompanyID: "com_1", AppID: "app_1", PersonID: "usr_1", Status: application.Applied, AppliedAt: cut, UpdatedAt: cut,
			Source: application.SourcePublicPage, History: []application.Change{{Status: application.Applied, At: cut}},
			Answers: []application.Answer{{QuestionID: "q_yes", Type: application.YesNo, Value: true}, {QuestionID: "q_short", Type: application.ShortAnswer, Value: "s"}},
		},
		Submission: application.Submission{CvID: "master"}, CoverLetter: "Dear all",
	}
	if !reflect.DeepEqual(got, want) || d.woken != 1 || !slices.Equal(d.calls, []string{"posting job_1", "apply"}) {
		t.Errorf("got  %+v\nwant %+v\nwoken %d times, calls %q", got, want, d.woken, d.calls)
	}
	earlier := request()
	earlier.AppliedAt = now.Add(-time.Hour).In(time.FixedZone("", 4*3600))
	if _, err := at(t, d).Apply(t.Context(), earlier); err != nil || d.stored.AppliedAt != cut.Add(-time.Hour) {
		t.Errorf("an application dated one hour ago: %v, %v", d.stored.AppliedAt, err)
	}
	earlier.AppliedAt = now
	if _, err := at(t, d).Apply(t.Context(), earlier); err != nil || d.stored.AppliedAt != cut {
		t.Errorf("an application dated now: %v, %v", d.stored.AppliedAt, err)
	}
}

func TestRejectedApplicationIsNotStored(t *testing.T) {
	down := errors.New("down")
	for name, c := range map[string]struct {
		spoil func(*desk, *application.Request)
		want  func(error) bool
		calls int
	}{
		"an invalid request":     {func(_ *desk, r *application.Request) { r.CvID = "\x00" }, func(err error) bool { return errs.KindOf(err) == errs.Invalid }, 0},
		"an unknown job":         {func(d *desk, _ *application.Request) { d.catalogErr = application.ErrJobNotFound }, func(err error) bool { return errors.Is(err, application.ErrJobNotFound) }, 1},
		"a job that is not live": {func(d *desk, _ *application.Request) { d.posting.Live = false }, func(err error) bool { return errors.Is(err, application.ErrJobNotLive) }, 1},
		"a missing answer":       {func(_ *desk, r *application.Request) { r.Answers = nil }, func(err error) bool { return errs.KindOf(err) == errs.Invalid }, 1},
		"a failing store":        {func(d *desk, _ *application.Request) { d.storeErr = down }, func(err error) bool { return errors.Is(err, down) }, 2},
	} {
		d, r := live(), request()
		c.spoil(d, &r)
		if row, err := at(t, d).Apply(t.Context(), r); !c.want(err) || len(d.calls) != c.calls || d.woken != 0 || row.ID != "" {
			t.Errorf("%s: %+v, %v; calls %q, woken %d times", name, row, err, d.calls, d.woken)
		}
	}
}

func TestListIsOnlyForManagingApp(t *testing.T) {
	ask := func(d *desk, appID string, f application.Filter) (application.List, error) {
		return at(t, d).ForJob(t.Context(), application.ListRequest{AppID: appID, Filter: f, Page: application.Page{Offset: 3, Size: 9}})
	}
	sara := application.Filter{JobID: "job_1", Status: application.Offered, Query: " SÁRA "}
	d := live()
	got, err := ask(d, "app_1", sara)
	if want := (application.Filter{JobID: "job_1", Status: application.Offered, Query: "sara"}); err != nil || got.Total != 7 || d.filter != want || d.page != (application.Page{Offset: 3, Size: 9}) {
		t.Errorf("the list is %+v, %v; the store received %+v, %+v", got, err, d.filter, d.page)
	}
	d = live()
	if got, err := ask(d, "app_2", sara); !errors.Is(err, application.ErrNotManaged) || got.Total != 0 || len(d.calls) != 1 {
		t.Errorf("a different app: %+v, %v", got, err)
	}
	d = live()
	d.catalogErr = application.ErrJobNotFound
	if got, err := ask(d, "app_1", sara); !errors.Is(err, application.ErrJobNotFound) || got.Total != 0 || len(d.calls) != 1 {
		t.Errorf("unknown job: %+v, %v", got, err)
	}
	d = live()
	if _, err := ask(d, "app_1", application.Filter{JobID: "job\x00"}); !errors.Is(err, application.ErrJobNotFound) || len(d.calls) != 0 {
		t.Errorf("invalid id: %v, calls %q", err, d.calls)
	}
	d = live()
	if _, err := ask(d, "app_1", application.Filter{JobID: "job_1", Query: strings.Repeat("ع", 200)}); err != nil {
		t.Errorf("the longest query: %v", err)
	}
	d.storeErr = errors.New("down")
	if _, err := ask(d, "app_1", sara); !errors.Is(err, d.storeErr) {
		t.Errorf("a failing store: %v", err)
	}
}

func TestAdvanceChecksTransition(t *testing.T) {
	const id = "apl_00000000000000000000000000"
	d := &desk{from: application.Reviewed}
	s := at(t, d)
	advance := func(ctx context.Context, id string) (application.Row, error) {
		return s.Advance(ctx, id, application.Interview)
	}
	for want, move := range map[application.Status]func(context.Context, string) (application.Row, error){
		application.Interview: advance, application.Rejected: s.Reject, application.Withdrawn: s.Withdraw,
	} {
		d.from = application.Reviewed
		if row, err := move(t.Context(), id); err != nil || row.Status != want || row.ID != id || !d.moved.Equal(now) {
			t.Errorf("%s: %+v, %v at %v", want, row, err, d.moved)
		}
		d.from = application.Withdrawn
		_, err := move(t.Context(), id)
		if e, ok := errs.As(err); !ok || e.Code != "APPLICATION_TRANSITION_INVALID" || e.Message != "An application that is withdrawn cannot become "+string(want)+"." {
			t.Errorf("%s after a final stage: %v", want, err)
		}
	}
}

func TestFoldMapsAllDigits(t *testing.T) {
	for first, script := range map[rune]string{
		'0': "Latin", '٠': "Arabic", '۰': "Persian", '߀': "N'Ko", '०': "Devanagari", '๐': "Thai", '០': "Khmer", '᠐': "Mongolian", '꘠': "Vai", '０': "full width",
		0x104A0: "Osmanya", 0x11066: "Brahmi", 0x11C50: "Bhaiksuki", 0x1E950: "Adlam", 0x1D7CE: "bold", 0x1D7F6: "monospace",
	} {
		var all []rune
		for i := range rune(10) {
			all = append(all, first+i)
		}
		if got := application.Fold(string(all)); got != "0123456789" {
			t.Errorf("%s: %q", script, got)
		}
	}
}
