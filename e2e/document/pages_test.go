package document_test

import (
	"testing"

	"vitae.internal/e2e/internal/browser"
	"vitae.internal/e2e/internal/suite"
)

func TestPartnerPagesAreAccessible(t *testing.T) {
	t.Parallel()
	paths := []string{
		"/docs", "/docs/sign-in", "/docs/errors", "/docs/errors/PUBLIC_API_VALIDATION_ERROR", "/docs/errors/OAUTH_ACCESS_DENIED",
		"/docs/reference", "/docs/reference/createJob", "/docs/reference/getApplication", "/docs/reference/issueToken", "/docs/reference/getSharedCvPdf",
		"/docs/search", "/docs/search?q=job", "/docs/search?q=nothing-like-this",
	}
	for _, path := range paths {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			b := browser.Start(t, browser.Options{})
			b.Open(suite.System.AppURLs[0] + path)
			check := func(width int64, dark bool, faults func() []string) {
				b.Resize(width, 900, dark)
				for _, fault := range faults() {
					t.Errorf("%d px, dark %t: %s", width, dark, fault)
				}
			}
			check(1280, false, b.Inaccessible)
			check(1280, true, b.Illegible)
			check(360, true, b.Illegible)
			check(360, false, b.Inaccessible)
		})
	}
}
