package partnerapi_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
)

func companyValues(t testing.TB, good world.Fields) []fault {
	t.Helper()
	short := `"  ` + strings.Repeat("ن", 49) + `  "`
	out := values(t, good, "description", `""`, short, `"`+strings.Repeat(" ", 60)+`"`)
	for _, path := range []string{"website", "logo"} {
		out = append(out, values(t, good, path, append([]string{`"https://a.example.com/` + strings.Repeat("a", 2048) + `"`}, badURLs...)...)...)
	}
	for _, path := range []string{"name", "industry", "employeeCount", "location"} {
		out = append(out, values(t, good, path, append(badLines, blanks...)...)...)
	}
	return out
}

func TestFaultyCompaniesAreRefusedNamingTheField(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t)
	good := world.FullCompany()
	faults := append(companyValues(t, good), append(values(t, good, "slug", badSlugs...), values(t, good, "externalId", `""`)...)...)
	refusesAll(t, faultsOf(t, good, createCompanyFields, faults...), func(ctx context.Context, body string) (partner.Answer, error) {
		return p.API.CreateCompany(ctx, body)
	})
	if _, total := expect.Listed(t, expect.Must(p.API.Companies(t.Context(), ""))(t)); total != 0 {
		t.Errorf("%d companies were made", total)
	}
	for _, f := range createCompanyFields {
		if f.max > 0 {
			body := f.atLimit(t, good.Without("slug").With("externalId", world.Unique()))
			if a := expect.Must(p.API.CreateCompany(t.Context(), body))(t); a.Status != http.StatusCreated {
				t.Errorf("%s of %d characters: %s", f.path, f.max, a)
			}
		}
	}
}

func TestFaultyChangesOfACompanyAreRefusedNamingTheField(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t)
	before := expect.Created(t, expect.Must(p.API.CreateCompany(t.Context(), world.FullCompany()))(t))
	id := before["id"].(string)
	good := sections(world.FullCompany(), "name", "industry", "employeeCount", "location", "description", "website", "logo").
		With("tagline", "T").With("slug", before["slug"]).With("externalId", before["externalId"]).With("socials", world.Fields{
		"linkedin": "https://l", "instagram": "https://i", "youtube": "https://y", "whatsapp": "+971", "tiktok": "https://t", "x": "https://x", "facebook": "https://f",
	})
	faults := append(companyValues(t, good), values(t, good, "tagline", badLines...)...)
	for _, platform := range []string{"linkedin", "instagram", "youtube", "whatsapp", "tiktok", "x", "facebook"} {
		faults = append(faults, values(t, good, "socials."+platform, append(badLines, `"javascript:alert(1)"`, `"data:text/html,a"`, `"//evil.example"`, `"https://"`, `"ftp://a.example.com"`)...)...)
	}
	faults = append(faults, append(values(t, good, "slug", `"other"`, `""`), values(t, good, "externalId", `"other"`, `""`, `null`)...)...)
	refusesAll(t, faultsOf(t, good, patchCompanyFields, faults...), func(ctx context.Context, body string) (partner.Answer, error) {
		return p.API.PatchCompany(ctx, id, body)
	})
	for _, path := range []string{"website", "logo"} {
		expect.Message(t, expect.Must(p.API.PatchCompany(t.Context(), id, world.Fields{path: ""}))(t), path+": must not be blank; null clears it")
	}
	expect.Matches(t, "after the refusals", before, expect.Success(t, expect.Must(p.API.Company(t.Context(), id))(t)))
	expect.Success(t, expect.Must(p.API.PatchCompany(t.Context(), id, good))(t))
}
