package audit

import (
	"slices"
	"strings"
)

// ofAccounts are the kinds of objects whose actions the members of an account can see. Consents,
// connections and tokens belong to people.
var ofAccounts = []string{
	"account", "member", "invitation", "app", "client_secret", "api_key", "plan_request", "client", "usage", "request_log", "audit",
}

// Thing returns the kind of object of the action.
func (a Action) Thing() string {
	thing, _, _ := strings.Cut(string(a), ".")
	return thing
}

// ForMembers reports whether members of an account can see the action
// (behaviour: audit#what-members-see). Of the actions on tokens, they see failed authentications of
// their apps.
func (a Action) ForMembers() bool {
	return slices.Contains(ofAccounts, a.Thing()) || a == TokenIntrospect
}
