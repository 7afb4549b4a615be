package partnerapi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"

	"pgregory.net/rapid"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/world"
)

// modelJob is the model of one job.
type modelJob struct {
	id     string
	status string
	// sound is true if the job keeps the publish contract.
	sound bool
	// shown is the job in the last answer.
	shown map[string]any
}

// jobMachine changes the jobs of one company, at both replicas, and compares them with a
// model of their states (behaviour: jobs#job-states).
type jobMachine struct {
	ctx     context.Context
	edges   []partner.Employer
	company string
	jobs    []*modelJob // oldest first
}

var (
	soundBasics = world.Draft()["basics"]
	brokenTitle = noTitle(world.Draft())["basics"]
)

func (m *jobMachine) edge(t *rapid.T) partner.Employer {
	return rapid.SampledFrom(m.edges).Draw(t, "edge")
}

// pick is a job to act on. It creates one if there is none.
func (m *jobMachine) pick(t *rapid.T) *modelJob {
	for len(m.jobs) == 0 {
		m.create(t) // creates none if it draws a live job that breaks the contract
	}
	return rapid.SampledFrom(m.jobs).Draw(t, "job")
}

func (m *jobMachine) create(t *rapid.T) {
	live, sound := rapid.Bool().Draw(t, "live"), rapid.Bool().Draw(t, "sound")
	body, status := world.Draft(), "draft"
	if live {
		body, status = world.Live(), "active"
	}
	if !sound {
		body = noTitle(body)
	}
	a, err := m.edge(t).CreateJob(m.ctx, m.company, body)
	if live && !sound {
		m.refused(t, a, err)
		return
	}
	job := &modelJob{status: status, sound: sound}
	job.shown = m.answered(t, a, err, http.StatusCreated)
	job.id, _ = job.shown["id"].(string)
	if (job.shown["postedAt"] != nil) != live || job.shown["status"] != status {
		t.Fatalf("created %v", job.shown)
	}
	m.jobs = append(m.jobs, job)
}

func (m *jobMachine) patch(t *rapid.T) {
	job, sound := m.pick(t), rapid.Bool().Draw(t, "sound")
	body := world.Fields{"basics": soundBasics}
	if !sound {
		body["basics"] = brokenTitle
	}
	a, err := m.edge(t).PatchJob(m.ctx, job.id, body)
	if job.status == "archived" || (job.status == "active" && !sound) {
		m.refused(t, a, err)
		return
	}
	job.sound = sound
	m.moved(t, job, job.status, m.answered(t, a, err, http.StatusOK))
}

func (m *jobMachine) publish(t *rapid.T) {
	m.act(t, "publish", "active", func(j *modelJob) bool {
		return j.sound && (j.status == "draft" || j.status == "closed")
	})
}

func (m *jobMachine) close(t *rapid.T) {
	m.act(t, "close", "closed", func(j *modelJob) bool { return j.status == "active" })
}

func (m *jobMachine) archive(t *rapid.T) {
	m.act(t, "archive", "archived", func(j *modelJob) bool { return j.status == "draft" || j.status == "closed" })
}

func (m *jobMachine) act(t *rapid.T, action, to string, allowed func(*modelJob) bool) {
	job := m.pick(t)
	a, err := m.edge(t).Move(m.ctx, job.id, action)
	if !allowed(job) {
		m.refused(t, a, err)
		return
	}
	m.moved(t, job, to, m.answered(t, a, err, http.StatusOK))
}

// moved takes the answer of a change into the model, and asserts its timestamps.
func (m *jobMachine) moved(t *rapid.T, job *modelJob, to string, shown map[string]any) {
	before := job.shown
	if shown["status"] != to || shown["id"] != job.id || shown["createdAt"] != before["createdAt"] {
		t.Fatalf("%v became %v, want status %s", before, shown, to)
	}
	was, is := fmt.Sprint(before["updatedAt"]), fmt.Sprint(shown["updatedAt"])
	if expect.Timestamp(shown["updatedAt"]) != nil || is < was {
		t.Fatalf("updatedAt went from %s to %s", was, is)
	}
	if posted := before["postedAt"]; posted != nil && shown["postedAt"] != posted {
		t.Fatalf("postedAt went from %v to %v", posted, shown["postedAt"])
	}
	if (before["postedAt"] != nil || to == "active") != (shown["postedAt"] != nil) {
		t.Fatalf("postedAt is %v in status %s", shown["postedAt"], to)
	}
	job.status, job.shown = to, shown
}

func (m *jobMachine) answered(t *rapid.T, a partner.Answer, err error, status int) map[string]any {
	if err != nil || a.Status != status {
		t.Fatalf("%s %v, want status %d", a, err, status)
	}
	body, err := a.JSON()
	if err != nil {
		t.Fatal(err)
	}
	data, _ := body["data"].(map[string]any)
	return data
}

func (m *jobMachine) refused(t *rapid.T, a partner.Answer, err error) {
	if err != nil || a.Status != http.StatusBadRequest || a.Code() != expect.InvalidCode {
		t.Fatalf("%s %v, want 400 %s", a, err, expect.InvalidCode)
	}
}

// check asserts that the lists hold exactly the jobs of the model. It runs after every
// step, so it also finds a refused step that has changed something.
func (m *jobMachine) check(t *rapid.T) {
	filters := map[string][]string{
		"": {"draft", "active", "closed"}, "draft": {"draft"}, "active": {"active"}, "closed": {"closed"}, "archived": {"archived"},
	}
	for _, filter := range []string{"", rapid.SampledFrom(slices.Sorted(maps.Keys(filters))[1:]).Draw(t, "filter")} {
		statuses, query := filters[filter], "pageSize=100"
		if filter != "" {
			query += "&status=" + filter
		}
		want := []any{}
		for _, job := range slices.Backward(m.jobs) {
			if slices.Contains(statuses, job.status) {
				want = append(want, job.shown)
			}
		}
		a, err := m.edge(t).Jobs(m.ctx, m.company, query)
		if err != nil || a.Status != http.StatusOK {
			t.Fatalf("%s %v", a, err)
		}
		body, err := a.JSON()
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(body["data"], any(want)) {
			t.Fatalf("jobs with %q: %v, want %v", filter, body["data"], want)
		}
		if total := expect.At(body, "meta", "total"); total != json.Number(fmt.Sprint(len(want))) {
			t.Fatalf("total with %q: %v, want %d", filter, total, len(want))
		}
	}
}
