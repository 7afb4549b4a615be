package document_test

import (
	"fmt"
	"testing"

	"vitae.internal/e2e/internal/browser"
	"vitae.internal/e2e/internal/suite"
)

func TestAxeFindsNothingWrongWithThePagesForPartners(t *testing.T) {
	t.Parallel()
	paths := []string{
		"/docs", "/docs/sign-in", "/docs/errors", "/docs/errors/PUBLIC_API_VALIDATION_ERROR", "/docs/errors/OAUTH_ACCESS_DENIED",
		"/docs/reference", "/docs/reference/createJob", "/docs/reference/getApplication", "/docs/reference/issueToken", "/docs/reference/getSharedCvPdf",
		"/docs/search", "/docs/search?q=job", "/docs/search?q=nothing-like-this",
	}
	for _, at := range []struct {
		width int64
		dark  bool
	}{{1280, false}, {1280, true}, {360, false}, {360, true}} {
		t.Run(fmt.Sprintf("%d px, dark %t", at.width, at.dark), func(t *testing.T) {
			t.Parallel()
			b := browser.Start(t, browser.Options{})
			b.Resize(at.width, 900, at.dark)
			for _, path := range paths {
				b.Open(suite.System.AppURLs[0] + path)
				for _, fault := range b.Inaccessible() {
					t.Errorf("%s: %s", path, fault)
				}
			}
		})
	}
}
