package partnerapi_test

import (
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
)

func TestOperatorsSetCompanyFields(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t)
	id := p.Company(t)
	p.Exits(t, 0, "company", "set", id, "--published=true")
	p.Exits(t, 0, "company", "set", id, "--verified=true")
	pages := partnercatalogv1.NewCompanyPageServiceClient(p.Catalog(t))
	founded, banner := "2009-11-10", "https://noor.example.com/banner.png"
	expect.Must(pages.SetCompanyPage(t.Context(), &partnercatalogv1.SetCompanyPageRequest{CompanyId: id, Founded: &founded, Banner: &banner}))(t)
	got := expect.Success(t, expect.Must(p.API.Company(t.Context(), id))(t))
	for k, want := range map[string]any{"published": true, "verified": true, "founded": founded, "banner": banner} {
		expect.Matches(t, k, want, got[k])
	}
	p.Exits(t, 1, "company", "set", "com_unknown", "--published=true")
}

func TestPatchChangesOnlySentFields(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t)
	want := expect.Created(t, expect.Must(p.API.CreateCompany(t.Context(), world.FullCompany()))(t))
	id := want["id"].(string)
	const linkedin, x = "https://linkedin.example.com/noor", "https://x.example.com/noor"
	for _, change := range []world.Fields{
		{"name": "Noor", "tagline": "Light for all"}, {"website": nil, "tagline": nil},
		{"socials": world.Fields{"linkedin": linkedin, "x": x}}, {"socials": world.Fields{"x": ""}},
	} {
		got := expect.Success(t, expect.Must(p.API.PatchCompany(t.Context(), id, change))(t))
		for k, v := range change.Without("socials") {
			want[k] = v
		}
		want["updatedAt"] = expect.Timestamp
		expect.Matches(t, "the company", want, got)
	}
	// The links are on the company's page, which the REST API does not return.
	pages := partnercatalogv1.NewCompanyPageServiceClient(p.Catalog(t))
	socials := expect.Must(pages.GetCompanyPage(t.Context(), &partnercatalogv1.GetCompanyPageRequest{CompanyId: id}))(t).GetPage().GetSocials()
	if socials.GetLinkedin() != linkedin || socials.GetX() != "" {
		t.Errorf("links %v", socials)
	}

	before := expect.Success(t, expect.Must(p.API.Company(t.Context(), id))(t))
	expect.Invalid(t, expect.Must(p.API.PatchCompany(t.Context(), id, world.Fields{"name": "Renamed", "slug": "other"}))(t), "slug")
	expect.Invalid(t, expect.Must(p.API.PatchCompany(t.Context(), id, world.Fields{"name": 7}))(t), "name")
	expect.Matches(t, "after the rejected changes", before, expect.Success(t, expect.Must(p.API.Company(t.Context(), id))(t)))
}
