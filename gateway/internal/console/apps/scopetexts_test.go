package apps

import (
	"testing"

	"vitae.internal/pkg/scope"
)

func TestEveryScopeIsExplained(t *testing.T) {
	t.Parallel()
	all := append(scope.User(), scope.Company()...)
	for _, one := range all {
		if scopeTexts[one] == "" {
			t.Errorf("%s is not explained", one)
		}
	}
	if len(scopeTexts) != len(all) {
		t.Errorf("%d explanations for %d scopes", len(scopeTexts), len(all))
	}
}
