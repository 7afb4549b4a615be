package auditlog

import (
	"slices"

	"vitae.internal/pkg/audit"
)

// forMembers restricts a search to the events that members of the account may see. It returns false
// if they may see none of them (behaviour: audit#what-members-see).
func (s Search) forMembers() (Search, bool) {
	var allowed []string
	for _, a := range audit.Actions {
		if !a.ForMembers() {
			continue
		}
		if len(s.Actions) == 0 || slices.Contains(s.Actions, string(a)) {
			allowed = append(allowed, string(a))
		}
	}
	s.Actions = allowed
	return s, len(allowed) > 0
}

// redacted returns the event without the fields that members may not see.
func redacted(e audit.Event) audit.Event {
	if e.Actor.Kind == audit.Operator || e.Actor.Kind == audit.Service {
		e.ClientAddress = ""
	}
	return e
}
