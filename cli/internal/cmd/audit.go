package cmd

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/vocabulary"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// auditEvent is the JSON form of an event of the audit log. Missing values are null.
type auditEvent struct {
	At            *string           `json:"at"`
	ID            string            `json:"id"`
	Action        string            `json:"action"`
	Outcome       string            `json:"outcome"`
	ErrorCode     *string           `json:"errorCode"`
	Actor         auditActor        `json:"actor"`
	AccountID     *string           `json:"accountId"`
	AccountName   *string           `json:"accountName"`
	AppID         *string           `json:"appId"`
	AppName       *string           `json:"appName"`
	PersonID      *string           `json:"personId"`
	PersonName    *string           `json:"personName"`
	ObjectType    *string           `json:"objectType"`
	ObjectID      *string           `json:"objectId"`
	ObjectName    *string           `json:"objectName"`
	ClientAddress *string           `json:"clientAddress"`
	RequestID     *string           `json:"requestId"`
	Details       map[string]string `json:"details"`
}

// auditActor identifies who acted. Caller is the name in the caller's certificate.
type auditActor struct {
	Kind   string  `json:"kind"`
	ID     *string `json:"id"`
	Name   *string `json:"name"`
	Caller *string `json:"caller"`
}

var (
	actorKinds    = vocabulary.New[authv1.ActorKind]()
	auditOutcomes = vocabulary.New[authv1.AuditOutcome]()
)

func (a *app) auditCommand() *cobra.Command {
	var (
		req     authv1.ListEventsRequest
		outcome string
		limit   int32
	)
	c := &cobra.Command{
		Use:   "audit [ACCOUNT] [--app ID] [--person ID] [--action A] [--outcome O] [--from T --to T] [--limit N]",
		Short: "List the audit log, newest first",
		Long: `List the audit log of the last 400 days, newest first: who did what, to what, from which
address, with which request id, and the outcome; of all accounts, or of one. Events must match
all the filters. -o wide shows every column, -o json everything.

Actions: ` + strings.Join(actionNames(), ", ") + ".",
		Example: "  vitaectl audit dev_… --action api_key.create,api_key.delete\n" +
			"  vitaectl audit --person usr_… --from 2030-01-30 --to 2030-01-31T12:00:00Z --limit 0",
		RunE: a.withStack(func(ctx context.Context, s *stack, _ []string) error {
			req.Outcome = auditOutcomes.Value(outcome)
			events, names, err := s.auditEvents(ctx, &req, limit)
			if err != nil {
				return err
			}
			rows := []auditEvent{}
			for _, e := range events {
				rows = append(rows, newAuditEvent(e, names))
			}
			if a.output == "wide" {
				return a.show(rows, auditTable(events, names)...)
			}
			return a.show(rows, shortAuditTable(events, names)...)
		}),
	}
	takeAccount(c, &req.AccountId, false)
	c.Flags().StringVar(&req.AppId, "app", "", "only events about this app (id)")
	c.Flags().StringVar(&req.PersonId, "person", "", "only events about this person (id)")
	c.Flags().StringSliceVar(&req.Actions, "action", nil, "only these actions, for example api_key.create, separated by commas")
	c.Flags().StringVar(&outcome, "outcome", "", "only this outcome: succeeded or refused")
	addPeriod(c, &req.From, &req.To)
	c.Flags().Int32Var(&limit, "limit", 100, "maximum number of events; 0 lists all")
	complete(c, "action", actionNames())
	complete(c, "outcome", []string{"succeeded", "refused"})
	c.PreRunE = func(*cobra.Command, []string) error {
		if limit < 0 {
			return fmt.Errorf("--limit must not be negative, but is %d", limit)
		}
		if outcome != "" && auditOutcomes.Value(outcome) == 0 {
			return fmt.Errorf("--outcome must be succeeded or refused, not %q", outcome)
		}
		for _, action := range req.Actions {
			if !audit.Action(action).Known() {
				return fmt.Errorf("unknown --action %q: vitaectl audit --help lists all actions", action)
			}
		}
		return nil
	}
	return c
}

func actionNames() (names []string) {
	for _, action := range audit.Actions {
		names = append(names, string(action))
	}
	return names
}

// eventNames maps the ids of objects in events to their names.
type eventNames map[string]*authv1.EventName

// of returns the name of an object, and marks objects that no longer exist.
func (n eventNames) of(id string) string {
	name := n[id].GetName()
	if n[id].GetEnded() {
		name += " (ended)"
	}
	return name
}

// auditEvents reads pages until it has limit events (all if 0) or reaches the end. The names are
// part of the pages: looking them up separately would add events to the log
// (behaviour: audit#names).
func (s *stack) auditEvents(ctx context.Context, req *authv1.ListEventsRequest, limit int32) (events []*authv1.AuditEvent, names eventNames, err error) {
	for names = (eventNames{}); ; {
		req.PageSize = logPage
		if left := limit - int32(len(events)); limit > 0 {
			req.PageSize = min(left, logPage)
		}
		resp, err := s.audit.ListEvents(ctx, req)
		if err != nil {
			return nil, nil, err
		}
		for _, name := range resp.GetNames() {
			names[name.GetId()] = name
		}
		events = append(events, resp.GetEvents()...)
		if req.PageToken = resp.GetNextPageToken(); req.PageToken == "" || limit > 0 && int32(len(events)) >= limit {
			return events, names, nil
		}
	}
}

func newAuditEvent(e *authv1.AuditEvent, names eventNames) auditEvent {
	details := e.GetDetails()
	if details == nil {
		details = map[string]string{}
	}
	named := func(id string) *string { return orNull(names[id].GetName()) }
	return auditEvent{
		At: jsonTime(e.GetAt()), ID: e.GetId(), Action: e.GetAction(), Outcome: auditOutcomes.Word(e.GetOutcome()), ErrorCode: orNull(e.GetErrorCode()),
		Actor: auditActor{
			Kind: actorKinds.Word(e.GetActor().GetKind()), ID: orNull(e.GetActor().GetId()), Name: named(e.GetActor().GetId()), Caller: orNull(e.GetActor().GetCaller()),
		},
		AccountID: orNull(e.GetAccountId()), AccountName: named(e.GetAccountId()), AppID: orNull(e.GetAppId()), AppName: named(e.GetAppId()),
		PersonID: orNull(e.GetPersonId()), PersonName: named(e.GetPersonId()),
		ObjectType: orNull(e.GetObjectType()), ObjectID: orNull(e.GetObjectId()), ObjectName: named(e.GetObjectId()),
		ClientAddress: orNull(e.GetClientAddress()), RequestID: orNull(e.GetRequestId()), Details: details,
	}
}

// auditTable formats the log with all columns.
func auditTable(events []*authv1.AuditEvent, names eventNames) []string {
	var rows [][]string
	for _, e := range events {
		var details []string
		for _, name := range slices.Sorted(maps.Keys(e.GetDetails())) {
			details = append(details, fmt.Sprintf("%s=%q", name, e.GetDetails()[name]))
		}
		row := []string{
			*jsonTime(e.GetAt()), e.GetAction(), auditOutcomes.Word(e.GetOutcome()), e.GetErrorCode(), actorKinds.Word(e.GetActor().GetKind()),
			names.of(e.GetActor().GetId()), e.GetActor().GetId(), e.GetActor().GetCaller(), e.GetObjectType(), names.of(e.GetObjectId()), e.GetObjectId(),
			names.of(e.GetAccountId()), e.GetAccountId(), names.of(e.GetAppId()), e.GetAppId(), names.of(e.GetPersonId()), e.GetPersonId(),
			e.GetClientAddress(), e.GetRequestId(), strings.Join(details, " "),
		}
		for i, cell := range row {
			row[i] = dashed(cell)
		}
		rows = append(rows, row)
	}
	return table([]string{
		"TIME", "ACTION", "OUTCOME", "ERROR", "BY", "BY NAME", "BY ID", "THROUGH", "OBJECT", "OBJECT NAME", "OBJECT ID",
		"ACCOUNT", "ACCOUNT ID", "APP", "APP ID", "PERSON", "PERSON ID", "FROM", "REQUEST ID", "DETAILS",
	}, rows)
}

// shortAuditTable formats the log in at most 120 columns.
func shortAuditTable(events []*authv1.AuditEvent, names eventNames) []string {
	var rows [][]string
	for _, e := range events {
		called := func(id string) string { return cmp.Or(names.of(id), id) }
		rows = append(rows, []string{
			e.GetAt().AsTime().UTC().Format(time.RFC3339), short(e.GetAction(), 23), short(actorOf(e, names), 20),
			short(cmp.Or(called(e.GetObjectId()), called(e.GetPersonId())), 18), short(called(e.GetAccountId()), 13),
			short(cmp.Or(e.GetErrorCode(), "ok"), 16),
		})
	}
	return table([]string{"TIME", "ACTION", "BY", "ON", "ACCOUNT", "RESULT"}, rows)
}

// actorOf formats the actor of an event. Operators have the name in their certificate.
func actorOf(e *authv1.AuditEvent, names eventNames) string {
	by := e.GetActor()
	switch by.GetKind() {
	case authv1.ActorKind_ACTOR_KIND_OPERATOR, authv1.ActorKind_ACTOR_KIND_SERVICE:
		return by.GetCaller()
	case authv1.ActorKind_ACTOR_KIND_ANONYMOUS:
		return actorKinds.Word(by.GetKind())
	}
	return cmp.Or(names.of(by.GetId()), by.GetId())
}

// short truncates a cell to at most the given number of characters.
func short(text string, most int) string {
	text = dashed(oneLine(text))
	if letters := []rune(text); len(letters) > most {
		return string(letters[:most-1]) + "…"
	}
	return text
}
