package partnerapi_test

import (
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
)

// minimalJob returns the expected job after it was created with world.Draft.
func minimalJob(company string) map[string]any {
	return map[string]any{
		"id": prefixed("job_"), "companyId": company, "title": "Network engineer", "description": "Keeps the network up.",
		"status": "draft", "workMode": "remote", "employment": "full_time", "seniority": "senior", "department": nil,
		"city": nil, "country": nil, "location": nil, "salary": nil, "salaryVisible": false, "distribution": "tabbio_and_company",
		"responsibilities": []any{"Run the backbone"}, "requirements": []any{"Knows BGP"}, "niceToHave": []any{}, "benefits": []any{},
		"screeningQuestions": []any{}, "eligibility": nil, "applicationCount": expect.Number(0), "postedAt": nil,
		"createdAt": expect.Timestamp, "updatedAt": expect.Timestamp,
		"confidential": map[string]any{"enabled": false, "publicLabel": nil}, "workforceProgramme": nil,
	}
}

// fullJob returns the expected job after it was created with world.FullJob.
func fullJob(company string) map[string]any {
	return expect.But(minimalJob(company), map[string]any{
		"description": "Keeps the network up.\n\nAll of it.", "status": "active", "workMode": "hybrid", "employment": "contract",
		"seniority": "lead", "department": "Backbone", "city": "Dubai", "country": "United Arab Emirates",
		"location":      "Dubai, United Arab Emirates",
		"salary":        map[string]any{"min": expect.Number(18000), "max": expect.Number(25000.5), "currency": "AED", "period": "monthly"},
		"salaryVisible": true, "distribution": "company_page_only", "responsibilities": []any{"Run the backbone", "Mentor"},
		"niceToHave": []any{"Speaks Arabic"}, "benefits": []any{"Health insurance", "Flights home"}, "postedAt": expect.Timestamp,
		"eligibility": map[string]any{
			"candidateLocation": "gcc", "experienceYears": "5_plus", "language": "english_or_arabic", "workEligibility": "eligible_or_sponsorship",
		},
		"confidential":       map[string]any{"enabled": false, "publicLabel": "A telecom company"},
		"workforceProgramme": map[string]any{"value": "emiratisation", "note": "Ask HR", "acknowledged": true},
		"screeningQuestions": []any{
			map[string]any{"id": "visa", "prompt": "Do you need a visa?", "type": "yes_no", "required": true, "order": expect.Number(0), "source": "custom"},
			map[string]any{
				"id": "shift", "prompt": "Which shift?", "type": "multiple_choice", "required": true, "order": expect.Number(1),
				"options": []any{"Day", "Night"}, "source": "custom",
			},
			map[string]any{"id": "notice", "prompt": "Notice period?", "type": "short_answer", "required": false, "order": expect.Number(2), "source": "default", "defaultKey": "availability"},
			map[string]any{"id": "why", "prompt": "Why you?", "type": "long_answer", "required": false},
			map[string]any{"id": "years", "prompt": "Years of experience?", "type": "number", "required": true, "order": expect.Number(4), "source": "default", "defaultKey": "experience_years"},
		},
	})
}

func TestJobHasAllFields(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t)
	company := p.Company(t)
	for name, c := range map[string]struct {
		body world.Fields
		want map[string]any
	}{
		"least": {world.Draft(), minimalJob(company)},
		"live":  {world.Live(), expect.But(minimalJob(company), map[string]any{"status": "active", "postedAt": expect.Timestamp})},
		"full":  {world.FullJob(), fullJob(company)},
		"nulls": {world.Draft().With("saveAs", nil).With("idempotencyKey", nil).With("compensation", nil).With("eligibility", nil).
			With("workforceProgramme", nil).With("questions", nil).With("confidential", nil), minimalJob(company)},
		"unknown fields": {world.Draft().With("id", "job_x").With("status", "active").With("applicationCount", 7), minimalJob(company)},
		"confidential": {world.Live().With("confidential", world.Fields{"enabled": true}), expect.But(minimalJob(company), map[string]any{
			"status": "active", "postedAt": expect.Timestamp, "distribution": "tabbio_only", "confidential": map[string]any{"enabled": true, "publicLabel": nil},
		})},
	} {
		made := p.Job(t, company, c.body)
		expect.Matches(t, name, c.want, made)
		for _, edge := range p.Edges(p.API) {
			expect.Matches(t, name+", read", made, expect.Success(t, expect.Must(edge.Job(t.Context(), made["id"].(string)))(t)))
		}
	}
}
