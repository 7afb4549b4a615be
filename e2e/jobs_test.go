package e2e_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/world"
	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
)

// leastJob is the job that world.Draft makes.
func leastJob(company string) map[string]any {
	return map[string]any{
		"id": prefixed("job_"), "companyId": company, "title": "Network engineer", "description": "Keeps the network up.",
		"status": "draft", "workMode": "remote", "employment": "full_time", "seniority": "senior", "department": nil,
		"city": nil, "country": nil, "location": nil, "salary": nil, "salaryVisible": false, "distribution": "tabbio_and_company",
		"responsibilities": []any{"Run the backbone"}, "requirements": []any{"Knows BGP"}, "niceToHave": []any{}, "benefits": []any{},
		"screeningQuestions": []any{}, "eligibility": nil, "applicationCount": number(0), "postedAt": nil,
		"createdAt": timestamp, "updatedAt": timestamp,
	}
}

// but is a wanted job with some values changed.
func but(want map[string]any, changes map[string]any) map[string]any {
	out := maps.Clone(want)
	maps.Copy(out, changes)
	return out
}

// fullJob is the job that world.FullJob makes.
func fullJob(company string) map[string]any {
	return but(leastJob(company), map[string]any{
		"description": "Keeps the network up.\n\nAll of it.", "status": "active", "workMode": "hybrid", "employment": "contract",
		"seniority": "lead", "department": "Backbone", "city": "Dubai", "country": "United Arab Emirates",
		"location":      "Dubai, United Arab Emirates",
		"salary":        map[string]any{"min": number(18000), "max": number(25000.5), "currency": "AED", "period": "monthly"},
		"salaryVisible": true, "distribution": "company_page_only", "responsibilities": []any{"Run the backbone", "Mentor"},
		"niceToHave": []any{"Speaks Arabic"}, "benefits": []any{"Health insurance", "Flights home"}, "postedAt": timestamp,
		"eligibility": map[string]any{
			"candidateLocation": "gcc", "experienceYears": "5_plus", "language": "english_or_arabic", "workEligibility": "eligible_or_sponsorship",
		},
		"screeningQuestions": []any{
			map[string]any{"id": "visa", "prompt": "Do you need a visa?", "type": "yes_no", "required": true, "order": number(0), "source": "custom"},
			map[string]any{
				"id": "shift", "prompt": "Which shift?", "type": "multiple_choice", "required": true, "order": number(1),
				"options": []any{"Day", "Night"}, "source": "custom",
			},
			map[string]any{"id": "notice", "prompt": "Notice period?", "type": "short_answer", "required": false, "order": number(2), "source": "default", "defaultKey": "availability"},
			map[string]any{"id": "why", "prompt": "Why you?", "type": "long_answer", "required": false},
			map[string]any{"id": "years", "prompt": "Years of experience?", "type": "number", "required": true, "order": number(4), "source": "default", "defaultKey": "experience_years"},
		},
	})
}

func TestJobHasExactlyItsFields(t *testing.T) {
	t.Parallel()
	p := newPlatform(t)
	company := p.company(t)
	for name, c := range map[string]struct {
		body world.Fields
		want map[string]any
	}{
		"least":            {world.Draft(), leastJob(company)},
		"no saveAs":        {world.Draft().Without("saveAs"), leastJob(company)},
		"live":             {world.Live(), but(leastJob(company), map[string]any{"status": "active", "postedAt": timestamp})},
		"full":             {world.FullJob(), fullJob(company)},
		"unknown fields":   {world.Draft().With("id", "job_x").With("status", "active").With("applicationCount", 7), leastJob(company)},
		"blank draft":      {blankDraft(), but(leastJob(company), map[string]any{"title": "", "description": nil, "responsibilities": []any{}, "requirements": []any{}})},
		"min alone":        {world.Live().With("compensation", pay(world.Fields{"min": 5})), livePaid(company, map[string]any{"min": number(5), "currency": "USD", "period": "yearly"})},
		"max alone":        {world.Live().With("compensation", pay(world.Fields{"max": 7.25})), livePaid(company, map[string]any{"max": number(7.25), "currency": "USD", "period": "yearly"})},
		"nothing":          {world.Live().With("compensation", pay(world.Fields{"min": 0, "max": 0})), livePaid(company, map[string]any{"min": number(0), "max": number(0), "currency": "USD", "period": "yearly"})},
		"one rule":         {world.Draft().With("eligibility", world.Fields{"language": "arabic"}), but(leastJob(company), map[string]any{"eligibility": rules(map[string]any{"language": "arabic"})})},
		"any rule":         {world.Draft().With("eligibility", world.Fields{"language": "any"}), but(leastJob(company), map[string]any{"eligibility": rules(nil)})},
		"no rule":          {world.Draft().With("eligibility", world.Fields{}), leastJob(company)},
		"country alone":    {basics("country", "Jordan"), but(leastJob(company), map[string]any{"country": "Jordan", "location": "Jordan"})},
		"city alone":       {basics("city", "Amman"), but(leastJob(company), map[string]any{"city": "Amman", "location": "Amman"})},
		"confidential":     {world.Live().With("confidential", world.Fields{"enabled": true}), but(leastJob(company), map[string]any{"status": "active", "postedAt": timestamp, "distribution": "tabbio_only"})},
		"not confidential": {world.Draft().With("confidential", world.Fields{"enabled": false}), leastJob(company)},
	} {
		made := p.job(t, company, c.body)
		matches(t, name, c.want, made)
		for _, edge := range p.edges(p.api) {
			matches(t, name+", read", made, success(t, must(edge.Job(t.Context(), made["id"].(string)))(t)))
		}
	}
}

func blankDraft() world.Fields {
	return basics("title", "").With("content", world.Fields{"summary": " ", "responsibilities": []any{}, "requirements": []any{}})
}

// basics is a draft with one more or another value in its basics.
func basics(key string, value any) world.Fields {
	return world.Draft().With("basics", world.Draft()["basics"].(world.Fields).With(key, value))
}

// pay is a compensation with the fields that it must have.
func pay(more world.Fields) world.Fields {
	out := world.Fields{"currency": "USD", "period": "yearly", "visible": false}
	maps.Copy(out, more)
	return out
}

func livePaid(company string, salary map[string]any) map[string]any {
	return but(leastJob(company), map[string]any{"status": "active", "postedAt": timestamp, "salary": salary})
}

// rules are an eligibility whose other rules are any.
func rules(said map[string]any) map[string]any {
	return but(map[string]any{"candidateLocation": "any", "experienceYears": "any", "language": "any", "workEligibility": "any"}, said)
}

func TestEveryAllowedValueOfAJobIsTakenAndShown(t *testing.T) {
	t.Parallel()
	p := newPlatform(t)
	company := p.company(t)
	draft := p.job(t, company, world.Draft())["id"].(string)
	show := func(body world.Fields, want string, keys ...string) {
		t.Helper()
		got := success(t, must(p.api.PatchJob(t.Context(), draft, body))(t))
		matches(t, fmt.Sprint(keys), want, at(got, keys...))
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
	postings := partnercatalogv1.NewJobPostingServiceClient(p.catalog(t))
	for _, v := range []string{
		"none", "emirati", "saudi", "qatari", "kuwaiti", "bahraini", "omani", "gcc", "other", "emiratisation", "saudization",
	} {
		success(t, must(p.api.PatchJob(t.Context(), draft, world.Fields{"workforceProgramme": world.Fields{"value": v, "acknowledged": true}}))(t))
		got := must(postings.GetJobPosting(t.Context(), &partnercatalogv1.GetJobPostingRequest{JobId: draft}))(t).GetPosting()
		if name := got.GetWorkforceProgramme().GetValue().String(); name != "PROGRAMME_"+strings.ToUpper(v) {
			t.Errorf("programme %s is kept as %s", v, name)
		}
	}
	for _, v := range []string{"education", "experience_years", "expected_salary", "availability"} {
		got := success(t, must(p.api.PatchJob(t.Context(), draft, world.Fields{"questions": []any{
			world.Fields{"prompt": "?", "type": "number", "required": false, "source": "default", "defaultKey": v},
		}}))(t))
		question := got["screeningQuestions"].([]any)[0]
		matches(t, "question", map[string]any{
			"id": identifier, "prompt": "?", "type": "number", "required": false, "source": "default", "defaultKey": v,
		}, question)
	}
}

func TestASectionThatIsSentReplacesTheOneThatIsThere(t *testing.T) {
	t.Parallel()
	p := newPlatform(t)
	company := p.company(t)
	want := p.job(t, company, world.FullJob())
	id := want["id"].(string)
	for _, c := range []struct {
		send world.Fields
		want map[string]any
	}{
		{world.Fields{}, nil},
		{world.Fields{"saveAs": "draft", "idempotencyKey": "", "status": "closed"}, nil}, // unknown fields here
		{world.Fields{"basics": world.Draft()["basics"]}, map[string]any{
			"department": nil, "city": nil, "country": nil, "location": nil, "workMode": "remote", "employment": "full_time", "seniority": "senior",
		}},
		{world.Fields{"content": world.Draft()["content"]}, map[string]any{
			"description": "Keeps the network up.", "responsibilities": []any{"Run the backbone"}, "niceToHave": []any{}, "benefits": []any{},
		}},
		{world.Fields{"compensation": pay(world.Fields{"max": 9})}, map[string]any{
			"salary": map[string]any{"max": number(9), "currency": "USD", "period": "yearly"}, "salaryVisible": false,
		}},
		{world.Fields{"compensation": nil}, map[string]any{"salary": nil, "salaryVisible": false}},
		{world.Fields{"eligibility": world.Fields{"language": "english"}}, map[string]any{"eligibility": rules(map[string]any{"language": "english"})}},
		{world.Fields{"eligibility": world.Fields{}}, map[string]any{"eligibility": nil}},
		{world.Fields{"questions": []any{}}, map[string]any{"screeningQuestions": []any{}}},
		{world.Fields{"distribution": "hidden"}, map[string]any{"distribution": "hidden"}},
		{world.Fields{"confidential": world.Fields{"enabled": true}}, map[string]any{"distribution": "tabbio_only"}},
		{world.Fields{"distribution": "hidden"}, map[string]any{"distribution": "tabbio_only"}},
		{world.Fields{"confidential": world.Fields{"enabled": false}}, map[string]any{"distribution": "tabbio_only"}},
		{world.Fields{"distribution": "tabbio_and_company"}, map[string]any{"distribution": "tabbio_and_company"}},
	} {
		what := fmt.Sprint("after ", c.send)
		got := success(t, must(p.api.PatchJob(t.Context(), id, c.send))(t))
		if instant(t, got["updatedAt"]).Before(instant(t, want["updatedAt"])) {
			t.Errorf("%s: updatedAt went back", what)
		}
		matches(t, what, but(but(want, c.want), map[string]any{"updatedAt": timestamp}), got)
		matches(t, what+", read", got, success(t, must(p.api.Job(t.Context(), id))(t)))
		want = got
	}
}

func TestWhatTheJobDoesNotShowIsReadableByInternalTeams(t *testing.T) {
	t.Parallel()
	p := newPlatform(t)
	job := p.job(t, p.company(t), world.FullJob())["id"].(string)
	postings := partnercatalogv1.NewJobPostingServiceClient(p.catalog(t))
	got := must(postings.GetJobPosting(t.Context(), &partnercatalogv1.GetJobPostingRequest{JobId: job}))(t).GetPosting()
	programme, confidential := got.GetWorkforceProgramme(), got.GetConfidential()
	if programme.GetValue() != partnercatalogv1.Programme_PROGRAMME_EMIRATISATION || programme.GetNote() != "Ask HR" || !programme.GetAcknowledged() {
		t.Errorf("programme %v", programme)
	}
	if confidential == nil || confidential.GetEnabled() || confidential.GetPublicLabel() != "A telecom company" {
		t.Errorf("confidential %v", confidential)
	}
	if got.GetAppId() != p.created.Apps["ats"].ID {
		t.Errorf("app %s", got.GetAppId())
	}
}

func TestQuestionsKeepTheirIds(t *testing.T) {
	t.Parallel()
	p := newPlatform(t)
	ask := func(id, prompt string) world.Fields {
		q := world.Fields{"prompt": prompt, "type": "yes_no", "required": false}
		if id == "" {
			return q
		}
		return q.With("id", id)
	}
	job := p.job(t, p.company(t), world.Draft().With("questions", []any{ask("", "One?"), ask("mine", "Two?"), ask("", "Three?")}))
	ids := column(objects(t, job["screeningQuestions"]), "id")
	if ids[1] != "mine" || ids[0] == "" || ids[2] == "" || ids[0] == ids[2] {
		t.Fatalf("ids %q", ids)
	}
	// One goes, one changes, one is new, and their order is the one they are sent in.
	got := success(t, must(p.api.PatchJob(t.Context(), job["id"].(string), world.Fields{"questions": []any{
		ask(ids[2], "Three, changed?"), ask("", "Four?"), ask(ids[0], "One?"),
	}}))(t))
	now := objects(t, got["screeningQuestions"])
	after := column(now, "id")
	if after[0] != ids[2] || after[2] != ids[0] || after[1] == "" || after[1] == "mine" {
		t.Errorf("ids were %q, are %q", ids, after)
	}
	if prompts := column(now, "prompt"); fmt.Sprint(prompts) != "[Three, changed? Four? One?]" {
		t.Errorf("prompts %q", prompts)
	}
}

// objects is a list of objects.
func objects(t testing.TB, v any) []map[string]any {
	t.Helper()
	items, ok := v.([]any)
	if !ok {
		t.Fatalf("%v is no list", v)
	}
	var out []map[string]any
	for _, item := range items {
		o, ok := item.(map[string]any)
		if !ok {
			t.Fatalf("%v is no object", item)
		}
		out = append(out, o)
	}
	return out
}
