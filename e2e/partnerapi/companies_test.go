package partnerapi_test

import (
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
)

// wantCompany is what a company must show after it was created from a body.
func wantCompany(body world.Fields) map[string]any {
	want := map[string]any{
		"id": prefixed("com_"), "slug": expect.Identifier, "tagline": nil, "website": nil, "founded": nil, "logo": nil, "banner": nil,
		"published": false, "verified": false, "externalId": nil, "createdAt": expect.Timestamp, "updatedAt": expect.Timestamp,
	}
	maps.Copy(want, body)
	return want
}

func prefixed(prefix string) expect.Matcher {
	return func(v any) error {
		if s, ok := v.(string); !ok || len(s) <= len(prefix) || !strings.HasPrefix(s, prefix) {
			return fmt.Errorf("%v, want an id with prefix %q", v, prefix)
		}
		return nil
	}
}

func TestCompanyHasExactlyItsFields(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t)
	for name, body := range map[string]world.Fields{
		"least": world.Company(), "full": world.FullCompany(), "nulls": world.Company().With("website", nil).With("logo", nil).With("externalId", nil),
	} {
		made := expect.Created(t, expect.Must(p.API.CreateCompany(t.Context(), body))(t))
		expect.Matches(t, name, wantCompany(body), made)
		if made["createdAt"] != made["updatedAt"] {
			t.Errorf("%s: created at %v, updated at %v", name, made["createdAt"], made["updatedAt"])
		}
		for _, edge := range p.Edges(p.API) {
			expect.Matches(t, name+", read", made, expect.Success(t, expect.Must(edge.Company(t.Context(), made["id"].(string)))(t)))
		}
		rows, _ := expect.Listed(t, expect.Must(p.API.Companies(t.Context(), "pageSize=1"))(t))
		expect.Matches(t, name+", listed", made, rows[0])
	}
}

func TestSlugsAreDerivedFromTheNameUniqueAndTransliterated(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t)
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
		slug := expect.Created(t, expect.Must(p.API.CreateCompany(t.Context(), world.Company().With("name", c.name)))(t))["slug"].(string)
		if !regexp.MustCompile(c.slug).MatchString(slug) || len(slug) > 64 || strings.HasSuffix(slug, "-") {
			t.Errorf("%q became %q, want %s", c.name, slug, c.slug)
		}
	}
	taken := expect.Must(p.API.CreateCompany(t.Context(), world.Company().With("slug", "noor-telecom-"+u)))(t)
	expect.Invalid(t, taken, "slug")
	// Slugs are unique among all apps.
	rival := p.Key(t, "rival-key")
	expect.Invalid(t, expect.Must(rival.CreateCompany(t.Context(), world.Company().With("slug", "noor-telecom-"+u)))(t), "slug")
}

func TestRepeatedExternalIDAnswersWithTheCompanyAsItIsNow(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t)
	body := world.FullCompany()
	first := expect.Created(t, expect.Must(p.API.CreateCompany(t.Context(), body))(t))
	id := first["id"].(string)
	now := expect.Success(t, expect.Must(p.API.PatchCompany(t.Context(), id, world.Fields{"name": "Renamed"}))(t))
	for i, edge := range p.Edges(p.API) {
		// The rest of the body does not matter, not even the slug of the company itself.
		again := body.With("name", fmt.Sprint("Other ", i))
		expect.Matches(t, "again", now, expect.Success(t, expect.Must(edge.CreateCompany(t.Context(), again))(t)))
		expect.Matches(t, "without a slug", now, expect.Success(t, expect.Must(edge.CreateCompany(t.Context(), again.Without("slug")))(t)))
	}
	// A faulty body is refused, even with a known externalId.
	expect.Invalid(t, expect.Must(p.API.CreateCompany(t.Context(), body.Without("industry")))(t), "industry")
	// Each app has identifiers of its own. They are compared byte by byte.
	for _, c := range []struct {
		key, external string
	}{{"rival-key", body["externalId"].(string)}, {"sibling-key", body["externalId"].(string)}, {"ats-key", strings.ToUpper(body["externalId"].(string))}} {
		other := expect.Created(t, expect.Must(p.Key(t, c.key).CreateCompany(t.Context(), body.Without("slug").With("externalId", c.external)))(t))
		if other["id"] == id {
			t.Errorf("%s got the company of another", c.key)
		}
	}
	if _, total := expect.Listed(t, expect.Must(p.API.Companies(t.Context(), ""))(t)); total != 2 {
		t.Errorf("%d companies, want 2", total)
	}
}

func TestCompaniesAreListedForTheirAppAloneNewestFirst(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t)
	rows, total := expect.Listed(t, expect.Must(p.API.Companies(t.Context(), ""))(t))
	if total != 0 || len(rows) != 0 {
		t.Errorf("a new app has %d companies", total)
	}
	p.CompanyOf(t, "rival-key")
	p.CompanyOf(t, "sibling-key")
	var ids []string
	for range 7 {
		ids = append([]string{p.Company(t)}, ids...)
	}
	pagesOf(t, func(query string) partner.Answer { return expect.Must(p.API.Companies(t.Context(), query))(t) }, "id", ids)
}

func TestACompanyOfAnotherAppLooksLikeNone(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t)
	theirs := p.CompanyOf(t, "rival-key")
	unknown := expect.Must(p.API.Company(t.Context(), "com_unknown"))(t)
	foreign := expect.Must(p.API.Company(t.Context(), theirs))(t)
	if unknown.Status != http.StatusForbidden || string(unknown.Body) != string(foreign.Body) {
		t.Errorf("an unknown company answers %s, a foreign one %s", unknown, foreign)
	}
}
