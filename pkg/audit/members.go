package audit

import (
	"slices"
	"strings"
)

// ofAccounts are the kinds of thing whose actions the members of an account see. What people
// do with the account's apps is theirs: consents, connections, tokens.
var ofAccounts = []string{
	"account", "member", "invitation", "app", "client_secret", "api_key", "plan_request", "client", "usage", "request_log", "audit",
}

// Thing is the kind of thing that the action is done to.
func (a Action) Thing() string {
	thing, _, _ := strings.Cut(string(a), ".")
	return thing
}

// ForMembers reports whether members of an account see the action in their part of the log
// (behaviour: audit#what-members-see). Of tokens they see authentications of their apps that
// failed.
func (a Action) ForMembers() bool {
	return slices.Contains(ofAccounts, a.Thing()) || a == TokenIntrospect
}
