package app_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"vitae.internal/pkg/errs"
	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
)

const invalid = "PUBLIC_API_VALIDATION_ERROR"

func TestCreateCompanyTrimsFields(t *testing.T) {
	t.Parallel()
	r := start(t)
	got := r.create("app_1", &partnercatalogv1.CreateCompanyRequest{
		Name: " Café «شركة»\n", Industry: "\tRockets ", EmployeeCount: " 51-200 ", Location: " Dubai, UAE ",
		Description: "  " + about + "\u00a0", Slug: ptr("cafe-1"), Website: ptr(" https://مثال.example/a?b=c "),
		Logo: ptr("http://cdn.example/logo.png"), ExternalId: ptr(" 17 "),
	})
	if !strings.HasPrefix(got.GetId(), "com_") || !got.GetCreatedAt().AsTime().Equal(got.GetUpdatedAt().AsTime()) ||
		got.GetCreatedAt().GetNanos()%1e6 != 0 || got.GetCreatedAt().GetSeconds() == 0 {
		t.Errorf("id %q, created at %v, updated at %v", got.GetId(), got.GetCreatedAt(), got.GetUpdatedAt())
	}
	text := wrapperspb.String
	want := &partnercatalogv1.Company{
		Id: got.GetId(), Name: "Café «شركة»", Slug: "cafe-1", Description: text(about), Location: text("Dubai, UAE"),
		Website: text("https://مثال.example/a?b=c"), Industry: text("Rockets"), EmployeeCount: text("51-200"),
		Logo: text("http://cdn.example/logo.png"), ExternalId: text(" 17 "),
		CreatedAt: got.GetCreatedAt(), UpdatedAt: got.GetUpdatedAt(),
	}
	equal(t, "created", got, want)
	equal(t, "read", r.get("app_1", got.GetId()), want)

	least := r.create("app_1", createRequest("Least"))
	equal(t, "with only required fields", least, &partnercatalogv1.Company{
		Id: least.GetId(), Name: "Least", Slug: "least", Description: text(about), Location: text("Dubai, UAE"),
		Industry: text("Rockets"), EmployeeCount: text("51-200"), CreatedAt: least.GetCreatedAt(), UpdatedAt: least.GetUpdatedAt(),
	})
}

// faultyLines returns invalid values for a required single-line field.
func faultyLines(limit int) map[string]string {
	faulty := faultyTexts(limit)
	faulty["a line break"], faulty["a tab"], faulty["a control character"] = "a\nb", "a\tb", "a\x1bb"
	faulty["a line separator"], faulty["a direction override"], faulty["an isolate"] = "a\u2028b", "a\u202eb", "a\u2067b\u2069"
	return faulty
}

// faultyTexts returns invalid values for a required text field.
func faultyTexts(limit int) map[string]string {
	return map[string]string{
		"empty": "", "blank": " \t\n\u00a0", "invisible": "\u200b\ufeff", "NUL": "a\x00b", "too long": strings.Repeat("é", limit+1),
	}
}

func TestCreateErrorContainsInvalidField(t *testing.T) {
	t.Parallel()
	r := start(t)
	r.create("app_other", &partnercatalogv1.CreateCompanyRequest{
		Name: "Taken", Industry: "I", EmployeeCount: "1", Location: "L", Description: about, Slug: ptr("taken"),
	})
	type change func(req *partnercatalogv1.CreateCompanyRequest, value string)
	cases := map[string]struct {
		set    change
		values map[string]string
	}{
		"name":           {func(r *partnercatalogv1.CreateCompanyRequest, v string) { r.Name = v }, faultyLines(200)},
		"industry":       {func(r *partnercatalogv1.CreateCompanyRequest, v string) { r.Industry = v }, faultyLines(200)},
		"employee_count": {func(r *partnercatalogv1.CreateCompanyRequest, v string) { r.EmployeeCount = v }, faultyLines(50)},
		"location":       {func(r *partnercatalogv1.CreateCompanyRequest, v string) { r.Location = v }, faultyLines(300)},
		"description":    {func(r *partnercatalogv1.CreateCompanyRequest, v string) { r.Description = v }, faultyTexts(20_000)},
		"external_id":    {func(r *partnercatalogv1.CreateCompanyRequest, v string) { r.ExternalId = &v }, faultyTexts(255)},
		"website":        {func(r *partnercatalogv1.CreateCompanyRequest, v string) { r.Website = &v }, faultyLinks},
		"logo":           {func(r *partnercatalogv1.CreateCompanyRequest, v string) { r.Logo = &v }, faultyLinks},
		"slug": {func(r *partnercatalogv1.CreateCompanyRequest, v string) { r.Slug = &v }, map[string]string{
			"empty": "", "upper case": "Acme", "a space": "a b", "surrounding spaces": " acme ", "a dot": "a.b", "non-Latin letters": "شركة",
			"accents": "café", "an underscore": "a_b", "a line break": "a\n", "NUL": "a\x00", "too long": strings.Repeat("a", 65), "taken": "taken",
			"only a hyphen": "-", "a leading hyphen": "-acme", "a trailing hyphen": "acme-", "only hyphens": "---",
		}},
	}
	cases["description"].values["one character too short"] = strings.Repeat("é", 49)
	cases["description"].values["too short when trimmed"] = " " + strings.Repeat("é", 49) + "   "
	for field, tc := range cases {
		for what, value := range tc.values {
			for _, validateOnly := range []bool{false, true} {
				req := createRequest("Acme")
				req.ValidateOnly = validateOnly
				tc.set(req, value)
				_, err := r.companies.CreateCompany(r.key("app_1"), req)
				checkError(t, field+": "+what, err, errs.Invalid, invalid, field)
			}
		}
	}
	list, err := r.companies.ListCompanies(r.key("app_1"), &partnercatalogv1.ListCompaniesRequest{})
	if err != nil || list.GetPaging().GetTotal() != 0 {
		t.Errorf("invalid companies were created: %v, %v", list, err)
	}
}

var faultyLinks = map[string]string{
	"empty": "", "no scheme": "acme.example", "a different scheme": "ftp://acme.example", "script": "javascript:alert(1)",
	"no host": "https://", "only a path": "/logo.png", "a port without a host": "http://:80", "an email address": "mailto:a@acme.example",
	"scheme-relative": "//acme.example", "a space": "https://acme .example", "credentials": "https://u:p@acme.example",
	"too long": "https://acme.example/" + strings.Repeat("a", 2048), "NUL": "https://acme.example/\x00",
}

func TestLargestCompanyIsAccepted(t *testing.T) {
	t.Parallel()
	r := start(t)
	req := &partnercatalogv1.CreateCompanyRequest{
		Name: strings.Repeat("é", 200), Industry: strings.Repeat("é", 200), EmployeeCount: strings.Repeat("é", 50),
		Location: strings.Repeat("é", 300), Description: strings.Repeat("é", 20_000), ExternalId: ptr(strings.Repeat("é", 255)),
		Slug: ptr(strings.Repeat("a", 62) + "-1"), Website: ptr("https://e.example/" + strings.Repeat("a", 2048-18)),
		Logo: ptr("https://e.example/" + strings.Repeat("b", 2048-18)),
	}
	if got := r.create("app_1", req); got.GetExternalId().GetValue() != req.GetExternalId() || got.GetSlug() != req.GetSlug() {
		t.Errorf("created %v, want the external id and slug of the request", got)
	}
}

// createMany sends a hundred requests concurrently and returns the responses.
func (r *running) createMany(appID string, request func(i int) *partnercatalogv1.CreateCompanyRequest) []*partnercatalogv1.CreateCompanyResponse {
	r.t.Helper()
	out := make([]*partnercatalogv1.CreateCompanyResponse, 100)
	var wg sync.WaitGroup
	for i := range out {
		wg.Go(func() {
			resp, err := r.companies.CreateCompany(r.key(appID), request(i))
			if err != nil {
				r.t.Error(err)
			}
			out[i] = resp
		})
	}
	wg.Wait()
	return out
}

func TestConcurrentExternalIDCreatesOneCompany(t *testing.T) {
	t.Parallel()
	for name, slug := range map[string]func(i int) *string{
		"derived slug":           func(int) *string { return nil },
		"chosen slug":            func(int) *string { return ptr("acme") },
		"different chosen slugs": func(i int) *string { return ptr(fmt.Sprint("acme-", i)) },
		"derived slug is taken":  func(int) *string { return nil },
		"different names":        func(int) *string { return nil },
	} {
		t.Run(name, func(t *testing.T) {
			r := start(t)
			before := int32(0)
			if name == "derived slug is taken" {
				r.create("app_1", createRequest("Acme"))
				before = 1
			}
			var created int
			var first *partnercatalogv1.Company
			for _, resp := range r.createMany("app_1", func(i int) *partnercatalogv1.CreateCompanyRequest {
				req := createRequest("Acme")
				if name == "different names" {
					req.Name = fmt.Sprint("Acme ", i)
				}
				req.ExternalId, req.Slug = ptr("e"), slug(i)
				return req
			}) {
				if first == nil {
					first = resp.GetCompany()
				}
				equal(t, "response", resp.GetCompany(), first)
				if !resp.GetExisted() {
					created++
				}
			}
			list, err := r.companies.ListCompanies(r.key("app_1"), &partnercatalogv1.ListCompaniesRequest{})
			if err != nil || created != 1 || list.GetPaging().GetTotal() != before+1 || len(list.GetCompanies()) != int(before)+1 {
				t.Errorf("%d responses report a new company, want 1; list %v, %v", created, list, err)
			}
			equal(t, "company in the list", list.GetCompanies()[0], first)
		})
	}
}

func TestDerivedSlugSkipsTakenNumbers(t *testing.T) {
	t.Parallel()
	r := start(t)
	squatter := createRequest("Squatter")
	squatter.Slug = ptr("acme-3")
	r.create("app_1", squatter)
	for _, tc := range []struct{ name, want string }{
		{"Acme", "acme"}, {"Acme!", "acme-2"}, {"ACME", "acme-4"}, {"Acme 2", "acme-2-2"}, {"Acme", "acme-5"}, {"Squatter", "squatter"},
	} {
		if got := r.create("app_2", createRequest(tc.name)).GetSlug(); got != tc.want {
			t.Errorf("%s: %s, want %s", tc.name, got, tc.want)
		}
	}
}

func TestConcurrentCreatesUseEveryNumber(t *testing.T) {
	t.Parallel()
	r := start(t)
	long := strings.Repeat("long name ", 20)
	var got []string
	for _, resp := range r.createMany("app_1", func(int) *partnercatalogv1.CreateCompanyRequest { return createRequest(long) }) {
		got = append(got, resp.GetCompany().GetSlug())
	}
	want := []string{strings.Repeat("long-name-", 7)[:64]}
	for i := 2; i <= len(got); i++ {
		want = append(want, fmt.Sprint(strings.Repeat("long-name-", 7)[:53], "-", i))
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("slugs %v\nwant %v", got, want)
	}
}

func TestValidateOnlyChecksSlug(t *testing.T) {
	t.Parallel()
	r := start(t)
	existing := createRequest("There")
	existing.Slug, existing.ExternalId = ptr("there"), ptr("e")
	r.create("app_1", existing)
	free, repeated := createRequest("Acme"), proto.CloneOf(existing)
	free.Slug = ptr("acme")
	for name, req := range map[string]*partnercatalogv1.CreateCompanyRequest{"a free slug": free, "a repeated call": repeated, "no slug": createRequest("There")} {
		req.ValidateOnly = true
		resp, err := r.companies.CreateCompany(r.key("app_1"), req)
		if err != nil || resp.GetCompany() != nil || resp.GetExisted() {
			t.Errorf("%s: %v, %v", name, resp, err)
		}
	}
	_, err := r.companies.CreateCompany(r.key("app_2"), repeated)
	checkError(t, "the slug in a different app", err, errs.Invalid, invalid, "slug")
}
