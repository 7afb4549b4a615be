package partnerapi_test

import (
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
)

func TestPatchReplacesSentSections(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t)
	want := p.Job(t, p.Company(t), world.FullJob())
	id := want["id"].(string)
	for what, c := range map[string]struct {
		send world.Fields
		want map[string]any
	}{
		"a section": {world.Fields{"content": world.Draft()["content"]}, map[string]any{
			"description": "Keeps the network up.", "responsibilities": []any{"Run the backbone"}, "niceToHave": []any{}, "benefits": []any{},
		}},
		"null":           {world.Fields{"compensation": nil}, map[string]any{"salary": nil, "salaryVisible": false}},
		"an empty list":  {world.Fields{"questions": []any{}}, map[string]any{"screeningQuestions": []any{}}},
		"unknown fields": {world.Fields{"saveAs": "draft", "status": "closed", "companyId": "com_x"}, nil},
	} {
		got := expect.Success(t, expect.Must(p.API.PatchJob(t.Context(), id, c.send))(t))
		expect.Matches(t, what, expect.But(expect.But(want, c.want), map[string]any{"updatedAt": expect.Timestamp}), got)
		want = got
	}
	expect.Invalid(t, expect.Must(p.API.PatchJob(t.Context(), id, world.Fields{"basics": world.Fields{"title": 7}}))(t), "basics.title")
	expect.Matches(t, "after a rejected change", want, expect.Success(t, expect.Must(p.API.Job(t.Context(), id))(t)))
}

func TestInternalTeamsSeeAllJobFields(t *testing.T) {
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
