package e2e_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"

	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/world"
)

// companyFields are the bodies of POST and PATCH of a company, as far as they
// share them.
var companyFields = []field{
	{path: "name", kind: text, max: 200, required: true}, {path: "industry", kind: text, max: 200, required: true},
	{path: "employeeCount", kind: text, max: 50, required: true}, {path: "location", kind: text, max: 300, required: true},
	{path: "description", kind: text, max: 20_000, required: true},
	{path: "website", kind: text, clears: true}, {path: "logo", kind: text, clears: true},
}

var (
	createCompanyFields = append(unclearable(companyFields), field{path: "slug", kind: text}, field{path: "externalId", kind: text, max: 255})
	patchCompanyFields  = append(append(optional(companyFields), field{path: "tagline", kind: text, max: 300, clears: true}, field{path: "socials", kind: object}, field{path: "slug", kind: text}, field{path: "externalId", kind: text, max: 255, clears: true}),
		under("socials.", field{path: "linkedin", kind: text, max: 2048}, field{path: "instagram", kind: text, max: 2048}, field{path: "youtube", kind: text, max: 2048},
			field{path: "whatsapp", kind: text, max: 2048}, field{path: "tiktok", kind: text, max: 2048}, field{path: "x", kind: text, max: 2048}, field{path: "facebook", kind: text, max: 2048})...)
)

func unclearable(fields []field) []field {
	out := under("", fields...)
	for i := range out {
		out[i].clears = false
	}
	return out
}

func optional(fields []field) []field {
	out := under("", fields...)
	for i := range out {
		out[i].required = false
	}
	return out
}

// sectionFields are the sections of a job, in POST and PATCH.
func sectionFields() []field {
	var all []field
	for _, section := range [][]field{
		under("basics.", field{path: "title", kind: text, max: 200, required: true}, field{path: "department", kind: text, max: 200},
			field{path: "country", kind: text, max: 100}, field{path: "city", kind: text, max: 100}, field{path: "workMode", kind: choice, required: true},
			field{path: "employment", kind: choice, required: true}, field{path: "seniority", kind: choice, required: true}),
		under("content.", field{path: "summary", kind: text, max: 20_000, required: true}, field{path: "responsibilities", kind: texts, max: 2000, items: 100, required: true},
			field{path: "requirements", kind: texts, max: 2000, items: 100, required: true}, field{path: "niceToHave", kind: texts, max: 2000, items: 100},
			field{path: "benefits", kind: texts, max: 2000, items: 100}),
		under("compensation.", field{path: "min", kind: decimal}, field{path: "max", kind: decimal}, field{path: "currency", kind: text, required: true},
			field{path: "period", kind: choice, required: true}, field{path: "visible", kind: boolean, required: true}),
		under("eligibility.", field{path: "candidateLocation", kind: choice}, field{path: "experienceYears", kind: choice},
			field{path: "language", kind: choice}, field{path: "workEligibility", kind: choice}),
		under("workforceProgramme.", field{path: "value", kind: choice, required: true}, field{path: "note", kind: text, max: 2000}, field{path: "acknowledged", kind: boolean}),
		under("questions[1].", field{path: "id", kind: text}, field{path: "prompt", kind: text, max: 1000, required: true}, field{path: "type", kind: choice, required: true},
			field{path: "required", kind: boolean, required: true}, field{path: "order", kind: integer}, field{path: "options", kind: texts, max: 500, items: 100},
			field{path: "source", kind: choice}),
		under("questions[2].", field{path: "defaultKey", kind: choice}),
		under("confidential.", field{path: "enabled", kind: boolean, required: true}, field{path: "publicLabel", kind: text, max: 200}),
		{
			{path: "eligibility", kind: object}, {path: "workforceProgramme", kind: object}, {path: "questions", kind: choices},
			{path: "confidential", kind: object},
		},
	} {
		all = append(all, section...)
	}
	return all
}

func createJobFields() []field {
	return append(sectionFields(), field{path: "basics", kind: object, required: true}, field{path: "content", kind: object, required: true},
		field{path: "distribution", kind: choice, required: true}, field{path: "compensation", kind: object},
		field{path: "saveAs", kind: choice}, field{path: "idempotencyKey", kind: text, max: 255})
}

func patchJobFields() []field {
	return append(sectionFields(), field{path: "basics", kind: object}, field{path: "content", kind: object},
		field{path: "distribution", kind: choice}, field{path: "compensation", kind: object, clears: true})
}

// jobBody has every field of a create body.
func jobBody() world.Fields {
	return world.FullJob().With("idempotencyKey", "key").With("saveAs", "draft")
}

// refusesAll sends every faulty body and asserts the refusal.
func refusesAll(t *testing.T, faults []fault, send func(ctx context.Context, body string) (partner.Answer, error)) {
	t.Helper()
	answers := make([]partner.Answer, len(faults))
	group, ctx := errgroup.WithContext(t.Context())
	group.SetLimit(4)
	for i, f := range faults {
		group.Go(func() (err error) {
			answers[i], err = send(ctx, f.body)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	for i, f := range faults {
		failed := t.Failed()
		invalid(t, answers[i], f.path)
		if t.Failed() && !failed {
			t.Errorf("the first: %s", f)
		}
	}
}

func faultsOf(t testing.TB, good world.Fields, fields []field, more ...fault) []fault {
	t.Helper()
	for _, f := range fields {
		more = append(more, f.faults(t, good)...)
	}
	for what, body := range malformed {
		more = append(more, fault{what, body, ""})
	}
	return more
}

// values are faults of values that the types allow.
func values(t testing.TB, good world.Fields, path string, raws ...string) []fault {
	t.Helper()
	var out []fault
	for _, raw := range raws {
		out = append(out, fault{path + " is " + raw, put(t, good, path, raw), path})
	}
	return out
}

var (
	badURLs  = []string{`""`, `"noor.example.com"`, `"//noor.example.com"`, `"ftp://noor.example.com"`, `"https://"`, `"https:///a"`, `"javascript:alert(1)"`, `"http:noor"`, `"https://a b.example.com"`}
	badSlugs = []string{`""`, `"Noor"`, `"noor telecom"`, `"noor_telecom"`, `"نور"`, `"a/b"`, `"` + strings.Repeat("a", 65) + `"`}
	badLines = []string{`"a\nb"`, `"a\tb"`, `"a\u2028b"`, `"a\u202eb"`}
	blanks   = []string{`""`, `"  "`, `"\t\n"`}
)

func companyValues(t testing.TB, good world.Fields) []fault {
	t.Helper()
	short := `"  ` + strings.Repeat("ن", 49) + `  "`
	out := values(t, good, "description", `""`, short, `"`+strings.Repeat(" ", 60)+`"`)
	for _, path := range []string{"website", "logo"} {
		out = append(out, values(t, good, path, append([]string{`"https://a.example.com/` + strings.Repeat("a", 2048) + `"`}, badURLs...)...)...)
	}
	for _, path := range []string{"name", "industry", "employeeCount", "location"} {
		out = append(out, values(t, good, path, append(badLines, blanks...)...)...)
	}
	return out
}

func TestFaultyCompaniesAreRefusedNamingTheField(t *testing.T) {
	t.Parallel()
	p := newPlatform(t)
	good := world.FullCompany()
	faults := append(companyValues(t, good), append(values(t, good, "slug", badSlugs...), values(t, good, "externalId", `""`)...)...)
	refusesAll(t, faultsOf(t, good, createCompanyFields, faults...), func(ctx context.Context, body string) (partner.Answer, error) {
		return p.api.CreateCompany(ctx, body)
	})
	if _, total := listed(t, must(p.api.Companies(t.Context(), ""))(t)); total != 0 {
		t.Errorf("%d companies were made", total)
	}
	for _, f := range createCompanyFields {
		if f.max > 0 {
			body := f.atLimit(t, good.Without("slug").With("externalId", world.Unique()))
			if a := must(p.api.CreateCompany(t.Context(), body))(t); a.Status != http.StatusCreated {
				t.Errorf("%s of %d characters: %s", f.path, f.max, a)
			}
		}
	}
}

func TestFaultyChangesOfACompanyAreRefusedNamingTheField(t *testing.T) {
	t.Parallel()
	p := newPlatform(t)
	before := created(t, must(p.api.CreateCompany(t.Context(), world.FullCompany()))(t))
	id := before["id"].(string)
	good := sections(world.FullCompany(), "name", "industry", "employeeCount", "location", "description", "website", "logo").
		With("tagline", "T").With("slug", before["slug"]).With("externalId", before["externalId"]).With("socials", world.Fields{
		"linkedin": "https://l", "instagram": "https://i", "youtube": "https://y", "whatsapp": "+971", "tiktok": "https://t", "x": "https://x", "facebook": "https://f",
	})
	faults := append(companyValues(t, good), values(t, good, "tagline", badLines...)...)
	for _, platform := range []string{"linkedin", "instagram", "youtube", "whatsapp", "tiktok", "x", "facebook"} {
		faults = append(faults, values(t, good, "socials."+platform, append(badLines, `"javascript:alert(1)"`, `"data:text/html,a"`, `"https://"`, `"ftp://a.example.com"`)...)...)
	}
	faults = append(faults, append(values(t, good, "slug", `"other"`, `""`), values(t, good, "externalId", `"other"`, `""`, `null`)...)...)
	refusesAll(t, faultsOf(t, good, patchCompanyFields, faults...), func(ctx context.Context, body string) (partner.Answer, error) {
		return p.api.PatchCompany(ctx, id, body)
	})
	for _, path := range []string{"website", "logo"} {
		told(t, must(p.api.PatchCompany(t.Context(), id, world.Fields{path: ""}))(t), path+": must not be blank; null clears it")
	}
	matches(t, "after the refusals", before, success(t, must(p.api.Company(t.Context(), id))(t)))
	success(t, must(p.api.PatchCompany(t.Context(), id, good))(t))
}

func TestFaultyJobsAreRefusedNamingTheField(t *testing.T) {
	t.Parallel()
	p := newPlatform(t)
	company := p.company(t)
	good := jobBody()
	faults := values(t, good, "idempotencyKey", `""`, `"a\nb"`)
	faults = append(faults, jobValues(t, good)...)
	refusesAll(t, faultsOf(t, good, createJobFields(), faults...), func(ctx context.Context, body string) (partner.Answer, error) {
		return p.api.CreateJob(ctx, company, body)
	})
	invalid(t, must(p.api.CreateJob(t.Context(), company, world.Draft(), "Idempotency-Key", strings.Repeat("k", 256)))(t), "Idempotency-Key")
	for _, key := range []string{"a b", "a\tb", "مفتاح"} {
		a := must(p.api.CreateJob(t.Context(), company, world.Draft(), "Idempotency-Key", key))(t)
		invalid(t, a, "Idempotency-Key")
		told(t, a, "Idempotency-Key: must hold visible ASCII characters only")
	}
	a := must(p.api.CreateJob(t.Context(), company, world.Draft().With("idempotencyKey", "a b")))(t)
	told(t, a, "idempotencyKey: must hold visible characters only")
	if _, total := listed(t, must(p.api.Jobs(t.Context(), company, ""))(t)); total != 0 {
		t.Errorf("%d jobs were made", total)
	}
	for _, f := range sectionFields() {
		if f.max > 0 {
			a := must(p.api.CreateJob(t.Context(), company, f.atLimit(t, good.Without("idempotencyKey"))))(t)
			if a.Status != http.StatusCreated {
				t.Errorf("%s of %d characters: %s", f.path, f.max, a)
			}
		}
	}
	// The key that every refused body carried is pinned by none of them.
	if a := must(p.api.CreateJob(t.Context(), company, good))(t); a.Status != http.StatusCreated || a.Header.Get("Idempotent-Replayed") != "" {
		t.Errorf("the key of the refused bodies: %s", a)
	}
}

// jobValues are faults that a draft may not have either.
func jobValues(t testing.TB, good world.Fields) []fault {
	t.Helper()
	out := values(t, good, "questions[0].options", `["Yes","No"]`)
	out = append(out, values(t, good, "questions[0].id", quoted(101))...)
	out = append(out, values(t, good, "compensation.currency", quoted(11))...)
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
	p := newPlatform(t)
	before := p.job(t, p.company(t), world.FullJob())
	id := before["id"].(string)
	good := world.FullJob().Without("saveAs")
	refusesAll(t, faultsOf(t, good, patchJobFields(), jobValues(t, good)...), func(ctx context.Context, body string) (partner.Answer, error) {
		return p.api.PatchJob(ctx, id, body)
	})
	matches(t, "after the refusals", before, success(t, must(p.api.Job(t.Context(), id))(t)))
	success(t, must(p.api.PatchJob(t.Context(), id, good))(t))
}
