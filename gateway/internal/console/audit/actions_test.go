package audit

import (
	"testing"

	"vitae.internal/pkg/audit"
)

func TestEveryVisibleActionHasAName(t *testing.T) {
	t.Parallel()
	seen, texts := map[audit.Action]bool{}, map[string]bool{}
	for _, group := range actions {
		for _, a := range group.actions {
			if seen[a.action] || texts[a.text] || !a.action.ForMembers() || !a.action.Known() {
				t.Errorf("%s (%q) is described twice, or members do not see it", a.action, a.text)
			}
			seen[a.action], texts[a.text] = true, true
		}
	}
	for _, action := range audit.Actions {
		if action.ForMembers() && !seen[action] {
			t.Errorf("%s has no description", action)
		}
	}
}
