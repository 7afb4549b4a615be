package app_test

import (
	"fmt"
	"strings"
	"testing"

	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/fieldmaskpb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"vitae.internal/pkg/errs"
	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
)

func (r *running) update(appID string, req *partnercatalogv1.UpdateCompanyRequest, paths ...string) *partnercatalogv1.Company {
	r.t.Helper()
	req.UpdateMask = &fieldmaskpb.FieldMask{Paths: paths}
	resp, err := r.companies.UpdateCompany(r.key(appID), req)
	if err != nil {
		r.t.Fatal(err)
	}
	return resp.GetCompany()
}

// full creates a company with every field that an app can set.
func (r *running) full(appID string) *partnercatalogv1.Company {
	r.t.Helper()
	req := createRequest("Acme")
	req.Website, req.Logo = ptr("https://acme.example"), ptr("https://acme.example/logo.png")
	c := r.create(appID, req)
	return r.update(appID, &partnercatalogv1.UpdateCompanyRequest{CompanyId: c.GetId(), Tagline: "We fly"}, "tagline")
}

func TestOnlyMaskedFieldsChange(t *testing.T) {
	t.Parallel()
	r := start(t)
	text := wrapperspb.String
	long := strings.Repeat("ö", 60)
	for path, tc := range map[string]struct {
		req  *partnercatalogv1.UpdateCompanyRequest
		want func(c *partnercatalogv1.Company)
	}{
		"name":           {&partnercatalogv1.UpdateCompanyRequest{Name: " Ajax "}, func(c *partnercatalogv1.Company) { c.Name = "Ajax" }},
		"tagline":        {&partnercatalogv1.UpdateCompanyRequest{Tagline: " New "}, func(c *partnercatalogv1.Company) { c.Tagline = text("New") }},
		"description":    {&partnercatalogv1.UpdateCompanyRequest{Description: " " + long}, func(c *partnercatalogv1.Company) { c.Description = text(long) }},
		"location":       {&partnercatalogv1.UpdateCompanyRequest{Location: "Oslo"}, func(c *partnercatalogv1.Company) { c.Location = text("Oslo") }},
		"website":        {&partnercatalogv1.UpdateCompanyRequest{Website: ptr(" http://a.example ")}, func(c *partnercatalogv1.Company) { c.Website = text("http://a.example") }},
		"industry":       {&partnercatalogv1.UpdateCompanyRequest{Industry: "Boats"}, func(c *partnercatalogv1.Company) { c.Industry = text("Boats") }},
		"employee_count": {&partnercatalogv1.UpdateCompanyRequest{EmployeeCount: "1-10"}, func(c *partnercatalogv1.Company) { c.EmployeeCount = text("1-10") }},
		"logo":           {&partnercatalogv1.UpdateCompanyRequest{Logo: ptr("http://a.example/l")}, func(c *partnercatalogv1.Company) { c.Logo = text("http://a.example/l") }},
	} {
		before := r.full("app_1")
		tc.req.CompanyId = before.GetId()
		// An invalid field outside the mask must be ignored.
		if path != "name" {
			tc.req.Name = "\x00"
		}
		want := proto.CloneOf(before)
		tc.want(want)
		got := r.update("app_1", tc.req, path)
		if !got.GetUpdatedAt().AsTime().After(before.GetUpdatedAt().AsTime()) {
			t.Errorf("%s: updated at %v, want a time after %v", path, got.GetUpdatedAt(), before.GetUpdatedAt())
		}
		want.UpdatedAt = got.GetUpdatedAt()
		equal(t, path, got, want)
		equal(t, path+", read", r.get("app_1", before.GetId()), want)
	}
}

func TestTaglineWebsiteAndLogoCanBeCleared(t *testing.T) {
	t.Parallel()
	r := start(t)
	for _, blank := range []string{"", " \t", "\u200b"} {
		before := r.full("app_1")
		got := r.update("app_1", &partnercatalogv1.UpdateCompanyRequest{CompanyId: before.GetId(), Tagline: blank}, "tagline", "website", "logo")
		want := proto.CloneOf(before)
		want.Tagline, want.Website, want.Logo, want.UpdatedAt = nil, nil, nil, got.GetUpdatedAt()
		equal(t, "cleared", got, want)
	}
}

func TestEmptyUpdateWritesNothing(t *testing.T) {
	t.Parallel()
	r := start(t)
	before := r.full("app_1")
	for name, req := range map[string]*partnercatalogv1.UpdateCompanyRequest{
		"no mask":        {Name: "Other"},
		"an empty mask":  {Name: "Other", UpdateMask: &fieldmaskpb.FieldMask{}},
		"unchanged slug": {Slug: before.GetSlug(), UpdateMask: &fieldmaskpb.FieldMask{Paths: []string{"slug"}}},
		"no external id": {UpdateMask: &fieldmaskpb.FieldMask{Paths: []string{"external_id"}}},
		"no links":       {UpdateMask: &fieldmaskpb.FieldMask{Paths: []string{"socials"}}},
		"empty links":    {Socials: &partnercatalogv1.SocialLinks{}, UpdateMask: &fieldmaskpb.FieldMask{Paths: []string{"socials"}}},
	} {
		req.CompanyId = before.GetId()
		resp, err := r.companies.UpdateCompany(r.key("app_1"), req)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		equal(t, name, resp.GetCompany(), before)
	}
}

func TestExternalIDCannotBeChanged(t *testing.T) {
	t.Parallel()
	r := start(t)
	none := r.full("app_1")
	with := createRequest("Ajax")
	with.ExternalId = ptr("e")
	some := r.create("app_1", with)
	for name, tc := range map[string]struct {
		before *partnercatalogv1.Company
		sent   *string
	}{
		"different": {some, ptr("other")}, "different case": {some, ptr("E")}, "empty": {some, ptr("")}, "none": {some, nil},
		"too long": {some, ptr(strings.Repeat("e", 256))}, "NUL": {some, ptr("\x00")},
		"added": {none, ptr("e")}, "empty without existing": {none, ptr("")},
	} {
		for _, paths := range [][]string{{"external_id"}, {"external_id", "name", "slug"}} {
			_, err := r.companies.UpdateCompany(r.key("app_1"), &partnercatalogv1.UpdateCompanyRequest{
				CompanyId: tc.before.GetId(), Name: "Other", Slug: tc.before.GetSlug(), ExternalId: tc.sent, UpdateMask: &fieldmaskpb.FieldMask{Paths: paths},
			})
			checkError(t, fmt.Sprint(name, paths), err, errs.Invalid, invalid, "external_id")
		}
		equal(t, name, r.get("app_1", tc.before.GetId()), tc.before)
	}
	_, err := r.companies.UpdateCompany(r.key("app_2"), &partnercatalogv1.UpdateCompanyRequest{
		CompanyId: some.GetId(), ExternalId: ptr("other"), UpdateMask: &fieldmaskpb.FieldMask{Paths: []string{"external_id"}},
	})
	checkError(t, "in a different app", err, errs.Denied, "COMPANY_NOT_MANAGED_BY_APP", "")
	for before, own := range map[*partnercatalogv1.Company]*string{some: ptr("e"), none: nil} {
		equal(t, "only the unchanged external id", r.update("app_1", &partnercatalogv1.UpdateCompanyRequest{CompanyId: before.GetId(), ExternalId: own}, "external_id"), before)
		got := r.update("app_1", &partnercatalogv1.UpdateCompanyRequest{CompanyId: before.GetId(), ExternalId: own, Name: "New"}, "external_id", "name")
		want := proto.CloneOf(before)
		want.Name, want.UpdatedAt = "New", got.GetUpdatedAt()
		equal(t, "with the unchanged external id", got, want)
	}
}

func TestUpdateErrorContainsInvalidField(t *testing.T) {
	t.Parallel()
	r := start(t)
	before := r.full("app_1")
	type request = partnercatalogv1.UpdateCompanyRequest
	cases := map[string]struct {
		set    func(req *request, value string)
		values map[string]string
	}{
		"name":             {func(r *request, v string) { r.Name = v }, faultyLines(200)},
		"industry":         {func(r *request, v string) { r.Industry = v }, faultyLines(200)},
		"employee_count":   {func(r *request, v string) { r.EmployeeCount = v }, faultyLines(50)},
		"location":         {func(r *request, v string) { r.Location = v }, faultyLines(300)},
		"description":      {func(r *request, v string) { r.Description = v }, faultyTexts(20_000)},
		"website":          {func(r *request, v string) { r.Website = &v }, faultyLinks},
		"logo":             {func(r *request, v string) { r.Logo = &v }, faultyLinks},
		"tagline":          {func(r *request, v string) { r.Tagline = v }, map[string]string{"NUL": "\x00", "too long": strings.Repeat("é", 301), "two lines": "a\nb", "a direction override": "a\u202eb"}},
		"socials.linkedin": {func(r *request, v string) { r.Socials = &partnercatalogv1.SocialLinks{Linkedin: &v} }, faultySocials},
		"socials.facebook": {func(r *request, v string) { r.Socials = &partnercatalogv1.SocialLinks{Facebook: &v} }, faultySocials},
		"socials.whatsapp": {func(r *request, v string) { r.Socials = &partnercatalogv1.SocialLinks{Whatsapp: &v} }, faultySocials},
	}
	cases["description"].values["one character too short"] = strings.Repeat("é", 49)
	for field, tc := range cases {
		top, _, _ := strings.Cut(field, ".")
		for what, value := range tc.values {
			req := &request{CompanyId: before.GetId(), UpdateMask: &fieldmaskpb.FieldMask{Paths: []string{top}}}
			tc.set(req, value)
			_, err := r.companies.UpdateCompany(r.key("app_1"), req)
			checkError(t, field+": "+what, err, errs.Invalid, invalid, field)
		}
	}
	for _, path := range []string{"socials.linkedin", "published", "company_id", "id", "", "*"} {
		_, err := r.companies.UpdateCompany(r.key("app_1"), &request{CompanyId: before.GetId(), UpdateMask: &fieldmaskpb.FieldMask{Paths: []string{path}}})
		checkError(t, "mask "+path, err, errs.Invalid, invalid, "update_mask")
	}
	equal(t, "after the invalid changes", r.get("app_1", before.GetId()), before)
}

var faultySocials = map[string]string{
	"NUL": "\x00", "too long": strings.Repeat("x", 2049), "script": "javascript:alert(1)", "script in mixed case": " JavaScript:alert(1)",
	"a different host": "//evil.example", "a different host, backslashes": `\\evil.example`, "both slashes": ` /\evil.example`,
	"a broken scheme": "java\nscript:alert(1)", "data": "data:text/html,<script>", "a different scheme": "ftp://a.example", "a telephone scheme": "tel:+971501234567",
	"no host": "https://", "no slashes": "https:a.example", "credentials": "https://u:p@a.example", "a space": "https://a .example", "a direction override": "a\u202eb",
}

func TestSocialMayBeLinkOrHandle(t *testing.T) {
	t.Parallel()
	r := start(t)
	id := r.full("app_1").GetId()
	for _, link := range []string{
		"https://www.linkedin.com/company/acme", "HTTP://a.example", "https://مثال.example/شركة", "www.linkedin.com/company/acme", "wa.me/971501234567",
		"@acme", "acme.official", "+971 50 123 4567", "00971-50-1234567", "شركة النور",
	} {
		r.update("app_1", &partnercatalogv1.UpdateCompanyRequest{CompanyId: id, Socials: &partnercatalogv1.SocialLinks{Whatsapp: &link}}, "socials")
		if got := r.page(id).GetSocials().GetWhatsapp(); got != link {
			t.Errorf("%q was stored as %q", link, got)
		}
	}
}

func TestBlankLinkExplainsHowToClear(t *testing.T) {
	t.Parallel()
	r := start(t)
	id := r.full("app_1").GetId()
	for _, blank := range []string{"", " \t", "\u200b"} {
		for field, req := range map[string]*partnercatalogv1.UpdateCompanyRequest{"website": {Website: &blank}, "logo": {Logo: &blank}} {
			req.CompanyId, req.UpdateMask = id, &fieldmaskpb.FieldMask{Paths: []string{field}}
			_, err := r.companies.UpdateCompany(r.key("app_1"), req)
			checkError(t, field, err, errs.Invalid, invalid, field)
			if got := status.Convert(err).Message(); !strings.Contains(got, "null clears it") {
				t.Errorf("%s %q: the message %q does not explain how to clear the field", field, blank, got)
			}
		}
	}
}

func TestSocialsAreMerged(t *testing.T) {
	t.Parallel()
	r := start(t)
	id := r.full("app_1").GetId()
	type links = partnercatalogv1.SocialLinks
	for i, tc := range []struct{ sent, want *links }{
		{&links{Linkedin: ptr(" l "), Instagram: ptr("i"), Youtube: ptr("y"), Whatsapp: ptr("+971 50 1"), Tiktok: ptr("t"), X: ptr("x"), Facebook: ptr("f")},
			&links{Linkedin: ptr("l"), Instagram: ptr("i"), Youtube: ptr("y"), Whatsapp: ptr("+971 50 1"), Tiktok: ptr("t"), X: ptr("x"), Facebook: ptr("f")}},
		{&links{Linkedin: ptr(""), Instagram: ptr(" \u200b"), Youtube: ptr("z"), Facebook: ptr("")},
			&links{Youtube: ptr("z"), Whatsapp: ptr("+971 50 1"), Tiktok: ptr("t"), X: ptr("x")}},
		{&links{Linkedin: ptr(""), Whatsapp: ptr(""), Tiktok: ptr(""), Youtube: ptr("")}, &links{X: ptr("x")}},
	} {
		r.update("app_1", &partnercatalogv1.UpdateCompanyRequest{CompanyId: id, Socials: tc.sent}, "socials")
		equal(t, fmt.Sprint(i), r.page(id).GetSocials(), tc.want)
	}
}
