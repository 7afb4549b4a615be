package partnerapi_test

import (
	"context"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
)

// contenders is how many calls race.
const contenders = 100

// sameJob asserts that every answer is a 201 with the same job and that one call created
// it. It returns the id of the job.
func sameJob(t testing.TB, answers []partner.Answer) string {
	t.Helper()
	ids, made := map[string]bool{}, 0
	for _, a := range answers {
		ids[expect.Created(t, a)["id"].(string)] = true
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

func TestAHundredCreatesWithOneIdempotencyKeyMakeOneJob(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t)
	edges, company := p.Edges(p.API), p.Company(t)
	// Half of them send the key in the header, half in the body.
	id := sameJob(t, scene.AtOnce(t, contenders, func(ctx context.Context, i int) (partner.Answer, error) {
		if i/2%2 == 0 {
			return edges[i%2].CreateJob(ctx, company, world.FullJob(), "Idempotency-Key", "one")
		}
		return edges[i%2].CreateJob(ctx, company, world.FullJob().With("idempotencyKey", "one"))
	}))
	if n := p.JobCount(t, company); n != 1 {
		t.Errorf("%d jobs, want 1", n)
	}
	// A repeat answers with the job as it is now, whatever it sends.
	expect.Success(t, expect.Must(p.API.Move(t.Context(), id, "close"))(t))
	now := expect.Success(t, expect.Must(p.API.PatchJob(t.Context(), id, world.Fields{"distribution": "hidden"}))(t))
	for _, edge := range edges {
		a := expect.Must(edge.CreateJob(t.Context(), company, world.Draft(), "Idempotency-Key", "one"))(t)
		expect.Matches(t, "the repeat", now, expect.Created(t, a))
		if a.Header.Get("Idempotent-Replayed") != "true" {
			t.Errorf("Idempotent-Replayed: %q", a.Header.Get("Idempotent-Replayed"))
		}
	}
}

func TestOneIdempotencyKeyInTwoCompaniesMakesTwoJobs(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t)
	edges, companies := p.Edges(p.API), []string{p.Company(t), p.Company(t)}
	answers := scene.AtOnce(t, contenders, func(ctx context.Context, i int) (partner.Answer, error) {
		return edges[i%2].CreateJob(ctx, companies[i/2%2], world.Draft(), "Idempotency-Key", "same")
	})
	of := map[string][]partner.Answer{}
	for i, a := range answers {
		of[companies[i/2%2]] = append(of[companies[i/2%2]], a)
	}
	for company, answers := range of {
		job := expect.Success(t, expect.Must(p.API.Job(t.Context(), sameJob(t, answers)))(t))
		expect.Matches(t, "companyId", company, job["companyId"])
	}
}

func TestTheIdempotencyHeaderWinsOverTheBody(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t)
	company := p.Company(t)
	make := func(header, body string) string {
		t.Helper()
		var headers []string
		if header != "" {
			headers = []string{"Idempotency-Key", header}
		}
		return expect.Created(t, expect.Must(p.API.CreateJob(t.Context(), company, world.Draft().With("idempotencyKey", body), headers...))(t))["id"].(string)
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
	// Keys are compared byte by byte, after HTTP has trimmed the header. Jobs without a key
	// are never repeats.
	if make("HEADER", "x") == first || make("header ", "x") != first {
		t.Error("a key is not compared as HTTP gives it")
	}
	p.Job(t, company, world.Draft())
	if n := p.JobCount(t, company); n != 4 {
		t.Errorf("%d jobs, want 4", n)
	}
}

func TestARefusedAttemptPinsNoIdempotencyKey(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t)
	company := p.Company(t)
	send := func(body world.Fields) partner.Answer {
		t.Helper()
		return expect.Must(p.API.CreateJob(t.Context(), company, body, "Idempotency-Key", "pinned"))(t)
	}
	expect.Invalid(t, send(noTitle(world.Live())), "basics.title")
	expect.Invalid(t, send(world.Draft().Without("basics")), "basics")
	expect.Refused(t, expect.Must(p.Key(t, "rival-key").CreateJob(t.Context(), company, world.Live(), "Idempotency-Key", "pinned"))(t), notOurs.status, notOurs.code)
	a := send(world.Live())
	if job := expect.Created(t, a); job["status"] != "active" || a.Header.Get("Idempotent-Replayed") != "" {
		t.Errorf("the corrected attempt answers %s", a)
	}
	// A repeat with a faulty body is refused, because the shape is checked first.
	expect.Invalid(t, send(world.Draft().Without("basics")), "basics")
}
