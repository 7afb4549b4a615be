package partnerapi_test

import (
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
)

// wantCompany returns the expected company after it was created with a body.
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

func TestCompanyHasAllFields(t *testing.T) {
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

func TestListHasOnlyCompaniesOfApp(t *testing.T) {
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
	pagesOf(t, func(query string) partner.Response { return expect.Must(p.API.Companies(t.Context(), query))(t) }, "id", ids)
}

func TestForeignCompanyLooksUnknown(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t)
	theirs := p.CompanyOf(t, "rival-key")
	unknown := expect.Must(p.API.Company(t.Context(), "com_unknown"))(t)
	foreign := expect.Must(p.API.Company(t.Context(), theirs))(t)
	if unknown.Status != http.StatusForbidden || string(unknown.Body) != string(foreign.Body) {
		t.Errorf("an unknown company returns %s, a foreign one %s", unknown, foreign)
	}
}
