package audit

import (
	"slices"
	"strings"
)

// accountTypes lists the object types whose audit events the members of an account can see. Events
// on consents, connections and tokens belong to people.
var accountTypes = []string{
	"account", "member", "invitation", "app", "client_secret", "api_key", "plan_request", "client", "usage", "request_log", "audit",
}

// Thing returns the object type of the action.
func (a Action) Thing() string {
	thing, _, _ := strings.Cut(string(a), ".")
	return thing
}

// ForMembers reports whether members of an account can see the action
// (behaviour: audit#what-members-see). The only action on tokens that they see is TokenIntrospect,
// which records failed authentications of their apps.
func (a Action) ForMembers() bool {
	return slices.Contains(accountTypes, a.Thing()) || a == TokenIntrospect
}
