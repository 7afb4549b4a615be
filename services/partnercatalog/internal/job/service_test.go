package job

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/errs"
	"vitae.internal/services/partnercatalog/internal/company"
)

// desk is a store with one job. It notes what it is asked.
type desk struct {
	job    Job
	pinned *Job
	asked  []string
	key    Key
	query  Query
	counts map[string]int32
	err    error
}

func (d *desk) note(words ...string) { d.asked = append(d.asked, strings.Join(words, " ")) }

func (d *desk) CreateJob(_ context.Context, appID string, j Job, key Key) (Created, error) {
	d.note("create", appID, j.CompanyID)
	d.job, d.key = j, key
	return Created{Job: j}, d.err
}

func (d *desk) PinnedJob(_ context.Context, appID, companyID string, key Key) (*Job, error) {
	d.note("pinned", appID, companyID, string(key))
	return d.pinned, d.err
}

func (d *desk) Job(_ context.Context, appID, jobID string) (Job, error) {
	d.note("job", appID, jobID)
	return d.job, d.err
}

func (d *desk) Headings(context.Context, []string) ([]Heading, error) { return nil, nil }

func (d *desk) Posting(_ context.Context, jobID string) (Posting, error) {
	d.note("posting", jobID)
	return Posting{Job: d.job, AppID: "app_1"}, d.err
}

func (d *desk) Owner(_ context.Context, jobID string) (Owner, error) {
	d.note("owner", jobID)
	return Owner{CompanyID: d.job.CompanyID, AppID: "app_1"}, d.err
}

func (d *desk) Jobs(_ context.Context, q Query) (Page, error) {
	d.note("jobs", q.AppID, q.CompanyID)
	d.query = q
	return Page{Jobs: []Job{d.job}, Total: 1}, d.err
}

func (d *desk) change(change func(*Job) error) (Job, error) {
	if err := change(&d.job); err != nil {
		return Job{}, err
	}
	return d.job, d.err
}

func (d *desk) EditJob(_ context.Context, appID, jobID string, change func(*Job) error) (Job, error) {
	d.note("edit", appID, jobID)
	return d.change(change)
}

func (d *desk) MoveJob(_ context.Context, appID, jobID string, change func(*Job) error) (Job, error) {
	d.note("move", appID, jobID)
	return d.change(change)
}

func (d *desk) RecordApplications(_ context.Context, counts map[string]int32) error {
	d.note("record")
	d.counts = counts
	return d.err
}

func serviceOn(t *testing.T, d *desk) *Service {
	t.Helper()
	s, err := NewService(Config{Store: d, Clock: clock.NewFake(start.Add(time.Hour))})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// asks checks what a store was asked.
func asks(t *testing.T, d *desk, want ...string) {
	t.Helper()
	if !slices.Equal(d.asked, want) {
		t.Errorf("asked %q, want %q", d.asked, want)
	}
	d.asked = nil
}

func TestAJobIsReadAndMovedForItsApp(t *testing.T) {
	later := start.Add(time.Hour)
	d := &desk{job: in(Draft)}
	s := serviceOn(t, d)
	if j, err := s.Job(t.Context(), "app_1", "job_1"); err != nil || j.ID != "job_1" {
		t.Errorf("%+v, %v", j, err)
	}
	if p, err := s.Posting(t.Context(), "job_1"); err != nil || p.AppID != "app_1" || p.Job.ID != "job_1" {
		t.Errorf("%+v, %v", p, err)
	}
	if o, err := s.Owner(t.Context(), "job_1"); err != nil || o.AppID != "app_1" {
		t.Errorf("%+v, %v", o, err)
	}
	asks(t, d, "job app_1 job_1", "posting job_1", "owner job_1")
	for _, step := range []struct {
		move func(context.Context, string, string) (Job, error)
		want Status
	}{{s.Publish, Active}, {s.Close, Closed}, {s.Archive, Archived}} {
		later = later.Add(time.Millisecond)
		j, err := step.move(t.Context(), "app_1", "job_1")
		if err != nil || j.Status != step.want || j.UpdatedAt.Before(start.Add(time.Hour)) || j.UpdatedAt.After(later) {
			t.Errorf("%s: %+v, %v", step.want, j, err)
		}
		asks(t, d, "move app_1 job_1")
	}
	if _, err := s.Publish(t.Context(), "app_1", "job_1"); !errors.Is(err, ErrArchived) {
		t.Errorf("got %v", err)
	}
}

func TestAnEditIsTidiedAndCheckedBeforeTheJobIsAskedFor(t *testing.T) {
	d := &desk{job: in(Active)}
	s := serviceOn(t, d)
	edit := Input{Basics: &Basics{Title: " T ", WorkMode: Remote, Employment: "contract", Seniority: "lead"}}
	j, err := s.Update(t.Context(), "app_1", "job_1", edit, []Section{SectionBasics})
	if err != nil || j.Basics.Title != "T" || !j.UpdatedAt.Equal(start.Add(time.Hour)) {
		t.Errorf("%+v, %v", j, err)
	}
	asks(t, d, "edit app_1 job_1")
	edit.Basics.Seniority = "?"
	_, err = s.Update(t.Context(), "app_1", "job_1", edit, []Section{SectionBasics})
	wants(t, "a fault of the shape", err, errs.Invalid, "basics.seniority")
	asks(t, d)
	edit.Basics.Seniority, edit.Basics.Title = "lead", " "
	_, err = s.Update(t.Context(), "app_1", "job_1", edit, []Section{SectionBasics})
	wants(t, "a fault of the contract", err, errs.Precondition, "basics.title")
}

// Postgres holds no NUL, so such an id is nobody's.
func TestAnIDThatCannotBeStoredIsNotFoundWithoutAsking(t *testing.T) {
	d := &desk{job: in(Draft)}
	s := serviceOn(t, d)
	const bad = "job\x00"
	read := func(_ Job, err error) error { return err }
	for name, err := range map[string]error{
		"job":     read(s.Job(t.Context(), "app_1", bad)),
		"publish": read(s.Publish(t.Context(), "app_1", bad)), "close": read(s.Close(t.Context(), "app_1", bad)), "archive": read(s.Archive(t.Context(), "app_1", bad)),
		"update":  read(s.Update(t.Context(), "app_1", bad, Input{Distribution: "hidden"}, []Section{SectionDistribution})),
		"posting": func() error { _, err := s.Posting(t.Context(), bad); return err }(),
		"owner":   func() error { _, err := s.Owner(t.Context(), bad); return err }(),
	} {
		if !errors.Is(err, ErrNotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := s.List(t.Context(), Query{AppID: "app_1", CompanyID: bad}); !errors.Is(err, company.ErrNotManaged) {
		t.Errorf("list: %v", err)
	}
	if _, err := s.Create(t.Context(), New{AppID: "app_1", CompanyID: bad, Input: complete()}); !errors.Is(err, company.ErrNotManaged) {
		t.Errorf("create: %v", err)
	}
	broken := complete()
	broken.Basics.Title = ""
	if _, err := s.Create(t.Context(), New{AppID: "app_1", CompanyID: bad, SaveAs: "live", Input: broken}); !errors.Is(err, company.ErrNotManaged) {
		t.Errorf("create a broken one: %v", err)
	}
	asks(t, d)
}

func TestANewJobIsStoredWithItsKeyAndARepeatIsAnsweredFromWhatIsThere(t *testing.T) {
	d := &desk{}
	s := serviceOn(t, d)
	sound := New{AppID: "app_1", CompanyID: "com_1", Key: "k", SaveAs: "live", Input: complete()}
	got, err := s.Create(t.Context(), sound)
	if err != nil || got.Replayed || got.Job.Status != Active || !strings.HasPrefix(got.Job.ID, "job_") || got.Job.CompanyID != "com_1" || d.key != "k" || !got.Job.CreatedAt.Equal(start.Add(time.Hour)) {
		t.Errorf("%+v, %v; key %q", got, err, d.key)
	}
	asks(t, d, "create app_1 com_1")
	sound.SaveAs = ""
	if got, err := s.Create(t.Context(), sound); err != nil || got.Job.Status != Draft {
		t.Errorf("%+v, %v", got, err)
	}
	asks(t, d, "create app_1 com_1")

	broken := sound
	broken.SaveAs, broken.Input = "live", complete()
	broken.Input.Basics.Title = ""
	_, err = s.Create(t.Context(), broken)
	wants(t, "the first time", err, errs.Precondition, "basics.title")
	asks(t, d, "pinned app_1 com_1 k")
	there := in(Active)
	d.pinned = &there
	if got, err := s.Create(t.Context(), broken); err != nil || !got.Replayed || got.Job.ID != "job_1" {
		t.Errorf("%+v, %v", got, err)
	}
	d.err = errors.New("down")
	if got, err := s.Create(t.Context(), broken); !errors.Is(err, d.err) || got.Replayed || got.Job.ID != "" {
		t.Errorf("%+v, %v", got, err)
	}
	d.asked = nil
	broken.Input.Basics.Seniority = "?"
	_, err = s.Create(t.Context(), broken)
	wants(t, "a fault of the shape", err, errs.Invalid, "basics.seniority")
	asks(t, d)
}

func TestAListHasTheJobsOfAStatusOrAllButTheArchivedOnes(t *testing.T) {
	d := &desk{job: in(Draft)}
	s := serviceOn(t, d)
	if page, err := s.List(t.Context(), Query{AppID: "app_1", CompanyID: "com_1", Skip: 7, Size: 9}); err != nil || page.Total != 1 || d.query.Skip != 7 || d.query.Size != 9 {
		t.Errorf("%+v, %v", page, err)
	}
	if got := d.query.Statuses(); !slices.Equal(got, []Status{Draft, Active, Closed}) {
		t.Errorf("all are %v", got)
	}
	for _, status := range Statuses {
		if _, err := s.List(t.Context(), Query{CompanyID: "com_1", Status: &status}); err != nil || !slices.Equal(d.query.Statuses(), []Status{status}) {
			t.Errorf("%s: %v, %v", status, d.query.Statuses(), err)
		}
	}
	d.asked = nil
	for _, status := range []Status{"", "live"} {
		_, err := s.List(t.Context(), Query{CompanyID: "com_1", Status: &status})
		wants(t, string(status), err, errs.Invalid, "status")
	}
	asks(t, d)
}

func TestCountsOfIDsThatCannotBeStoredAreLeftOut(t *testing.T) {
	d := &desk{}
	sent := map[string]int32{"job_1": 3, "job\x00": 4, "job_2": 0}
	if err := serviceOn(t, d).RecordApplications(t.Context(), sent); err != nil || !reflect.DeepEqual(d.counts, map[string]int32{"job_1": 3, "job_2": 0}) {
		t.Errorf("%v, %v", d.counts, err)
	}
	d.err = errors.New("down")
	if err := serviceOn(t, d).RecordApplications(t.Context(), nil); !errors.Is(err, d.err) {
		t.Errorf("got %v", err)
	}
}

// keys are old keys, in batches.
type keys struct {
	batches []int64
	before  []time.Time
	atMost  int32
	err     error
}

func (k *keys) DeleteKeys(_ context.Context, before time.Time, atMost int32) (int64, error) {
	k.before, k.atMost = append(k.before, before), atMost
	if len(k.batches) == 0 {
		return 0, k.err
	}
	n := k.batches[0]
	k.batches = k.batches[1:]
	return n, nil
}

// Thirty days are promised (behaviour: jobs#idempotency-key).
func TestKeysAreForgottenAfterThirtyOneDaysBatchByBatch(t *testing.T) {
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	for name, c := range map[string]struct {
		batches []int64
		err     error
		asked   int
	}{
		"none": {nil, nil, 1}, "few": {[]int64{999}, nil, 1}, "many": {[]int64{1000, 1000, 5}, nil, 3}, "just a batch": {[]int64{1000}, nil, 2},
		"a fault": {[]int64{1000}, errors.New("down"), 2},
	} {
		k := &keys{batches: c.batches, err: c.err}
		job, err := NewCleanUpJob(CleanUpConfig{Store: k, Clock: clock.NewFake(start), Log: log})
		if err != nil || job.Every != 10*time.Minute {
			t.Fatal(job.Every, err)
		}
		if err := job.Round(t.Context()); !errors.Is(err, c.err) || len(k.before) != c.asked || k.atMost != 1000 {
			t.Errorf("%s: %v, asked %d times for %d", name, err, len(k.before), k.atMost)
		}
		for _, before := range k.before {
			if !before.Equal(start.Add(-31 * 24 * time.Hour)) {
				t.Errorf("%s: those before %v", name, before)
			}
		}
	}
	for _, c := range []CleanUpConfig{{Clock: clock.NewFake(start), Log: log}, {Store: &keys{}, Log: log}, {Store: &keys{}, Clock: clock.NewFake(start)}} {
		if _, err := NewCleanUpJob(c); err == nil {
			t.Errorf("made of %+v", c)
		}
	}
}

func TestAServiceNeedsAStoreAndAClock(t *testing.T) {
	for _, c := range []Config{{Store: &desk{}}, {Clock: clock.NewFake(start)}} {
		if _, err := NewService(c); err == nil {
			t.Errorf("made of %+v", c)
		}
	}
}
