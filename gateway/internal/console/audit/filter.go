package audit

import (
	"vitae.internal/gateway/internal/console/shell"
	"vitae.internal/gateway/internal/web"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// filter holds the values of the form above the log.
type filter struct {
	Person, App, Action, Outcome string
	shell.Timespan
}

var fields = shell.Filter[filter]{
	{"person", func(f *filter) *string { return &f.Person }},
	{"app", func(f *filter) *string { return &f.App }},
	{"action", func(f *filter) *string { return &f.Action }},
	{"outcome", func(f *filter) *string { return &f.Outcome }},
	{"from", func(f *filter) *string { return &f.From }},
	{"to", func(f *filter) *string { return &f.To }},
}

// controls maps fields of ListEventsRequest to form controls.
var controls = shell.Controls{"person_id": "person", "app_id": "app", "actions": "action", "outcome": "outcome", "from": "from", "to": "to"}

// outcomes lists the outcomes, with their names in URLs, files and pages.
var outcomes = []struct {
	value, text string
	outcome     authv1.AuditOutcome
}{
	{"done", "Done", authv1.AuditOutcome_AUDIT_OUTCOME_SUCCEEDED}, {"refused", "Refused", authv1.AuditOutcome_AUDIT_OUTCOME_REFUSED},
}

// search converts the filter to a request to the auth service, and returns any validation errors.
func (f filter) search(accountID string) (*authv1.ListEventsRequest, []web.Fault) {
	req := &authv1.ListEventsRequest{AccountId: accountID, PersonId: f.Person, AppId: f.App}
	if f.Action != "" {
		req.Actions = []string{f.Action}
	}
	for _, o := range outcomes {
		if o.value == f.Outcome {
			req.Outcome = o.outcome
		}
	}
	var faults, wrong []web.Fault
	if f.Outcome != "" && req.GetOutcome() == authv1.AuditOutcome_AUDIT_OUTCOME_UNSPECIFIED {
		faults = shell.FaultAt("outcome", "Choose an outcome.")
	}
	req.From, req.To, wrong = f.Read()
	return req, append(faults, wrong...)
}

func outcomeOptions(chosen string) []shell.Option {
	options := []shell.Option{{Text: "All outcomes"}}
	for _, o := range outcomes {
		options = append(options, shell.Option{Value: o.value, Text: o.text})
	}
	return shell.Choose(options, chosen, chosen)
}

func personOptions(members []*authv1.AccountMember, chosen string) []shell.Option {
	options := []shell.Option{{Text: "Everybody"}}
	for _, m := range members {
		options = append(options, shell.Option{Value: m.GetPersonId(), Text: shell.NameOf(m)})
	}
	return shell.Choose(options, chosen, chosen)
}
