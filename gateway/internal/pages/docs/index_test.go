package docs

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"vitae.internal/docs"
	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/api/openapi"
	"vitae.internal/gateway/internal/pages/docs/guides"
	"vitae.internal/gateway/internal/pages/docs/search"
)

func newDocs(t *testing.T) documentation {
	t.Helper()
	cfg := Config{Addresses: guides.Addresses{
		Base: "https://api.vitae.example", App: "https://app.vitae.example", Legacy: "https://old.vitae.example", Console: "https://console.vitae.example",
	}}
	var err error
	if cfg.Specification, err = openapi.For(cfg.Addresses.Base, cfg.Addresses.App); err != nil {
		t.Fatal(err)
	}
	d, err := newDocumentation(nil, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestSearchFindsWhatDevelopersType(t *testing.T) {
	t.Parallel()
	d := newDocs(t)
	for query, want := range map[string]string{
		"pagination":              "/docs/reference#pagination",
		"redirect uri mismatch":   "/docs/errors/OAUTH_INVALID_REQUEST",
		"update company":          "/docs/reference/updateCompany",
		"edit a job":              "/docs/reference/updateJob",
		"introspect":              "/docs/reference/introspectToken",
		"introspection":           "/docs/reference/introspectToken",
		"how to revoke a token":   "/docs/reference/revokeToken",
		"list companies":          "/docs/reference/listCompanies",
		"limits":                  "/docs/limits",
		"list applicants":         "/docs/reference/listJobApplications",
		"refresh token":           "/docs/reference/issueToken",
		"python":                  "/docs/sign-in",
		"OAUTH_INVALID_GRANT":     "/docs/errors/OAUTH_INVALID_GRANT",
		"sign in with javascript": "/docs/sign-in",
	} {
		if found := d.index.Find(query); len(found) == 0 || !strings.HasPrefix(found[0].Path, want) {
			t.Errorf("%q finds %+v, want %s first", query, found[:min(len(found), 4)], want)
		}
	}
	for query, want := range map[string]string{
		"publish a job": "/docs/reference/publishJob", "API_KEY_INVALID": "/docs/errors/API_KEY_INVALID", "x-ratelimit-remaining": "/docs/limits",
		"/v1/jobs/{jobId}/close": "/docs/reference/closeJob", "listJobs": "/docs/reference/listJobs", "pkce": "/docs/sign-in",
	} {
		hits := d.index.Find(query)
		if !slices.ContainsFunc(hits[:min(5, len(hits))], func(h search.Hit) bool { path, _, _ := strings.Cut(h.Path, "#"); return path == want }) {
			t.Errorf("%q finds %+v, want %s among the first", query, hits, want)
		}
	}
}

func TestEveryCodeHasSampleAndOperations(t *testing.T) {
	t.Parallel()
	d := newDocs(t)
	files, err := docs.Files.ReadDir(docs.ErrorFolder)
	if err != nil {
		t.Fatal(err)
	}
	if codes := answer.Codes(); len(files) != len(codes) {
		t.Errorf("%d pages for %d codes", len(files), len(codes))
	}
	for _, code := range answer.Codes() {
		c := d.pages[guides.Errors+code].Code
		status, _ := answer.StatusOf(code)
		if !strings.HasPrefix(c.Status, strconv.Itoa(status)) {
			t.Errorf("%s: status %q", code, c.Status)
		}
		// OAUTH_ACCESS_DENIED has no sample, because the app learns from a redirect that the person
		// has declined. The other exception matches no operation.
		if c.Sample == "" && code != "OAUTH_ACCESS_DENIED" {
			t.Errorf("%s has no sample", code)
		}
		if len(c.Operations) == 0 && code != "OAUTH_ACCESS_DENIED" && code != "METHOD_NOT_ALLOWED" {
			t.Errorf("no operation returns %s", code)
		}
	}
}
