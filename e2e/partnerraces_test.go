package e2e_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"

	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/world"
)

// contenders is how many calls of one kind run at the same moment.
const contenders = 100

// sameJob asserts that every answer is a 201 with one and the same job, made by one
// of the calls, and gives its id.
func sameJob(t testing.TB, answers []partner.Answer) string {
	t.Helper()
	ids, made := map[string]bool{}, 0
	for _, a := range answers {
		ids[created(t, a)["id"].(string)] = true
		switch replayed := a.Header.Get("Idempotent-Replayed"); replayed {
		case "":
			made++
		case "true":
		default:
			t.Errorf("Idempotent-Replayed: %q", replayed)
		}
	}
	if len(ids) != 1 || made != 1 {
		t.Errorf("%d jobs, %d calls that say they made one; want one of each", len(ids), made)
	}
	for id := range ids {
		return id
	}
	return ""
}

func (p platform) jobCount(t testing.TB, company string) int {
	t.Helper()
	_, total := listed(t, must(p.api.Jobs(t.Context(), company, ""))(t))
	return total
}

func TestAHundredCreatesWithOneIdempotencyKeyMakeOneJob(t *testing.T) {
	t.Parallel()
	p := newPlatform(t)
	edges, company := p.edges(p.api), p.company(t)
	// Half of them send the key in the header, half in the body.
	id := sameJob(t, storm(t, contenders, func(ctx context.Context, i int) (partner.Answer, error) {
		if i/2%2 == 0 {
			return edges[i%2].CreateJob(ctx, company, world.FullJob(), "Idempotency-Key", "one")
		}
		return edges[i%2].CreateJob(ctx, company, world.FullJob().With("idempotencyKey", "one"))
	}))
	if n := p.jobCount(t, company); n != 1 {
		t.Errorf("%d jobs, want 1", n)
	}
	// A repeat shows the job as it is now, whatever it sends and however long ago it closed.
	success(t, must(p.api.Move(t.Context(), id, "close"))(t))
	now := success(t, must(p.api.PatchJob(t.Context(), id, world.Fields{"distribution": "hidden"}))(t))
	for _, edge := range edges {
		a := must(edge.CreateJob(t.Context(), company, world.Draft(), "Idempotency-Key", "one"))(t)
		matches(t, "the repeat", now, created(t, a))
		if a.Header.Get("Idempotent-Replayed") != "true" {
			t.Errorf("Idempotent-Replayed: %q", a.Header.Get("Idempotent-Replayed"))
		}
	}
}

func TestOneIdempotencyKeyInTwoCompaniesMakesTwoJobs(t *testing.T) {
	t.Parallel()
	p := newPlatform(t)
	edges, companies := p.edges(p.api), []string{p.company(t), p.company(t)}
	answers := storm(t, contenders, func(ctx context.Context, i int) (partner.Answer, error) {
		return edges[i%2].CreateJob(ctx, companies[i/2%2], world.Draft(), "Idempotency-Key", "same")
	})
	of := map[string][]partner.Answer{}
	for i, a := range answers {
		of[companies[i/2%2]] = append(of[companies[i/2%2]], a)
	}
	for company, answers := range of {
		job := success(t, must(p.api.Job(t.Context(), sameJob(t, answers)))(t))
		matches(t, "companyId", company, job["companyId"])
	}
}

func TestTheIdempotencyHeaderWinsOverTheBody(t *testing.T) {
	t.Parallel()
	p := newPlatform(t)
	company := p.company(t)
	make := func(header, body string) string {
		t.Helper()
		var headers []string
		if header != "" {
			headers = []string{"Idempotency-Key", header}
		}
		return created(t, must(p.api.CreateJob(t.Context(), company, world.Draft().With("idempotencyKey", body), headers...))(t))["id"].(string)
	}
	first := make("header", "body")
	if again := make("header", "another body"); again != first {
		t.Error("the header's key did not give the first job")
	}
	second := make("", "body")
	if second == first {
		t.Error("the body's key was pinned beside the header's")
	}
	if again := make("body", "header"); again != second {
		t.Error("a key means one thing in the header and another in the body")
	}
	// Keys are compared as they are, and no key is none.
	if make("HEADER", "x") == first || make("header ", "x") != first {
		t.Error("a key is not compared as HTTP gives it")
	}
	p.job(t, company, world.Draft())
	if n := p.jobCount(t, company); n != 4 {
		t.Errorf("%d jobs, want 4", n)
	}
}

func TestARefusedAttemptPinsNoIdempotencyKey(t *testing.T) {
	t.Parallel()
	p := newPlatform(t)
	company := p.company(t)
	send := func(body world.Fields) partner.Answer {
		t.Helper()
		return must(p.api.CreateJob(t.Context(), company, body, "Idempotency-Key", "pinned"))(t)
	}
	invalid(t, send(noTitle(world.Live())), "basics.title")
	invalid(t, send(world.Draft().Without("basics")), "basics")
	refused(t, must(p.key(t, "rival-key").CreateJob(t.Context(), company, world.Live(), "Idempotency-Key", "pinned"))(t), notOurs.status, notOurs.code)
	a := send(world.Live())
	if job := created(t, a); job["status"] != "active" || a.Header.Get("Idempotent-Replayed") != "" {
		t.Errorf("the corrected attempt answers %s", a)
	}
	// A repeat that would be refused by itself is refused: its shape comes first.
	invalid(t, send(world.Draft().Without("basics")), "basics")
}

func TestAHundredCreatesWithOneExternalIDMakeOneCompany(t *testing.T) {
	t.Parallel()
	p := newPlatform(t)
	edges, body := p.edges(p.api), world.FullCompany()
	answers := storm(t, contenders, func(ctx context.Context, i int) (partner.Answer, error) {
		if i/2%2 == 0 {
			return edges[i%2].CreateCompany(ctx, body)
		}
		return edges[i%2].CreateCompany(ctx, body.Without("slug")) // derived from one name
	})
	ids, made := map[string]bool{}, 0
	for _, a := range answers {
		read := success
		if a.Status == http.StatusCreated {
			made++
			read = created
		}
		ids[fmt.Sprint(read(t, a)["id"])] = true
	}
	if made != 1 || len(ids) != 1 {
		t.Errorf("%d answers of 201, %d companies; want one of each", made, len(ids))
	}
	if _, total := listed(t, must(p.api.Companies(t.Context(), ""))(t)); total != 1 {
		t.Errorf("%d companies, want 1", total)
	}
}

func TestConcurrentCompaniesOfOneNameGetSlugsOfTheirOwn(t *testing.T) {
	t.Parallel()
	p := newPlatform(t)
	edges, body := p.edges(p.api), world.Company()
	slugs := map[string]bool{}
	for _, a := range storm(t, 30, func(ctx context.Context, i int) (partner.Answer, error) {
		return edges[i%2].CreateCompany(ctx, body)
	}) {
		slugs[fmt.Sprint(created(t, a)["slug"])] = true
	}
	if len(slugs) != 30 {
		t.Errorf("%d slugs for 30 companies", len(slugs))
	}
	chosen := world.Company().With("slug", "chosen-"+world.Unique())
	won := 0
	for _, a := range storm(t, 30, func(ctx context.Context, i int) (partner.Answer, error) {
		return edges[i%2].CreateCompany(ctx, chosen)
	}) {
		if a.Status == http.StatusCreated {
			won++
		} else {
			invalid(t, a, "slug")
		}
	}
	if won != 1 {
		t.Errorf("%d companies have one slug", won)
	}
}

func TestOneOfFiftyConcurrentMovesWins(t *testing.T) {
	t.Parallel()
	p := newPlatform(t)
	edges, company := p.edges(p.api), p.company(t)
	for _, c := range []struct{ from, action, to string }{
		{"active", "close", "closed"}, {"draft", "publish", "active"}, {"closed", "archive", "archived"},
	} {
		id := p.jobIn(t, company, c.from)
		won := 0
		for _, a := range storm(t, 50, func(ctx context.Context, i int) (partner.Answer, error) {
			return edges[i%2].Move(ctx, id, c.action)
		}) {
			if a.Status == http.StatusOK {
				won++
				matches(t, c.action, c.to, success(t, a)["status"])
			} else {
				names(t, a, "")
			}
		}
		if won != 1 {
			t.Errorf("%d of 50 calls to %s one job succeeded, want one", won, c.action)
		}
	}
}

func TestConcurrentPatchesOfDifferentFieldsLoseNothing(t *testing.T) {
	t.Parallel()
	p := newPlatform(t)
	edges, company := p.edges(p.api), p.company(t)
	changes := []world.Fields{
		{"name": "N"}, {"tagline": "T"}, {"location": "L"}, {"industry": "I"}, {"employeeCount": "E"}, {"website": "https://w.example.com"},
	}
	for _, a := range storm(t, len(changes), func(ctx context.Context, i int) (partner.Answer, error) {
		return edges[i%2].PatchCompany(ctx, company, changes[i])
	}) {
		success(t, a)
	}
	got := success(t, must(p.api.Company(t.Context(), company))(t))
	for _, change := range changes {
		for k, v := range change {
			matches(t, k, v, got[k])
		}
	}
	job := p.job(t, company, world.Draft())["id"].(string)
	sent := []world.Fields{
		{"distribution": "hidden"}, {"eligibility": world.Fields{"language": "arabic"}}, {"compensation": pay(world.Fields{"min": 1})},
		{"questions": []any{question(nil)}},
	}
	for _, a := range storm(t, len(sent), func(ctx context.Context, i int) (partner.Answer, error) {
		return edges[i%2].PatchJob(ctx, job, sent[i])
	}) {
		success(t, a)
	}
	now := success(t, must(p.api.Job(t.Context(), job))(t))
	if now["distribution"] != "hidden" || now["eligibility"] == nil || now["salary"] == nil || len(objects(t, now["screeningQuestions"])) != 1 {
		t.Errorf("a change was lost: %v", now)
	}
}

// TestNoRaceMakesAJobLiveThatBreaksThePublishContract publishes a draft while its
// title goes, and closes a live job while it is published and archived.
func TestNoRaceMakesAJobLiveThatBreaksThePublishContract(t *testing.T) {
	t.Parallel()
	p := newPlatform(t)
	edges, company := p.edges(p.api), p.company(t)
	for round := range 25 {
		id := p.jobIn(t, company, "draft")
		answers := storm(t, 4, func(ctx context.Context, i int) (partner.Answer, error) {
			if (i+round)%2 == 0 {
				return edges[i%2].Move(ctx, id, "publish")
			}
			return edges[(i+round/2)%2].PatchJob(ctx, id, world.Fields{"basics": brokenTitle})
		})
		published := 0
		for i, a := range answers {
			if a.Status != http.StatusOK {
				names(t, a, "")
			} else if (i+round)%2 == 0 {
				published++
			}
		}
		job := success(t, must(p.api.Job(t.Context(), id))(t))
		sound := job["title"] != " " && job["title"] != ""
		if live := job["status"] == "active"; live != (published == 1) || live != sound || live != (job["postedAt"] != nil) {
			t.Errorf("round %d: %d calls published it, and the job is %v", round, published, job)
		}
	}
}
