package auditlog_test

import (
	"slices"
	"strings"
	"testing"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/errs"
	"vitae.internal/services/auth/internal/activity/auditlog"
)

// notTheirs maps each kind of object whose actions people do not see in their own log to the reason.
var notTheirs = map[string]string{
	"account": "it belongs to a developer's account", "member": "it belongs to a developer's account", "invitation": "it belongs to a developer's account",
	"app": "it belongs to a developer's account", "api_key": "it belongs to a developer's account", "plan_request": "it belongs to a developer's account",
	"client": "what apps do", "token": "what apps do; what they read has a page of its own",
	"usage": "it belongs to a developer's account", "request_log": "it belongs to a developer's account", "audit": "operators read the log",
	"profile": "what internal callers do", "cv": "what internal callers do", "application": "what internal callers do", "resume": "what internal callers do",
	"company": "it belongs to a developer's account", "job": "it belongs to a developer's account", "method": "a part or a team tried what it may not",
}

// exceptions maps each action that is hidden, although other actions on the same kind of object are shown, to the
// reason.
var exceptions = map[audit.Action]string{
	audit.PersonRead: "operators look for people", audit.PersonFind: "operators look for people", audit.PersonExport: "a service does it",
	audit.PasswordRequestReset: "anyone may request it, and the person gets an email", audit.ConsentDecline: "nothing was changed",
	audit.ConnectionList: "operators look at connections", audit.ConsoleEnsureApp: "a part does it", audit.ConsoleSignOut: "the session there ends",
}

// theirs maps each action that is shown, although other actions on the same kind of object are hidden, to the
// reason.
var theirs = map[audit.Action]string{
	audit.ProfileExport: "an intruder can copy everything", audit.ProfileDownloadExport: "an intruder can copy everything",
}

// Every new action must be either shown to the person or hidden from them
// (behaviour: audit#what-a-person-sees).
func TestEveryActionHasADecisionForPeople(t *testing.T) {
	s, shelf, _ := newService(t)
	if _, _, _, err := s.Own(t.Context(), "usr_1", "", 0); err != nil {
		t.Fatal(err)
	}
	shown := shelf.queries[0].Actions
	for _, action := range audit.Actions {
		_, kind := notTheirs[action.Thing()]
		_, single := exceptions[action]
		_, own := theirs[action]
		if hidden := kind && !own || single; hidden == slices.Contains(shown, string(action)) {
			t.Errorf("%s: shown to its person: %t, listed as hidden: %t; decide in owners.go or here", action, !hidden, hidden)
		}
	}
	for thing := range notTheirs {
		if !slices.ContainsFunc(audit.Actions, func(a audit.Action) bool { return strings.HasPrefix(string(a), thing+".") }) {
			t.Errorf("no action is of %s", thing)
		}
	}
}

func TestPersonSeesOnlyOwnEvents(t *testing.T) {
	s, shelf, _ := newService(t)
	own, others, tried := read(start), read(start), read(start)
	own.Actor, others.Actor, tried.Actor = audit.ByPerson("usr_1"), audit.ByPerson("usr_2"), audit.Actor{Kind: audit.Anonymous}
	shelf.page = []audit.Event{own, others, tried}
	page, _, next, err := s.Own(t.Context(), "usr_1", "", 0)
	if err != nil || next != "" || len(page) != 2 || page[0].Actor.ID != "usr_1" || page[1].Actor.Kind != audit.Anonymous {
		t.Errorf("%v, %q, %v", page, next, err)
	}
	if q := shelf.queries[0]; q.PersonID != "usr_1" || len(q.Actions) == 0 {
		t.Errorf("asked for %+v", q)
	}
	for _, nobody := range []string{"", "usr_\x00"} {
		if page, _, _, err := s.Own(t.Context(), nobody, "", 0); err != nil || len(page) != 0 {
			t.Errorf("%q: %v, %v", nobody, page, err)
		}
	}
	if len(shelf.queries) != 1 {
		t.Error("the log was queried without a person")
	}
}

func TestOwnEventsArePagedWithAppNames(t *testing.T) {
	s, shelf, _ := newService(t)
	first, last := read(start), read(start)
	first.AppID = "app_1"
	shelf.page = []audit.Event{first, last}
	shelf.names = []auditlog.Name{{ID: "app_1", Name: "Acme Jobs", Ended: true}}
	page, apps, next, err := s.Own(t.Context(), "usr_1", "", 2)
	if err != nil || len(page) != 2 || apps["app_1"] != "Acme Jobs" || next == "" {
		t.Fatalf("%v, %v, %q, %v", page, apps, next, err)
	}
	if _, _, _, err := s.Own(t.Context(), "usr_1", next, 2); err != nil {
		t.Fatal(err)
	}
	if q := shelf.queries[1]; q.After.ID != last.ID || !q.After.At.Equal(last.At) {
		t.Errorf("the second page follows %+v", q.After)
	}
	if _, _, _, err := s.Own(t.Context(), "usr_1", "x", 2); errs.KindOf(err) != errs.Invalid {
		t.Errorf("an invalid token: %v", err)
	}
}
