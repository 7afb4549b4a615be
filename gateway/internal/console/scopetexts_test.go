package console

import (
	"slices"
	"strings"
	"testing"

	"vitae.internal/pkg/scope"
)

func TestEveryScopeSaysBesideItsBoxWhatItLetsOneDo(t *testing.T) {
	t.Parallel()
	b := signedIn(t, newBackend(), member(owner, "dev_1"))
	for path, scopes := range map[string][]string{"/apps/new": scope.User(), "/apps/app_1": scope.User(), "/apps/app_1/keys": scope.Company()} {
		page := body(t, b.get(path))
		for _, one := range scopes {
			_, row, found := strings.Cut(page, `value="`+one+`"`)
			row, _, _ = strings.Cut(row, "</div>")
			if !found || !strings.Contains(row, `aria-describedby="about-`+one+`"`) || scopeTexts[one] == "" || !strings.Contains(row, `id="about-`+one+`">`+escapedText(one)) {
				t.Errorf("%s says nothing of %s: %s", path, one, row)
			}
		}
	}
	for one := range scopeTexts {
		if !slices.Contains(append(scope.User(), scope.Company()...), one) {
			t.Errorf("%q is no scope", one)
		}
	}
}

func escapedText(of string) string { return strings.ReplaceAll(scopeTexts[of], "'", "&#39;") }
