package e2e_test

import (
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/world"
	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
)

// wantCompany is a company as it must show right after it was made from a body.
func wantCompany(body world.Fields) map[string]any {
	want := map[string]any{
		"id": prefixed("com_"), "slug": identifier, "tagline": nil, "website": nil, "founded": nil, "logo": nil, "banner": nil,
		"published": false, "verified": false, "externalId": nil, "createdAt": timestamp, "updatedAt": timestamp,
	}
	maps.Copy(want, body)
	return want
}

func prefixed(prefix string) matcher {
	return func(v any) error {
		if s, ok := v.(string); !ok || len(s) <= len(prefix) || !strings.HasPrefix(s, prefix) {
			return fmt.Errorf("%v, want an id with prefix %q", v, prefix)
		}
		return nil
	}
}

func TestCompanyHasExactlyItsFields(t *testing.T) {
	t.Parallel()
	p := newPlatform(t)
	for name, body := range map[string]world.Fields{"least": world.Company(), "full": world.FullCompany()} {
		made := created(t, must(p.api.CreateCompany(t.Context(), body))(t))
		matches(t, name, wantCompany(body), made)
		if made["createdAt"] != made["updatedAt"] {
			t.Errorf("%s: created at %v, updated at %v", name, made["createdAt"], made["updatedAt"])
		}
		for _, edge := range p.edges(p.api) {
			matches(t, name+", read", made, success(t, must(edge.Company(t.Context(), made["id"].(string)))(t)))
		}
		rows, _ := listed(t, must(p.api.Companies(t.Context(), "pageSize=1"))(t))
		matches(t, name+", listed", made, rows[0])
	}
}

func TestOperatorsSetWhatThePartnerAPICannot(t *testing.T) {
	t.Parallel()
	p := newPlatform(t)
	id := p.company(t)
	for _, c := range []struct {
		flag string
		want map[string]any
	}{
		{"--published=true", map[string]any{"published": true, "verified": false}},
		{"--verified=true", map[string]any{"published": true, "verified": true}},
		{"--published=false", map[string]any{"published": false, "verified": true}},
	} {
		p.status(t, 0, "company", "set", id, c.flag)
		got := success(t, must(p.api.Company(t.Context(), id))(t))
		for k, v := range c.want {
			matches(t, c.flag+" "+k, v, got[k])
		}
	}
	pages := partnercatalogv1.NewCompanyPageServiceClient(p.catalog(t))
	founded, banner := "2009-11-10", "https://noor.example.com/banner.png"
	must(pages.SetCompanyPage(t.Context(), &partnercatalogv1.SetCompanyPageRequest{CompanyId: id, Founded: &founded, Banner: &banner}))(t)
	got := success(t, must(p.api.Company(t.Context(), id))(t))
	matches(t, "founded", founded, got["founded"])
	matches(t, "banner", banner, got["banner"])
	p.status(t, 1, "company", "set", "com_unknown", "--published=true")
}

func TestPatchChangesTheSentFieldsAlone(t *testing.T) {
	t.Parallel()
	p := newPlatform(t)
	want := created(t, must(p.api.CreateCompany(t.Context(), world.FullCompany()))(t))
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
		got := success(t, must(p.api.PatchCompany(t.Context(), id, change))(t))
		for k, v := range change {
			if _, there := want[k]; there && !slices.Contains([]string{"id", "published", "verified", "founded"}, k) {
				want[k] = v
			}
		}
		if want["tagline"] == "" {
			want["tagline"] = nil
		}
		if before, after := instant(t, want["updatedAt"]), instant(t, got["updatedAt"]); after.Before(before) {
			t.Errorf("%s: updatedAt went back from %v to %v", what, before, after)
		}
		want["updatedAt"] = timestamp
		matches(t, what, want, got)
		want["updatedAt"] = got["updatedAt"]
		matches(t, what+", read", got, success(t, must(p.api.Company(t.Context(), id))(t)))
	}
}

func TestWhatCannotChangeIsRefusedUnlessItIsTheCompanysOwn(t *testing.T) {
	t.Parallel()
	p := newPlatform(t)
	none := created(t, must(p.api.CreateCompany(t.Context(), world.Company()))(t))
	some := created(t, must(p.api.CreateCompany(t.Context(), world.FullCompany()))(t))
	for field, bad := range map[string]map[any][]any{
		"slug":       {&some: {"other", "", nil}, &none: {"other", nil}},
		"externalId": {&some: {"other", "", nil}, &none: {"other", ""}},
	} {
		for company, values := range bad {
			for _, v := range values {
				before := *company.(*map[string]any)
				id := before["id"].(string)
				invalid(t, must(p.api.PatchCompany(t.Context(), id, world.Fields{field: v, "name": "Renamed"}))(t), field)
				matches(t, "after the refusal", before, success(t, must(p.api.Company(t.Context(), id))(t)))
			}
		}
	}
	for _, own := range []map[string]any{none, some} {
		got := success(t, must(p.api.PatchCompany(t.Context(), own["id"].(string), world.Fields{"slug": own["slug"], "externalId": own["externalId"]}))(t))
		matches(t, "with its own", own, got)
	}
}

func TestSocialsAreMergedAndAnEmptyOneRemovesIt(t *testing.T) {
	t.Parallel()
	p := newPlatform(t)
	id := p.company(t)
	pages := partnercatalogv1.NewCompanyPageServiceClient(p.catalog(t))
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
		success(t, must(p.api.PatchCompany(t.Context(), id, world.Fields{"socials": c.send}))(t))
		page := must(pages.GetCompanyPage(t.Context(), &partnercatalogv1.GetCompanyPageRequest{CompanyId: id}))(t).GetPage()
		got := page.GetSocials()
		for k, v := range map[string]string{
			"linkedin": got.GetLinkedin(), "instagram": got.GetInstagram(), "youtube": got.GetYoutube(), "whatsapp": got.GetWhatsapp(),
			"tiktok": got.GetTiktok(), "x": got.GetX(), "facebook": got.GetFacebook(),
		} {
			if want, _ := c.want[k].(string); v != want {
				t.Errorf("after %v: %s is %q, want %q", c.send, k, v, want)
			}
		}
		if page.GetAppId() != p.created.Apps["ats"].ID {
			t.Errorf("the company is managed by %s", page.GetAppId())
		}
	}
}

func TestSlugsAreDerivedFromTheNameUniqueAndTransliterated(t *testing.T) {
	t.Parallel()
	p := newPlatform(t)
	u := world.Unique()
	for _, c := range []struct{ name, slug string }{
		{"Noor Telecom " + u, "^noor-telecom-" + u + "$"},
		{"Noor Telecom " + u, "^noor-telecom-" + u + "-2$"},
		{"  NOOR  telecom, " + u + "!", "^noor-telecom-" + u + "-3$"},
		{"Société Générale " + u, "^societe-generale-" + u + "$"},
		{"شركة النور " + u, "^([a-z0-9-]+-)?" + u + "$"},
		{"شركة النور", "^[a-z][a-z0-9-]+$"},
		{"株式会社", "^[a-z][a-z0-9-]*$"},
		{"✺✺✺", "^company-[a-z0-9]+$"},
		{strings.Repeat("long ", 38) + u, "^long(-[a-z0-9]+)+$"},
	} {
		slug := created(t, must(p.api.CreateCompany(t.Context(), world.Company().With("name", c.name)))(t))["slug"].(string)
		if !regexp.MustCompile(c.slug).MatchString(slug) || len(slug) > 64 || strings.HasSuffix(slug, "-") {
			t.Errorf("%q became %q, want %s", c.name, slug, c.slug)
		}
	}
	taken := must(p.api.CreateCompany(t.Context(), world.Company().With("slug", "noor-telecom-"+u)))(t)
	invalid(t, taken, "slug")
	// Slugs are unique among all apps.
	rival := p.key(t, "rival-key")
	invalid(t, must(rival.CreateCompany(t.Context(), world.Company().With("slug", "noor-telecom-"+u)))(t), "slug")
}

func TestRepeatedExternalIDAnswersWithTheCompanyAsItIsNow(t *testing.T) {
	t.Parallel()
	p := newPlatform(t)
	body := world.FullCompany()
	first := created(t, must(p.api.CreateCompany(t.Context(), body))(t))
	id := first["id"].(string)
	now := success(t, must(p.api.PatchCompany(t.Context(), id, world.Fields{"name": "Renamed"}))(t))
	for i, edge := range p.edges(p.api) {
		// What else is sent does not matter, its own slug included.
		again := body.With("name", fmt.Sprint("Other ", i))
		matches(t, "again", now, success(t, must(edge.CreateCompany(t.Context(), again))(t)))
		matches(t, "without a slug", now, success(t, must(edge.CreateCompany(t.Context(), again.Without("slug")))(t)))
	}
	// A body that is no company is refused all the same.
	invalid(t, must(p.api.CreateCompany(t.Context(), body.Without("industry")))(t), "industry")
	// Identifiers are an app's own, and compared as they are.
	for _, c := range []struct {
		key, external string
	}{{"rival-key", body["externalId"].(string)}, {"sibling-key", body["externalId"].(string)}, {"ats-key", strings.ToUpper(body["externalId"].(string))}} {
		other := created(t, must(p.key(t, c.key).CreateCompany(t.Context(), body.Without("slug").With("externalId", c.external)))(t))
		if other["id"] == id {
			t.Errorf("%s got the company of another", c.key)
		}
	}
	if _, total := listed(t, must(p.api.Companies(t.Context(), ""))(t)); total != 2 {
		t.Errorf("%d companies, want 2", total)
	}
}

func TestCompaniesAreListedForTheirAppAloneNewestFirst(t *testing.T) {
	t.Parallel()
	p := newPlatform(t)
	rows, total := listed(t, must(p.api.Companies(t.Context(), ""))(t))
	if total != 0 || len(rows) != 0 {
		t.Errorf("a new app has %d companies", total)
	}
	p.companyOf(t, "rival-key")
	p.companyOf(t, "sibling-key")
	var ids []string
	for range 7 {
		ids = append([]string{p.company(t)}, ids...)
	}
	pagesOf(t, func(query string) partner.Answer { return must(p.api.Companies(t.Context(), query))(t) }, "id", ids)
}

func TestACompanyOfAnotherAppLooksLikeNone(t *testing.T) {
	t.Parallel()
	p := newPlatform(t)
	theirs := p.companyOf(t, "rival-key")
	unknown := must(p.api.Company(t.Context(), "com_unknown"))(t)
	foreign := must(p.api.Company(t.Context(), theirs))(t)
	if unknown.Status != http.StatusForbidden || string(unknown.Body) != string(foreign.Body) {
		t.Errorf("an unknown company answers %s, a foreign one %s", unknown, foreign)
	}
}
