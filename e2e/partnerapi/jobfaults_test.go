package partnerapi_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
)

func TestFaultyJobsAreRefusedNamingTheField(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t)
	company := p.Company(t)
	good := jobBody()
	faults := values(t, good, "idempotencyKey", `""`, `"a\nb"`)
	faults = append(faults, jobValues(t, good)...)
	refusesAll(t, faultsOf(t, good, createJobFields(), faults...), func(ctx context.Context, body string) (partner.Answer, error) {
		return p.API.CreateJob(ctx, company, body)
	})
	expect.Invalid(t, expect.Must(p.API.CreateJob(t.Context(), company, world.Draft(), "Idempotency-Key", strings.Repeat("k", 256)))(t), "Idempotency-Key")
	for _, key := range []string{"a b", "a\tb", "مفتاح"} {
		a := expect.Must(p.API.CreateJob(t.Context(), company, world.Draft(), "Idempotency-Key", key))(t)
		expect.Invalid(t, a, "Idempotency-Key")
		expect.Message(t, a, "Idempotency-Key: must hold visible ASCII characters only")
	}
	a := expect.Must(p.API.CreateJob(t.Context(), company, world.Draft().With("idempotencyKey", "a b")))(t)
	expect.Message(t, a, "idempotencyKey: must hold visible characters only")
	if _, total := expect.Listed(t, expect.Must(p.API.Jobs(t.Context(), company, ""))(t)); total != 0 {
		t.Errorf("%d jobs were made", total)
	}
	for _, f := range sectionFields() {
		if f.max > 0 {
			a := expect.Must(p.API.CreateJob(t.Context(), company, f.atLimit(t, good.Without("idempotencyKey"))))(t)
			if a.Status != http.StatusCreated {
				t.Errorf("%s of %d characters: %s", f.path, f.max, a)
			}
		}
	}
	// Every refused body carried the same idempotency key. None of them has used it up.
	if a := expect.Must(p.API.CreateJob(t.Context(), company, good))(t); a.Status != http.StatusCreated || a.Header.Get("Idempotent-Replayed") != "" {
		t.Errorf("the key of the refused bodies: %s", a)
	}
}

// jobValues are faulty values that are refused in drafts too.
func jobValues(t testing.TB, good world.Fields) []fault {
	t.Helper()
	out := values(t, good, "questions[0].options", `["Yes","No"]`)
	out = append(out, values(t, good, "questions[0].id", quoted(101))...)
	out = append(out, values(t, good, "compensation.currency", quoted(3), `""`, `"ABC"`, `"AEDS"`, `" AED"`, `"DEM"`, `"XAU"`, `"XTS"`, `"XXX"`)...)
	for _, path := range []string{"compensation.min", "compensation.max"} {
		out = append(out, values(t, good, path, "1000000000000.5", "1e13", "-1e13")...)
	}
	for _, path := range []string{"basics.title", "basics.department", "basics.country", "basics.city", "confidential.publicLabel", "questions[1].options[1]"} {
		out = append(out, values(t, good, path, badLines...)...)
	}
	many := strings.Repeat(`{"prompt":"?","type":"yes_no","required":true},`, 50) + `{"prompt":"?","type":"yes_no","required":true}`
	return append(out, values(t, good, "questions", "["+many+"]")...)
}

func TestFaultyChangesOfAJobAreRefusedNamingTheField(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t)
	before := p.Job(t, p.Company(t), world.FullJob())
	id := before["id"].(string)
	good := world.FullJob().Without("saveAs")
	refusesAll(t, faultsOf(t, good, patchJobFields(), jobValues(t, good)...), func(ctx context.Context, body string) (partner.Answer, error) {
		return p.API.PatchJob(ctx, id, body)
	})
	expect.Matches(t, "after the refusals", before, expect.Success(t, expect.Must(p.API.Job(t.Context(), id))(t)))
	expect.Success(t, expect.Must(p.API.PatchJob(t.Context(), id, good))(t))
}
