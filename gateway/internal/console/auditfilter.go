package console

import (
	"net/url"
	"strings"

	"vitae.internal/gateway/internal/web"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// auditFilter is what the form above the audit log holds, as it was written.
type auditFilter struct {
	Person, App, Action, Outcome string
	timespan
}

// auditFields are the filters by their names in an address, which are the ids of their
// controls too.
var auditFields = []struct {
	name string
	of   func(*auditFilter) *string
}{
	{"person", func(f *auditFilter) *string { return &f.Person }},
	{"app", func(f *auditFilter) *string { return &f.App }},
	{"action", func(f *auditFilter) *string { return &f.Action }},
	{"outcome", func(f *auditFilter) *string { return &f.Outcome }},
	{"from", func(f *auditFilter) *string { return &f.From }},
	{"to", func(f *auditFilter) *string { return &f.To }},
}

// auditControls are the fields of ListEventsRequest and their controls.
var auditControls = controls{"person_id": "person", "app_id": "app", "actions": "action", "outcome": "outcome", "from": "from", "to": "to"}

// auditOutcomes are the choices of an outcome, by what the page and the file call them.
var auditOutcomes = []struct {
	value, text string
	outcome     authv1.AuditOutcome
}{
	{"done", "Done", authv1.AuditOutcome_AUDIT_OUTCOME_SUCCEEDED}, {"refused", "Refused", authv1.AuditOutcome_AUDIT_OUTCOME_REFUSED},
}

const noOutcome = "Choose an outcome."

func auditFilterOf(q url.Values) auditFilter {
	var f auditFilter
	for _, field := range auditFields {
		*field.of(&f) = readable(strings.TrimSpace(q.Get(field.name)))
	}
	return f
}

// address is a path with the filter, and with a place in the list if there is one.
func (f auditFilter) address(path, page string) string {
	q := url.Values{}
	for _, field := range auditFields {
		if value := *field.of(&f); value != "" {
			q.Set(field.name, value)
		}
	}
	if page != "" {
		q.Set(pageField, page)
	}
	if len(q) == 0 {
		return path
	}
	return path + "?" + q.Encode()
}

// search is the filter as auth takes it, and what is wrong with it.
func (f auditFilter) search(accountID string) (*authv1.ListEventsRequest, []web.Fault) {
	req := &authv1.ListEventsRequest{AccountId: accountID, PersonId: f.Person, AppId: f.App}
	if f.Action != "" {
		req.Actions = []string{f.Action}
	}
	var faults []web.Fault
	if f.Outcome != "" {
		for _, o := range auditOutcomes {
			if o.value == f.Outcome {
				req.Outcome = o.outcome
			}
		}
		if req.GetOutcome() == authv1.AuditOutcome_AUDIT_OUTCOME_UNSPECIFIED {
			faults = faultAt("outcome", noOutcome)
		}
	}
	from, to, wrong := f.read()
	req.From, req.To = from, to
	return req, append(faults, wrong...)
}

// outcomeOptions are the choices of an outcome.
func outcomeOptions(chosen string) []option {
	options := []option{{Text: "All outcomes"}}
	for _, o := range auditOutcomes {
		options = append(options, option{Value: o.value, Text: o.text})
	}
	return choose(options, chosen, chosen)
}

// personOptions are the choices of a person: the members of the account.
func personOptions(members []*authv1.AccountMember, chosen string) []option {
	options := []option{{Text: "Everybody"}}
	for _, m := range members {
		options = append(options, option{Value: m.GetPersonId(), Text: nameOf(m)})
	}
	return choose(options, chosen, chosen)
}
