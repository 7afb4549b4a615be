package partnerapi_test

import (
	"maps"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
)

// leastJob is what a job shows that was created from world.Draft.
func leastJob(company string) map[string]any {
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

// fullJob is what a job shows that was created from world.FullJob.
func fullJob(company string) map[string]any {
	return expect.But(leastJob(company), map[string]any{
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

func TestJobHasExactlyItsFields(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t)
	company := p.Company(t)
	for name, c := range map[string]struct {
		body world.Fields
		want map[string]any
	}{
		"least":     {world.Draft(), leastJob(company)},
		"no saveAs": {world.Draft().Without("saveAs"), leastJob(company)},
		"live":      {world.Live(), expect.But(leastJob(company), map[string]any{"status": "active", "postedAt": expect.Timestamp})},
		"full":      {world.FullJob(), fullJob(company)},
		"nulls": {world.Draft().With("saveAs", nil).With("idempotencyKey", nil).With("compensation", nil).With("eligibility", nil).
			With("workforceProgramme", nil).With("questions", nil).With("confidential", nil), leastJob(company)},
		"unknown fields": {world.Draft().With("id", "job_x").With("status", "active").With("applicationCount", 7), leastJob(company)},
		"blank draft":    {blankDraft(), expect.But(leastJob(company), map[string]any{"title": "", "description": nil, "responsibilities": []any{}, "requirements": []any{}})},
		"min alone":      {world.Live().With("compensation", pay(world.Fields{"min": 5})), livePaid(company, map[string]any{"min": expect.Number(5), "currency": "USD", "period": "yearly"})},
		"max alone":      {world.Live().With("compensation", pay(world.Fields{"max": 7.25})), livePaid(company, map[string]any{"max": expect.Number(7.25), "currency": "USD", "period": "yearly"})},
		"nothing":        {world.Live().With("compensation", pay(world.Fields{"min": 0, "max": 0})), livePaid(company, map[string]any{"min": expect.Number(0), "max": expect.Number(0), "currency": "USD", "period": "yearly"})},
		"one rule":       {world.Draft().With("eligibility", world.Fields{"language": "arabic"}), expect.But(leastJob(company), map[string]any{"eligibility": rules(map[string]any{"language": "arabic"})})},
		"any rule":       {world.Draft().With("eligibility", world.Fields{"language": "any"}), expect.But(leastJob(company), map[string]any{"eligibility": rules(nil)})},
		"no rule":        {world.Draft().With("eligibility", world.Fields{}), leastJob(company)},
		"country alone":  {basics("country", "Jordan"), expect.But(leastJob(company), map[string]any{"country": "Jordan", "location": "Jordan"})},
		"city alone":     {basics("city", "Amman"), expect.But(leastJob(company), map[string]any{"city": "Amman", "location": "Amman"})},
		"confidential": {world.Live().With("confidential", world.Fields{"enabled": true}), expect.But(leastJob(company), map[string]any{
			"status": "active", "postedAt": expect.Timestamp, "distribution": "tabbio_only", "confidential": map[string]any{"enabled": true, "publicLabel": nil},
		})},
		"not confidential": {world.Draft().With("confidential", world.Fields{"enabled": false}), leastJob(company)},
	} {
		made := p.Job(t, company, c.body)
		expect.Matches(t, name, c.want, made)
		for _, edge := range p.Edges(p.API) {
			expect.Matches(t, name+", read", made, expect.Success(t, expect.Must(edge.Job(t.Context(), made["id"].(string)))(t)))
		}
	}
}

func blankDraft() world.Fields {
	return basics("title", "").With("content", world.Fields{"summary": " ", "responsibilities": []any{}, "requirements": []any{}})
}

// basics is a draft with one value in its basics set.
func basics(key string, value any) world.Fields {
	return world.Draft().With("basics", world.Draft()["basics"].(world.Fields).With(key, value))
}

// pay is a compensation with its required fields and some more.
func pay(more world.Fields) world.Fields {
	out := world.Fields{"currency": "USD", "period": "yearly", "visible": false}
	maps.Copy(out, more)
	return out
}

func livePaid(company string, salary map[string]any) map[string]any {
	return expect.But(leastJob(company), map[string]any{"status": "active", "postedAt": expect.Timestamp, "salary": salary})
}

// rules is an eligibility in which every rule is "any" that is not given.
func rules(said map[string]any) map[string]any {
	return expect.But(map[string]any{"candidateLocation": "any", "experienceYears": "any", "language": "any", "workEligibility": "any"}, said)
}
