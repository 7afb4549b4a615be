package partnerapi_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
)

func TestAHundredCreatesWithOneExternalIDMakeOneCompany(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t)
	edges, body := p.Edges(p.API), world.FullCompany()
	answers := scene.AtOnce(t, contenders, func(ctx context.Context, i int) (partner.Answer, error) {
		if i/2%2 == 0 {
			return edges[i%2].CreateCompany(ctx, body)
		}
		return edges[i%2].CreateCompany(ctx, body.Without("slug")) // all have the same name
	})
	ids, made := map[string]bool{}, 0
	for _, a := range answers {
		read := expect.Success
		if a.Status == http.StatusCreated {
			made++
			read = expect.Created
		}
		ids[fmt.Sprint(read(t, a)["id"])] = true
	}
	if made != 1 || len(ids) != 1 {
		t.Errorf("%d answers of 201, %d companies; want one of each", made, len(ids))
	}
	if _, total := expect.Listed(t, expect.Must(p.API.Companies(t.Context(), ""))(t)); total != 1 {
		t.Errorf("%d companies, want 1", total)
	}
}

func TestConcurrentCompaniesOfOneNameGetSlugsOfTheirOwn(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t)
	edges, body := p.Edges(p.API), world.Company()
	slugs := map[string]bool{}
	for _, a := range scene.AtOnce(t, 30, func(ctx context.Context, i int) (partner.Answer, error) {
		return edges[i%2].CreateCompany(ctx, body)
	}) {
		slugs[fmt.Sprint(expect.Created(t, a)["slug"])] = true
	}
	if len(slugs) != 30 {
		t.Errorf("%d slugs for 30 companies", len(slugs))
	}
	chosen := world.Company().With("slug", "chosen-"+world.Unique())
	won := 0
	for _, a := range scene.AtOnce(t, 30, func(ctx context.Context, i int) (partner.Answer, error) {
		return edges[i%2].CreateCompany(ctx, chosen)
	}) {
		if a.Status == http.StatusCreated {
			won++
		} else {
			expect.Invalid(t, a, "slug")
		}
	}
	if won != 1 {
		t.Errorf("%d companies have one slug", won)
	}
}

func TestOneOfFiftyConcurrentMovesWins(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t)
	edges, company := p.Edges(p.API), p.Company(t)
	for _, c := range []struct{ from, action, to string }{
		{"active", "close", "closed"}, {"draft", "publish", "active"}, {"closed", "archive", "archived"},
	} {
		id := p.JobIn(t, company, c.from)
		won := 0
		for _, a := range scene.AtOnce(t, 50, func(ctx context.Context, i int) (partner.Answer, error) {
			return edges[i%2].Move(ctx, id, c.action)
		}) {
			if a.Status == http.StatusOK {
				won++
				expect.Matches(t, c.action, c.to, expect.Success(t, a)["status"])
			} else {
				expect.InvalidAt(t, a, "")
			}
		}
		if won != 1 {
			t.Errorf("%d of 50 calls to %s one job succeeded, want one", won, c.action)
		}
	}
}

func TestConcurrentPatchesOfDifferentFieldsLoseNothing(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t)
	edges, company := p.Edges(p.API), p.Company(t)
	changes := []world.Fields{
		{"name": "N"}, {"tagline": "T"}, {"location": "L"}, {"industry": "I"}, {"employeeCount": "E"}, {"website": "https://w.example.com"},
	}
	for _, a := range scene.AtOnce(t, len(changes), func(ctx context.Context, i int) (partner.Answer, error) {
		return edges[i%2].PatchCompany(ctx, company, changes[i])
	}) {
		expect.Success(t, a)
	}
	got := expect.Success(t, expect.Must(p.API.Company(t.Context(), company))(t))
	for _, change := range changes {
		for k, v := range change {
			expect.Matches(t, k, v, got[k])
		}
	}
	job := p.Job(t, company, world.Draft())["id"].(string)
	sent := []world.Fields{
		{"distribution": "hidden"}, {"eligibility": world.Fields{"language": "arabic"}}, {"compensation": pay(world.Fields{"min": 1})},
		{"questions": []any{question(nil)}},
	}
	for _, a := range scene.AtOnce(t, len(sent), func(ctx context.Context, i int) (partner.Answer, error) {
		return edges[i%2].PatchJob(ctx, job, sent[i])
	}) {
		expect.Success(t, a)
	}
	now := expect.Success(t, expect.Must(p.API.Job(t.Context(), job))(t))
	if now["distribution"] != "hidden" || now["eligibility"] == nil || now["salary"] == nil || len(expect.Objects(t, now["screeningQuestions"])) != 1 {
		t.Errorf("a change was lost: %v", now)
	}
}

// TestNoRaceMakesAJobLiveThatBreaksThePublishContract publishes drafts while their title
// is removed.
func TestNoRaceMakesAJobLiveThatBreaksThePublishContract(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t)
	edges, company := p.Edges(p.API), p.Company(t)
	for round := range 25 {
		id := p.JobIn(t, company, "draft")
		answers := scene.AtOnce(t, 4, func(ctx context.Context, i int) (partner.Answer, error) {
			if (i+round)%2 == 0 {
				return edges[i%2].Move(ctx, id, "publish")
			}
			return edges[(i+round/2)%2].PatchJob(ctx, id, world.Fields{"basics": brokenTitle})
		})
		published := 0
		for i, a := range answers {
			if a.Status != http.StatusOK {
				expect.InvalidAt(t, a, "")
			} else if (i+round)%2 == 0 {
				published++
			}
		}
		job := expect.Success(t, expect.Must(p.API.Job(t.Context(), id))(t))
		sound := job["title"] != " " && job["title"] != ""
		if live := job["status"] == "active"; live != (published == 1) || live != sound || live != (job["postedAt"] != nil) {
			t.Errorf("round %d: %d calls published it, and the job is %v", round, published, job)
		}
	}
}
