package postgres_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"vitae.internal/pkg/errs"
	"vitae.internal/services/partnercatalog/internal/job"
)

// modelJob is the expected state of a job.
type modelJob struct {
	id           string
	status       job.Status
	title        string
	masked       bool
	distribution job.Distribution
	// wanted is the distribution requested last.
	wanted       job.Distribution
	posted       *time.Time
	created      time.Time
	updated      time.Time
	applications int32
}

// machine applies each action twice: through the use cases to the database, and to a model of the
// rules in memory (behaviour: jobs#job-states).
type machine struct {
	*office
	jobs []*modelJob
	keys map[string]*modelJob
}

// TestJobsFollowStateTable compares the results of random sequences of actions with the model.
func TestJobsFollowStateTable(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	stories := 0
	rapid.Check(t, func(rt *rapid.T) {
		stories++
		story := *o
		story.company = add(t, o.store, employer("app_1", fmt.Sprint("story-", stories))).ID
		m := &machine{office: &story, keys: map[string]*modelJob{}}
		rt.Repeat(map[string]func(*rapid.T){
			"create": m.create, "edit": m.edit, "move": m.move, "count": m.count, "list": m.list, "": m.checkJob,
			"wait": func(rt *rapid.T) {
				m.clock.Advance(time.Duration(rapid.IntRange(0, 1<<32).Draw(rt, "wait")) * time.Microsecond)
			},
		})
	})
	o.countsAreExact()
}

func (m *machine) now() time.Time { return m.clock.Now().Truncate(time.Millisecond) }

// title draws a random title. It may be blank, in which case the job must not be published.
func title(rt *rapid.T) string {
	return rapid.SampledFrom([]string{"Engineer", "Pilot", " "}).Draw(rt, "title")
}

var anyDistribution = rapid.SampledFrom(job.Distributions)

func (m *machine) create(rt *rapid.T) {
	live, key := rapid.Bool().Draw(rt, "live"), rapid.SampledFrom([]string{"", "a", "b"}).Draw(rt, "key")
	want := &modelJob{
		title: strings.TrimSpace(title(rt)), masked: rapid.Bool().Draw(rt, "masked"), wanted: anyDistribution.Draw(rt, "distribution"),
		status: job.Draft, created: m.now(), updated: m.now(),
	}
	in := role(want.title)
	in.Distribution, in.Confidential = want.wanted, &job.Confidentiality{Enabled: want.masked}
	n := job.New{AppID: "app_1", CompanyID: m.company, Key: job.Key(key), Input: in}
	if live {
		n.SaveAs, want.status, want.posted = "live", job.Active, &want.created
	}
	got, err := m.Create(m.Context(), n)
	if first := m.keys[key]; first != nil {
		if err != nil || !got.Replayed || got.Job.ID != first.id {
			rt.Fatalf("create with a repeated key: %+v, %v", got, err)
		}
		return
	}
	if live && want.title == "" {
		broken(rt, err, "basics.title")
		return
	}
	if err != nil || got.Replayed {
		rt.Fatalf("create: %+v, %v", got, err)
	}
	want.id = got.Job.ID
	want.list()
	m.jobs = append(m.jobs, want)
	if key != "" {
		m.keys[key] = want
	}
}

// list applies the rule for confidential jobs.
func (j *modelJob) list() {
	if j.distribution = j.wanted; j.masked {
		j.distribution = job.TabbioOnly
	}
}

func (j *modelJob) touch(now time.Time) {
	if least := j.updated.Add(time.Millisecond); now.Before(least) {
		now = least
	}
	j.updated = now
}

// anyJob draws a random job. It skips the action if there are no jobs.
func (m *machine) anyJob(rt *rapid.T) *modelJob {
	if len(m.jobs) == 0 {
		rt.Skip("no job yet")
	}
	return rapid.SampledFrom(m.jobs).Draw(rt, "job")
}

func broken(rt *rapid.T, err error, field string) {
	if e, ok := errs.As(err); !ok || e.Kind != errs.Precondition || e.Field() != field {
		rt.Fatalf("got %v, want a precondition error for %s", err, field)
	}
}

func (m *machine) edit(rt *rapid.T) {
	want := m.anyJob(rt)
	next := *want
	in, sections := job.Input{}, []job.Section{}
	if rapid.Bool().Draw(rt, "edit title") {
		in, sections = role(title(rt)), append(sections, job.SectionBasics)
		next.title = strings.TrimSpace(in.Basics.Title)
	}
	if rapid.Bool().Draw(rt, "edit distribution") {
		in.Distribution, sections = anyDistribution.Draw(rt, "distribution"), append(sections, job.SectionDistribution)
		next.wanted = in.Distribution
	}
	if rapid.Bool().Draw(rt, "edit confidentiality") {
		next.masked = rapid.Bool().Draw(rt, "masked")
		in.Confidential, sections = &job.Confidentiality{Enabled: next.masked}, append(sections, job.SectionConfidential)
	}
	_, err := m.Update(m.Context(), "app_1", want.id, in, sections)
	switch {
	case want.status == job.Archived:
		broken(rt, err, "status")
	case want.status == job.Active && next.title == "":
		broken(rt, err, "basics.title")
	case err != nil:
		rt.Fatal(err)
	case len(sections) > 0:
		next.list()
		next.touch(m.now())
		*want = next
	}
}

// table maps each move and current status to the next status.
var table = map[string]map[job.Status]job.Status{
	"publish": {job.Draft: job.Active, job.Closed: job.Active},
	"close":   {job.Active: job.Closed},
	"archive": {job.Draft: job.Archived, job.Closed: job.Archived},
}

func (m *machine) move(rt *rapid.T) {
	want := m.anyJob(rt)
	name := rapid.SampledFrom([]string{"publish", "close", "archive"}).Draw(rt, "move")
	use := map[string]func() error{
		"publish": func() error { _, err := m.Publish(m.Context(), "app_1", want.id); return err },
		"close":   func() error { _, err := m.Close(m.Context(), "app_1", want.id); return err },
		"archive": func() error { _, err := m.Archive(m.Context(), "app_1", want.id); return err },
	}
	err := use[name]()
	to, allowed := table[name][want.status]
	switch {
	case !allowed:
		broken(rt, err, "status")
	case to == job.Active && want.title == "":
		broken(rt, err, "basics.title")
	case err != nil:
		rt.Fatal(err)
	default:
		want.status = to
		want.touch(m.now())
		if to == job.Active && want.posted == nil {
			want.posted = ptr(want.updated)
		}
	}
}

func (m *machine) count(rt *rapid.T) {
	want, n := m.anyJob(rt), rapid.Int32Range(0, 20).Draw(rt, "applications")
	if err := m.RecordApplications(m.Context(), map[string]int32{want.id: n}); err != nil {
		rt.Fatal(err)
	}
	want.applications = max(want.applications, n)
}

func (m *machine) list(rt *rapid.T) {
	status := rapid.SampledFrom([]*job.Status{nil, ptr(job.Draft), ptr(job.Active), ptr(job.Closed), ptr(job.Archived)}).Draw(rt, "status")
	size, page := rapid.IntRange(1, 5).Draw(rt, "size"), rapid.IntRange(0, 3).Draw(rt, "page")
	var want []*modelJob
	for _, j := range m.jobs {
		if status == nil && j.status != job.Archived || status != nil && j.status == *status {
			want = append(want, j)
		}
	}
	slices.SortFunc(want, func(a, b *modelJob) int { return cmp.Or(b.created.Compare(a.created), cmp.Compare(b.id, a.id)) })
	got, err := m.List(m.Context(), job.Query{AppID: "app_1", CompanyID: m.company, Status: status, Skip: int64(page * size), Size: int32(size)})
	if err != nil || int(got.Total) != len(want) {
		rt.Fatalf("list: %d of %d, %v", got.Total, len(want), err)
	}
	want = want[min(page*size, len(want)):min((page+1)*size, len(want))]
	if !slices.EqualFunc(got.Jobs, want, func(g job.Job, w *modelJob) bool { return g.ID == w.id }) {
		rt.Fatalf("page %d of size %d: %v", page, size, ids(got.Jobs))
	}
}

// checkJob compares a random job with its model. It runs after each action.
func (m *machine) checkJob(rt *rapid.T) {
	if len(m.jobs) == 0 {
		return
	}
	want := rapid.SampledFrom(m.jobs).Draw(rt, "compared")
	found, err := m.Job(m.Context(), "app_1", want.id)
	if err != nil {
		rt.Fatal(err)
	}
	got := modelJob{
		id: found.ID, status: found.Status, title: found.Basics.Title, masked: found.Confidential.Enabled, distribution: found.Distribution,
		wanted: want.wanted, posted: want.posted, created: found.CreatedAt, updated: found.UpdatedAt, applications: found.Applications,
	}
	posted := found.PostedAt == nil && want.posted == nil || found.PostedAt != nil && want.posted != nil && found.PostedAt.Equal(*want.posted)
	if got != *want || !posted {
		rt.Fatalf("got  %+v, posted %v\nwant %+v, posted %v", got, found.PostedAt, *want, want.posted)
	}
}
