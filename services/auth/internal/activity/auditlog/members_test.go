package auditlog_test

import (
	"slices"
	"strings"
	"testing"

	"vitae.internal/pkg/audit"
	"vitae.internal/services/auth/internal/activity/auditlog"
)

// hidden maps each kind of object whose actions are hidden from members to the reason.
var hidden = map[string]string{
	"session": "people sign in to Vitae, not to the account", "password": "a person replaces their own", "passkey": "a person has their own", "person": "operators look for people", "console": "a person's sign-in to the console is theirs",
	"consent": "what a person allows is theirs", "connection": "what a person allows is theirs",
	"token": "it belongs to a person's connection; failed introspection is shown", "profile": "a person's data", "cv": "a person's data",
	"application": "what internal callers do with a person's data", "resume": "a person's data",
	"company": "what internal callers do; partners find theirs in the request log", "job": "what internal callers do; partners find theirs in the request log",
	"method": "a part or a team tried what it may not",
}

// Every new action must be either shown to members or hidden from them
// (behaviour: audit#what-members-see).
func TestEveryActionHasADecisionForMembers(t *testing.T) {
	s, shelf, _ := newService(t)
	if _, _, err := s.Events(t.Context(), auditlog.Search{ByMember: true, AccountID: "dev_1"}); err != nil {
		t.Fatal(err)
	}
	shown := shelf.queries[0].Actions
	for _, action := range audit.Actions {
		thing, _, _ := strings.Cut(string(action), ".")
		_, listed := hidden[thing]
		if listed == slices.Contains(shown, string(action)) && action != audit.TokenIntrospect {
			t.Errorf("%s: shown to members: %t, listed as hidden: %t; decide in members.go or here", action, slices.Contains(shown, string(action)), listed)
		}
	}
	if !slices.Contains(shown, string(audit.TokenIntrospect)) {
		t.Error("authentications of an app that failed are hidden from its members")
	}
	for thing := range hidden {
		if !slices.ContainsFunc(audit.Actions, func(a audit.Action) bool { return strings.HasPrefix(string(a), thing+".") }) {
			t.Errorf("no action is of %s", thing)
		}
	}
}

// The IP addresses of operators and internal services are hidden from members
// (behaviour: audit#what-members-see).
func TestMembersSeeAddressesOfPeopleAndApps(t *testing.T) {
	for kind, want := range map[audit.Kind]string{
		audit.Operator: "", audit.Service: "", audit.Person: "192.0.2.1", audit.App: "192.0.2.1", audit.APIKey: "192.0.2.1", audit.Anonymous: "192.0.2.1",
	} {
		for _, byMember := range []bool{true, false} {
			s, kept, _ := newService(t)
			e := read(start)
			e.Actor.Kind, e.ClientAddress = kind, "192.0.2.1"
			kept.page = []audit.Event{e}
			page, _, err := s.Events(t.Context(), auditlog.Search{ByMember: byMember, AccountID: "dev_1"})
			if err != nil || len(page) != 1 {
				t.Fatalf("%v, %v", page, err)
			}
			if got := page[0].ClientAddress; byMember && got != want || !byMember && got != "192.0.2.1" {
				t.Errorf("of %s, to a member %t: %q", kind, byMember, got)
			}
		}
	}
}
