package partnerapi_test

import (
	"fmt"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
)

func TestEveryAllowedValueOfAJobIsTakenAndShown(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t)
	company := p.Company(t)
	draft := p.Job(t, company, world.Draft())["id"].(string)
	show := func(body world.Fields, want string, keys ...string) {
		t.Helper()
		got := expect.Success(t, expect.Must(p.API.PatchJob(t.Context(), draft, body))(t))
		expect.Matches(t, fmt.Sprint(keys), want, expect.At(got, keys...))
	}
	for key, values := range map[string][]string{
		"workMode": {"onsite", "hybrid", "remote"}, "employment": {"full_time", "part_time", "contract", "internship"},
		"seniority": {"entry", "mid", "senior", "lead", "executive"},
	} {
		for _, v := range values {
			show(world.Fields{"basics": basics(key, v)["basics"]}, v, key)
		}
	}
	for _, v := range []string{"tabbio_and_company", "tabbio_only", "company_page_only", "hidden"} {
		show(world.Fields{"distribution": v}, v, "distribution")
	}
	for _, v := range []string{"monthly", "yearly"} {
		show(world.Fields{"compensation": pay(world.Fields{"min": 1, "period": v})}, v, "salary", "period")
	}
	show(world.Fields{"compensation": pay(world.Fields{"min": 1, "currency": "aed"})}, "AED", "salary", "currency")
	for key, values := range map[string][]string{
		"candidateLocation": {"any", "in_country", "in_city", "in_region", "open_to_relocation", "uae", "dubai", "abu_dhabi", "gcc", "uae_relocation"},
		"experienceYears":   {"any", "1_plus", "3_plus", "5_plus", "7_plus", "10_plus"},
		"language":          {"any", "english", "arabic", "english_and_arabic", "english_or_arabic"},
		"workEligibility":   {"any", "eligible", "eligible_or_sponsorship", "sponsorship_required"},
	} {
		for _, v := range values {
			show(world.Fields{"eligibility": world.Fields{key: v}}, v, "eligibility", key)
		}
	}
	postings := partnercatalogv1.NewJobPostingServiceClient(p.Catalog(t))
	for _, v := range []string{
		"none", "emirati", "saudi", "qatari", "kuwaiti", "bahraini", "omani", "gcc", "other", "emiratisation", "saudization",
	} {
		expect.Success(t, expect.Must(p.API.PatchJob(t.Context(), draft, world.Fields{"workforceProgramme": world.Fields{"value": v, "acknowledged": true}}))(t))
		got := expect.Must(postings.GetJobPosting(t.Context(), &partnercatalogv1.GetJobPostingRequest{JobId: draft}))(t).GetPosting()
		if name := got.GetWorkforceProgramme().GetValue().String(); name != "PROGRAMME_"+strings.ToUpper(v) {
			t.Errorf("programme %s is kept as %s", v, name)
		}
	}
	for _, v := range []string{"education", "experience_years", "expected_salary", "availability"} {
		got := expect.Success(t, expect.Must(p.API.PatchJob(t.Context(), draft, world.Fields{"questions": []any{
			world.Fields{"prompt": "?", "type": "number", "required": false, "source": "default", "defaultKey": v},
		}}))(t))
		question := got["screeningQuestions"].([]any)[0]
		expect.Matches(t, "question", map[string]any{
			"id": expect.Identifier, "prompt": "?", "type": "number", "required": false, "source": "default", "defaultKey": v,
		}, question)
	}
}
