package partnerapi_test

import (
	"fmt"
	"slices"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
)

func TestASectionThatIsSentReplacesTheOneThatIsThere(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t)
	company := p.Company(t)
	want := p.Job(t, company, world.FullJob())
	id := want["id"].(string)
	for _, c := range []struct {
		send world.Fields
		want map[string]any
	}{
		{world.Fields{}, nil},
		{world.Fields{"saveAs": "draft", "idempotencyKey": "", "status": "closed"}, nil}, // PATCH has no such fields
		{world.Fields{"basics": world.Draft()["basics"]}, map[string]any{
			"department": nil, "city": nil, "country": nil, "location": nil, "workMode": "remote", "employment": "full_time", "seniority": "senior",
		}},
		{world.Fields{"content": world.Draft()["content"]}, map[string]any{
			"description": "Keeps the network up.", "responsibilities": []any{"Run the backbone"}, "niceToHave": []any{}, "benefits": []any{},
		}},
		{world.Fields{"compensation": pay(world.Fields{"max": 9})}, map[string]any{
			"salary": map[string]any{"max": expect.Number(9), "currency": "USD", "period": "yearly"}, "salaryVisible": false,
		}},
		{world.Fields{"compensation": nil}, map[string]any{"salary": nil, "salaryVisible": false}},
		{world.Fields{"eligibility": world.Fields{"language": "english"}}, map[string]any{"eligibility": rules(map[string]any{"language": "english"})}},
		{world.Fields{"eligibility": world.Fields{}}, map[string]any{"eligibility": nil}},
		{world.Fields{"eligibility": world.Fields{"language": "arabic", "experienceYears": nil}}, map[string]any{"eligibility": rules(map[string]any{"language": "arabic"})}},
		{world.Fields{"eligibility": nil}, map[string]any{"eligibility": nil}},
		{world.Fields{"questions": []any{}}, map[string]any{"screeningQuestions": []any{}}},
		{world.Fields{"distribution": "hidden"}, map[string]any{"distribution": "hidden"}},
		{world.Fields{"confidential": world.Fields{"enabled": true, "publicLabel": "A"}}, map[string]any{
			"distribution": "tabbio_only", "confidential": map[string]any{"enabled": true, "publicLabel": "A"},
		}},
		{world.Fields{"distribution": "company_page_only"}, map[string]any{"distribution": "tabbio_only"}},
		{world.Fields{"confidential": world.Fields{"enabled": false, "publicLabel": nil}}, map[string]any{
			"distribution": "company_page_only", "confidential": map[string]any{"enabled": false, "publicLabel": nil},
		}},
		{world.Fields{"workforceProgramme": world.Fields{"value": "none"}}, map[string]any{
			"workforceProgramme": map[string]any{"value": "none", "note": nil, "acknowledged": false},
		}},
		{world.Fields{"workforceProgramme": nil}, map[string]any{"workforceProgramme": nil}},
	} {
		what := fmt.Sprint("after ", c.send)
		got := expect.Success(t, expect.Must(p.API.PatchJob(t.Context(), id, c.send))(t))
		if expect.Instant(t, got["updatedAt"]).Before(expect.Instant(t, want["updatedAt"])) {
			t.Errorf("%s: updatedAt went back", what)
		}
		expect.Matches(t, what, expect.But(expect.But(want, c.want), map[string]any{"updatedAt": expect.Timestamp}), got)
		expect.Matches(t, what+", read", got, expect.Success(t, expect.Must(p.API.Job(t.Context(), id))(t)))
		want = got
	}
}

func TestWhatTheJobDoesNotShowIsReadableByInternalTeams(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t)
	job := p.Job(t, p.Company(t), world.FullJob())["id"].(string)
	postings := partnercatalogv1.NewJobPostingServiceClient(p.Catalog(t))
	got := expect.Must(postings.GetJobPosting(t.Context(), &partnercatalogv1.GetJobPostingRequest{JobId: job}))(t).GetPosting()
	programme, confidential := got.GetWorkforceProgramme(), got.GetConfidential()
	if programme.GetValue() != partnercatalogv1.Programme_PROGRAMME_EMIRATISATION || programme.GetNote() != "Ask HR" || !programme.GetAcknowledged() {
		t.Errorf("programme %v", programme)
	}
	if confidential == nil || confidential.GetEnabled() || confidential.GetPublicLabel() != "A telecom company" {
		t.Errorf("confidential %v", confidential)
	}
	if got.GetAppId() != p.Created.Apps["ats"].ID {
		t.Errorf("app %s", got.GetAppId())
	}
}

func TestQuestionsKeepTheirIds(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t)
	ask := func(id, prompt string) world.Fields {
		q := world.Fields{"prompt": prompt, "type": "yes_no", "required": false}
		if id == "" {
			return q
		}
		return q.With("id", id)
	}
	job := p.Job(t, p.Company(t), world.Draft().With("questions", []any{ask("", "One?"), ask("mine", "Two?"), ask("", "Three?")}))
	ids := expect.Column(expect.Objects(t, job["screeningQuestions"]), "id")
	if ids[1] != "mine" || ids[0] == "" || ids[2] == "" || ids[0] == ids[2] {
		t.Fatalf("ids %q", ids)
	}
	// One question is left out, one is changed, one is new. They stand in the order in
	// which they were sent.
	got := expect.Success(t, expect.Must(p.API.PatchJob(t.Context(), job["id"].(string), world.Fields{"questions": []any{
		ask(ids[2], "Three, changed?"), ask("", "Four?"), ask(ids[0], "One?"),
	}}))(t))
	now := expect.Objects(t, got["screeningQuestions"])
	after := expect.Column(now, "id")
	if after[0] != ids[2] || after[2] != ids[0] || after[1] == "" || after[1] == "mine" {
		t.Errorf("ids were %q, are %q", ids, after)
	}
	if prompts := expect.Column(now, "prompt"); fmt.Sprint(prompts) != "[Three, changed? Four? One?]" {
		t.Errorf("prompts %q", prompts)
	}
	// The same list without ids is the same questions. One with another prompt is new.
	got = expect.Success(t, expect.Must(p.API.PatchJob(t.Context(), job["id"].(string), world.Fields{"questions": []any{
		ask("", "One?"), ask("", "Three, changed?"), ask("", "Four, changed?"),
	}}))(t))
	last := expect.Column(expect.Objects(t, got["screeningQuestions"]), "id")
	if last[0] != ids[0] || last[1] != ids[2] || slices.Contains(after, last[2]) {
		t.Errorf("without ids: ids were %q, are %q", after, last)
	}
}
