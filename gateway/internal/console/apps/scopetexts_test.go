package apps

import (
	"testing"

	"vitae.internal/pkg/scope"
)

func TestEveryScopeHasAText(t *testing.T) {
	t.Parallel()
	all := append(scope.User(), scope.Company()...)
	for _, one := range all {
		if scopeTexts[one] == "" {
			t.Errorf("%s has no text", one)
		}
	}
	if len(scopeTexts) != len(all) {
		t.Errorf("%d texts for %d scopes", len(scopeTexts), len(all))
	}
}
