package app_test

import (
	"testing"

	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
)

func TestHeadingHidesMaskedEmployer(t *testing.T) {
	t.Parallel()
	a := startAgency(t)
	open := a.post(bareJob(a.company))
	labelled, nameless := bareJob(a.company), bareJob(a.company)
	labelled.Confidential = &partnercatalogv1.Confidentiality{Enabled: true, PublicLabel: ptr("A bank in Dubai")}
	nameless.Confidential = &partnercatalogv1.Confidentiality{Enabled: true}
	masked, unnamed := a.post(labelled), a.post(nameless)
	resp, err := a.postings.ListJobHeadings(t.Context(), &partnercatalogv1.ListJobHeadingsRequest{
		JobIds: []string{open.GetId(), masked.GetId(), unnamed.GetId(), "job_none", "a\x00"},
	})
	if err != nil {
		t.Fatal(err)
	}
	company := a.get("app_1", a.company).GetName()
	want := map[string]*partnercatalogv1.JobHeading{
		open.GetId():    {JobId: open.GetId(), Title: open.GetTitle(), Employer: company},
		masked.GetId():  {JobId: masked.GetId(), Title: masked.GetTitle(), Employer: "A bank in Dubai", Masked: true},
		unnamed.GetId(): {JobId: unnamed.GetId(), Title: unnamed.GetTitle(), Masked: true},
	}
	if len(resp.GetHeadings()) != len(want) || company == "" {
		t.Errorf("company name %q, headings %v", company, resp.GetHeadings())
	}
	for _, h := range resp.GetHeadings() {
		equal(t, "heading", h, want[h.GetJobId()])
	}
}
