package auditlog

import (
	"slices"
	"strings"

	"vitae.internal/pkg/audit"
)

// shown are the kinds of thing whose actions the members of an account see. What people
// do with the account's apps is theirs: consents, connections, tokens.
var shown = []string{
	"account", "member", "invitation", "app", "client_secret", "api_key", "plan_request", "client", "usage", "request_log", "audit",
}

// shownAlso are further actions that members see: authentications of their apps that failed.
var shownAlso = []audit.Action{audit.TokenIntrospect}

// forMembers narrows a search to what members of the account may see; false if nothing is
// left of it (behaviour: audit#what-members-see).
func (s Search) forMembers() (Search, bool) {
	var allowed []string
	for _, a := range audit.Actions {
		thing, _, _ := strings.Cut(string(a), ".")
		if !slices.Contains(shown, thing) && !slices.Contains(shownAlso, a) {
			continue
		}
		if len(s.Actions) == 0 || slices.Contains(s.Actions, string(a)) {
			allowed = append(allowed, string(a))
		}
	}
	s.Actions = allowed
	return s, len(allowed) > 0
}

// redacted leaves out of an event what members may not see.
func redacted(e audit.Event) audit.Event {
	if e.Actor.Kind == audit.Operator || e.Actor.Kind == audit.Service {
		e.ClientAddress = ""
	}
	return e
}
