package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/errs"
	"vitae.internal/services/partnercatalog/internal/company"
	"vitae.internal/services/partnercatalog/internal/job"
	"vitae.internal/services/partnercatalog/internal/postgres"
)

// office runs the use cases for the jobs of one company, which app_1 manages.
type office struct {
	*testing.T
	*job.Service
	store   *postgres.Store
	pool    *pgxpool.Pool
	clock   *clock.Fake
	company string
}

func openOffice(t *testing.T) *office {
	t.Helper()
	s, pool := open(t)
	clk := clock.NewFake(start)
	jobs, err := job.NewService(job.Config{Store: s, Clock: clk})
	if err != nil {
		t.Fatal(err)
	}
	return &office{T: t, Service: jobs, store: s, pool: pool, clock: clk, company: add(t, s, employer("app_1", "acme")).ID}
}

// bare returns a draft with only the required fields.
func bare() job.Input {
	return job.Input{
		Basics:       &job.Basics{WorkMode: job.Remote, Employment: "contract", Seniority: "entry"},
		Content:      &job.Content{},
		Distribution: "hidden",
	}
}

// role returns a minimal job that may be published.
func role(title string) job.Input {
	in := bare()
	in.Basics.Title = title
	in.Content = &job.Content{Summary: "S", Responsibilities: []string{"R"}, Requirements: []string{"Q"}}
	return in
}

// full returns a job with every field set.
func full() job.Input {
	return job.Input{
		Basics: &job.Basics{
			Title: "Engineer «مهندس»", Department: "Research", Country: "UAE", City: "Dubai", WorkMode: "hybrid", Employment: "full_time", Seniority: "lead",
		},
		Content: &job.Content{
			Summary: " S\n", Responsibilities: []string{"R", `"{},\`}, Requirements: []string{"Q"}, NiceToHave: []string{"N", ""}, Benefits: []string{"B"},
		},
		Compensation: &job.Compensation{Min: ptr(0.1), Max: ptr(1e12), Currency: "AED", Period: "yearly", Visible: true},
		Eligibility:  &job.Eligibility{CandidateLocation: "uae", ExperienceYears: "1_plus", Language: "arabic", WorkEligibility: "eligible"},
		Programme:    &job.WorkforceProgramme{Value: "gcc", Note: "Note", Acknowledged: true},
		Questions: []job.Question{
			{ID: "q\"1", Prompt: "Why?", Type: "long_answer", Required: true, Order: ptr[int32](0), Source: "custom", DefaultKey: "education"},
			{ID: "q2", Prompt: "Which?", Type: job.MultipleChoice, Options: []string{"This", "أو ذاك"}},
		},
		Distribution: "company_page_only",
		Confidential: &job.Confidentiality{Enabled: false, PublicLabel: "Label"},
	}
}

func (o *office) create(saveAs, key string, in job.Input) job.Created {
	o.Helper()
	created, err := o.Create(o.Context(), job.New{AppID: "app_1", CompanyID: o.company, Key: job.Key(key), SaveAs: saveAs, Input: in})
	if err != nil {
		o.Fatal(err)
	}
	return created
}

func (o *office) job(id string) job.Job {
	o.Helper()
	found, err := o.Job(o.Context(), "app_1", id)
	if err != nil {
		o.Fatal(err)
	}
	return found
}

func (o *office) count(sql string, args ...any) (n int) {
	o.Helper()
	if err := o.pool.QueryRow(o.Context(), sql, args...).Scan(&n); err != nil {
		o.Fatal(err)
	}
	return n
}

func TestJobRoundTrip(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	masked := full()
	masked.Confidential.Enabled = true
	for saveAs, in := range map[string]job.Input{"draft": full(), "live": full(), "": masked} {
		want := o.create(saveAs, "", in).Job
		if got := o.job(want.ID); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: got %+v\nwant %+v", saveAs, got, want)
		}
	}
	made := o.create("draft", "", bare()).Job
	o.clock.Advance(time.Hour)
	want, err := o.Update(t.Context(), "app_1", made.ID, full(), []job.Section{
		"basics", "content", "compensation", "eligibility", "workforce_programme", "questions", "distribution", "confidential",
	})
	if got := o.job(made.ID); err != nil || !reflect.DeepEqual(got, want) || !got.UpdatedAt.Equal(o.clock.Now()) {
		t.Errorf("edited: %v, got %+v\nwant %+v", err, got, want)
	}
	posting, err := o.Posting(t.Context(), made.ID)
	if err != nil || posting.AppID != "app_1" || !reflect.DeepEqual(posting.Job, want) {
		t.Errorf("posting: %+v, %v", posting, err)
	}
	least := o.job(o.create("", "", bare()).Job.ID)
	if least.Compensation != nil || least.Eligibility != nil || least.Programme != nil || least.Confidential != nil || len(least.Questions) != 0 || least.PostedAt != nil {
		t.Errorf("a job with only required fields was read as %+v", least)
	}
}

func TestStoredCurrencyIsReadInUpperCase(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	made := o.create("draft", "", full()).Job
	if _, err := o.pool.Exec(t.Context(), "UPDATE jobs SET salary_currency = 'usd' WHERE id = $1", made.ID); err != nil {
		t.Fatal(err)
	}
	if got := o.job(made.ID).Salary(); got == nil || got.Currency != "USD" {
		t.Errorf("Salary returned %+v, want currency USD", got)
	}
}

func TestOnlyOwningAppCanAccessJob(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	made := o.job(o.create("live", "k", role("Engineer")).Job.ID)
	ctx := t.Context()
	for name, err := range map[string]error{
		"read": func() error { _, err := o.Job(ctx, "app_2", made.ID); return err }(),
		"edit": func() error {
			_, err := o.Update(ctx, "app_2", made.ID, role("X"), []job.Section{"basics"})
			return err
		}(),
		"publish": func() error { _, err := o.Publish(ctx, "app_2", made.ID); return err }(),
		"close":   func() error { _, err := o.Close(ctx, "app_2", made.ID); return err }(),
		"archive": func() error { _, err := o.Archive(ctx, "app_2", made.ID); return err }(),
		"list": func() error {
			_, err := o.List(ctx, job.Query{AppID: "app_2", CompanyID: o.company, Size: 1})
			return err
		}(),
		"list of an unknown company": func() error {
			_, err := o.List(ctx, job.Query{AppID: "app_1", CompanyID: "com_\x00", Size: 1})
			return err
		}(),
	} {
		if !errors.Is(err, company.ErrNotManaged) {
			t.Errorf("%s: %v, want ErrNotManaged", name, err)
		}
	}
	broken := role("")
	for name, n := range map[string]job.New{
		"draft":          {AppID: "app_2", CompanyID: o.company, Input: role("X")},
		"replay":         {AppID: "app_2", CompanyID: o.company, Input: role("X"), Key: "k"},
		"invalid":        {AppID: "app_2", CompanyID: o.company, Input: broken, SaveAs: "live"},
		"invalid replay": {AppID: "app_2", CompanyID: o.company, Input: broken, SaveAs: "live", Key: "k"},
		"no company":     {AppID: "app_1", CompanyID: "com_unknown", Input: role("X")},
		"NUL":            {AppID: "app_1", CompanyID: "com_\x00", Input: role("X")},
	} {
		if _, err := o.Create(ctx, n); !errors.Is(err, company.ErrNotManaged) {
			t.Errorf("create, %s: %v, want ErrNotManaged", name, err)
		}
	}
	for _, id := range []string{"", "job_unknown", "job_\x00"} {
		_, read := o.Job(ctx, "app_1", id)
		_, posting := o.Posting(ctx, id)
		_, owner := o.Owner(ctx, id)
		_, edit := o.Update(ctx, "app_1", id, role("X"), []job.Section{"basics"})
		_, closed := o.Close(ctx, "app_1", id)
		for _, err := range []error{read, posting, owner, edit, closed} {
			if !errors.Is(err, job.ErrNotFound) {
				t.Errorf("job id %q: %v, want ErrNotFound", id, err)
			}
		}
	}
	if got := o.job(made.ID); !reflect.DeepEqual(got, made) || o.count("SELECT count(*) FROM jobs") != 1 {
		t.Errorf("rejected calls changed the job to %+v", got)
	}
}

func TestConcurrentKeyCreatesOneJob(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	other := add(t, o.store, employer("app_1", "other")).ID
	for _, employer := range []string{o.company, other} {
		var made atomic.Int32
		var ids sync.Map
		var wg sync.WaitGroup
		for i := range 100 {
			wg.Go(func() {
				created, err := o.Create(context.Background(), job.New{
					AppID: "app_1", CompanyID: employer, Key: "same", SaveAs: "live", Input: role(fmt.Sprint("Attempt ", i)),
				})
				if err != nil {
					t.Error(err)
					return
				}
				ids.Store(created.Job.ID, true)
				if !created.Replayed {
					made.Add(1)
				}
			})
		}
		wg.Wait()
		n := 0
		ids.Range(func(any, any) bool { n++; return true })
		if n != 1 || made.Load() != 1 || o.count("SELECT count(*) FROM jobs WHERE company_id = $1", employer) != 1 {
			t.Errorf("100 attempts: %d ids in responses, %d responses report a new job, %d rows", n, made.Load(), o.count("SELECT count(*) FROM jobs"))
		}
	}
	if n := o.count("SELECT count(*) FROM jobs"); n != 2 {
		t.Errorf("%d jobs for the same key in two companies, want 2", n)
	}
}

func TestRepeatedKeyReturnsCurrentJob(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	made := o.create("live", "k", role("First")).Job
	closed, err := o.Close(t.Context(), "app_1", made.ID)
	if err != nil {
		t.Fatal(err)
	}
	broken := role("")
	for name, attempt := range map[string]func() job.Created{
		"same content":                func() job.Created { return o.create("live", "k", role("First")) },
		"different content":           func() job.Created { return o.create("draft", "k", full()) },
		"content that cannot be live": func() job.Created { return o.create("live", "k", broken) },
	} {
		if got := attempt(); !got.Replayed || !reflect.DeepEqual(got.Job, closed) {
			t.Errorf("%s: %+v", name, got)
		}
	}
	invalid := role("First")
	invalid.Basics.Seniority = "?"
	if got, err := o.Create(t.Context(), job.New{AppID: "app_1", CompanyID: o.company, Key: "k", SaveAs: "live", Input: invalid}); errs.KindOf(err) != errs.Invalid || got.Replayed {
		t.Errorf("with an invalid value: %+v, %v", got, err)
	}
	if got := o.create("draft", "K", role("Other")); got.Replayed {
		t.Error("keys are compared without regard to case")
	}
}

func TestRejectedCreatePinsNoKey(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	for field, in := range map[string]job.Input{"basics.title": role(""), "distribution": {Basics: bare().Basics, Content: &job.Content{}}} {
		_, err := o.Create(t.Context(), job.New{AppID: "app_1", CompanyID: o.company, Key: "k", SaveAs: "live", Input: in})
		if e, ok := errs.As(err); !ok || e.Field() != field {
			t.Errorf("%s: %v", field, err)
		}
	}
	if got := o.create("live", "k", role("Engineer")); got.Replayed || got.Job.Status != job.Active {
		t.Errorf("a rejected attempt pinned the key: %+v", got)
	}
}

func TestKeysExpireAfterThirtyDays(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	clean := func() {
		t.Helper()
		if err := job.CleanUpJob(o.store, o.clock).Round(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	old := o.create("draft", "old", role("Old")).Job
	if _, err := o.pool.Exec(t.Context(), `INSERT INTO job_keys SELECT $1, 'bulk-' || n, $2, $3 FROM generate_series(1, 2500) n`,
		o.company, old.ID, start); err != nil {
		t.Fatal(err)
	}
	o.clock.Advance(24 * time.Hour)
	o.create("draft", "new", role("New"))
	o.clock.Advance(29 * 24 * time.Hour)
	clean()
	if got := o.create("draft", "old", role("Old")); !got.Replayed || got.Job.ID != old.ID {
		t.Errorf("after exactly 30 days, the key is gone: %+v", got)
	}
	o.clock.Advance(24*time.Hour + time.Second)
	clean()
	if n := o.count("SELECT count(*) FROM job_keys"); n != 1 {
		t.Errorf("%d keys left, want the new one", n)
	}
	if got := o.create("draft", "old", role("Old")); got.Replayed || got.Job.ID == old.ID {
		t.Errorf("the expired key still returns %+v", got)
	}
	o.job(old.ID)
}
