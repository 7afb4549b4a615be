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

func TestOperatorsSetWhatThePartnerAPICannot(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t)
	id := p.Company(t)
	for _, c := range []struct {
		flag string
		want map[string]any
	}{
		{"--published=true", map[string]any{"published": true, "verified": false}},
		{"--verified=true", map[string]any{"published": true, "verified": true}},
		{"--published=false", map[string]any{"published": false, "verified": true}},
	} {
		p.Exits(t, 0, "company", "set", id, c.flag)
		got := expect.Success(t, expect.Must(p.API.Company(t.Context(), id))(t))
		for k, v := range c.want {
			expect.Matches(t, c.flag+" "+k, v, got[k])
		}
	}
	pages := partnercatalogv1.NewCompanyPageServiceClient(p.Catalog(t))
	founded, banner := "2009-11-10", "https://noor.example.com/banner.png"
	expect.Must(pages.SetCompanyPage(t.Context(), &partnercatalogv1.SetCompanyPageRequest{CompanyId: id, Founded: &founded, Banner: &banner}))(t)
	got := expect.Success(t, expect.Must(p.API.Company(t.Context(), id))(t))
	expect.Matches(t, "founded", founded, got["founded"])
	expect.Matches(t, "banner", banner, got["banner"])
	p.Exits(t, 1, "company", "set", "com_unknown", "--published=true")
}

func TestPatchChangesTheSentFieldsAlone(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t)
	want := expect.Created(t, expect.Must(p.API.CreateCompany(t.Context(), world.FullCompany()))(t))
	id := want["id"].(string)
	changes := []world.Fields{
		{"name": "Noor Telecom Group"}, {"tagline": "Light for all"}, {"description": world.About + ", and well."},
		{"location": "Sharjah, United Arab Emirates"}, {"website": "http://noor.example.com"}, {"industry": "Energy"},
		{"employeeCount": "201-500"}, {"logo": "https://noor.example.com/l.svg"},
		{"name": "Noor", "tagline": "Light"}, {},
		{"tagline": nil}, {"website": nil, "logo": nil}, {"tagline": ""},
		{"slug": want["slug"], "externalId": want["externalId"]}, {"unknown": 7, "id": "com_x", "published": true, "verified": true, "founded": 7},
	}
	for _, change := range changes {
		what := fmt.Sprint("after ", change)
		got := expect.Success(t, expect.Must(p.API.PatchCompany(t.Context(), id, change))(t))
		for k, v := range change {
			if _, there := want[k]; there && !slices.Contains([]string{"id", "published", "verified", "founded"}, k) {
				want[k] = v
			}
		}
		if want["tagline"] == "" {
			want["tagline"] = nil
		}
		if before, after := expect.Instant(t, want["updatedAt"]), expect.Instant(t, got["updatedAt"]); after.Before(before) {
			t.Errorf("%s: updatedAt went back from %v to %v", what, before, after)
		}
		want["updatedAt"] = expect.Timestamp
		expect.Matches(t, what, want, got)
		want["updatedAt"] = got["updatedAt"]
		expect.Matches(t, what+", read", got, expect.Success(t, expect.Must(p.API.Company(t.Context(), id))(t)))
	}
}

func TestWhatCannotChangeIsRefusedUnlessItIsTheCompanysOwn(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t)
	none := expect.Created(t, expect.Must(p.API.CreateCompany(t.Context(), world.Company()))(t))
	some := expect.Created(t, expect.Must(p.API.CreateCompany(t.Context(), world.FullCompany()))(t))
	for field, bad := range map[string]map[any][]any{
		"slug":       {&some: {"other", "", nil}, &none: {"other", nil}},
		"externalId": {&some: {"other", "", nil}, &none: {"other", ""}},
	} {
		for company, values := range bad {
			for _, v := range values {
				before := *company.(*map[string]any)
				id := before["id"].(string)
				expect.Invalid(t, expect.Must(p.API.PatchCompany(t.Context(), id, world.Fields{field: v, "name": "Renamed"}))(t), field)
				expect.Matches(t, "after the refusal", before, expect.Success(t, expect.Must(p.API.Company(t.Context(), id))(t)))
			}
		}
	}
	for _, own := range []map[string]any{none, some} {
		got := expect.Success(t, expect.Must(p.API.PatchCompany(t.Context(), own["id"].(string), world.Fields{"slug": own["slug"], "externalId": own["externalId"]}))(t))
		expect.Matches(t, "with its own", own, got)
	}
}

func TestSocialsAreMergedAndAnEmptyOneRemovesIt(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t)
	id := p.Company(t)
	pages := partnercatalogv1.NewCompanyPageServiceClient(p.Catalog(t))
	all := world.Fields{}
	for _, k := range []string{"linkedin", "instagram", "youtube", "tiktok", "x", "facebook"} {
		all[k] = "https://" + k + ".example.com/noor"
	}
	all["whatsapp"] = "+971 50 555 0100"
	for _, c := range []struct{ send, want world.Fields }{
		{all, all},
		{world.Fields{}, all},
		{world.Fields{"x": ""}, all.Without("x")},
		{world.Fields{"x": "https://x.com/noor", "youtube": "", "facebook": ""}, all.Without("youtube", "facebook").With("x", "https://x.com/noor")},
		{world.Fields{"myspace": "https://myspace.com/noor"}, all.Without("youtube", "facebook").With("x", "https://x.com/noor")},
	} {
		expect.Success(t, expect.Must(p.API.PatchCompany(t.Context(), id, world.Fields{"socials": c.send}))(t))
		page := expect.Must(pages.GetCompanyPage(t.Context(), &partnercatalogv1.GetCompanyPageRequest{CompanyId: id}))(t).GetPage()
		got := page.GetSocials()
		for k, v := range map[string]string{
			"linkedin": got.GetLinkedin(), "instagram": got.GetInstagram(), "youtube": got.GetYoutube(), "whatsapp": got.GetWhatsapp(),
			"tiktok": got.GetTiktok(), "x": got.GetX(), "facebook": got.GetFacebook(),
		} {
			if want, _ := c.want[k].(string); v != want {
				t.Errorf("after %v: %s is %q, want %q", c.send, k, v, want)
			}
		}
		if page.GetAppId() != p.Created.Apps["ats"].ID {
			t.Errorf("the company is managed by %s", page.GetAppId())
		}
	}
}
