package cmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/vocabulary"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// auditEvent is the JSON form of an entry of the audit log. What says nothing is null.
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

// auditActor is who acted. Caller is the name of a certificate.
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
		req      authv1.ListEventsRequest
		from, to momentFlag
		outcome  string
		limit    int32
	)
	c := &cobra.Command{
		Use:   "audit [--account ID] [--app ID] [--person ID] [--action A] [--outcome O] [--from T --to T] [--limit N]",
		Short: "List the audit log, newest first",
		Long: `List the audit log of the last 400 days, newest first: who did what, on what, from
which address, with which request id, and how it ended. Filters that are given must all
match. -o wide shows every column, -o json everything.

Actions: ` + strings.Join(actionNames(), ", ") + ".",
		Example: "  vitaectl audit --account dev_… --action api_key.create,api_key.delete\n" +
			"  vitaectl audit --person usr_… --from 2030-01-30 --to 2030-01-31T12:00:00Z --limit 0",
		Args: cobra.NoArgs,
		RunE: a.withStack(func(ctx context.Context, s *stack, _ []string) error {
			req.From, req.To, req.Outcome = from.timestamp(), to.timestamp(), auditOutcomes.Value(outcome)
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
	c.Flags().StringVar(&req.AccountId, "account", "", "id of the account that the events concern")
	c.Flags().StringVar(&req.AppId, "app", "", "id of the app that they concern")
	c.Flags().StringVar(&req.PersonId, "person", "", "id of the person whom they concern")
	c.Flags().StringSliceVar(&req.Actions, "action", nil, "an action such as api_key.create; several separated by commas")
	c.Flags().StringVar(&outcome, "outcome", "", "how they ended: succeeded or refused")
	c.Flags().Var(&from, "from", "first moment: a day, or a time such as 2030-01-31T12:00:00Z")
	c.Flags().Var(&to, "to", "the moment after the last; of a day its beginning")
	c.Flags().Int32Var(&limit, "limit", 100, "how many to list at most; 0 lists all")
	complete(c, "action", actionNames())
	complete(c, "outcome", []string{"succeeded", "refused"})
	c.PreRunE = func(*cobra.Command, []string) error {
		if limit < 0 {
			return fmt.Errorf("--limit must not be negative, as %d is", limit)
		}
		if outcome != "" && auditOutcomes.Value(outcome) == 0 {
			return fmt.Errorf("--outcome must be succeeded or refused, not %q", outcome)
		}
		for _, action := range req.Actions {
			if !audit.Action(action).Known() {
				return fmt.Errorf("--action %q is no action: vitaectl audit --help lists them", action)
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

// eventNames are the names of what events have ids of, by id.
type eventNames map[string]*authv1.EventName

// of gives a name, and says of what is no more that it is; empty if there is none.
func (n eventNames) of(id string) string {
	name := n[id].GetName()
	if n[id].GetEnded() {
		name += " (ended)"
	}
	return name
}

// auditEvents reads page after page until it has limit events, all of them if that is 0,
// or there are no more. The names come with the pages: each that is looked up by itself
// would be an event of the log (behaviour: audit#names).
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
		At: moment(e.GetAt()), ID: e.GetId(), Action: e.GetAction(), Outcome: auditOutcomes.Word(e.GetOutcome()), ErrorCode: orNull(e.GetErrorCode()),
		Actor: auditActor{
			Kind: actorKinds.Word(e.GetActor().GetKind()), ID: orNull(e.GetActor().GetId()), Name: named(e.GetActor().GetId()), Caller: orNull(e.GetActor().GetCaller()),
		},
		AccountID: orNull(e.GetAccountId()), AccountName: named(e.GetAccountId()), AppID: orNull(e.GetAppId()), AppName: named(e.GetAppId()),
		PersonID: orNull(e.GetPersonId()), PersonName: named(e.GetPersonId()),
		ObjectType: orNull(e.GetObjectType()), ObjectID: orNull(e.GetObjectId()), ObjectName: named(e.GetObjectId()),
		ClientAddress: orNull(e.GetClientAddress()), RequestID: orNull(e.GetRequestId()), Details: details,
	}
}

// auditTable is the log for people to read, with names beside ids.
func auditTable(events []*authv1.AuditEvent, names eventNames) []string {
	var rows [][]string
	for _, e := range events {
		var details []string
		for _, name := range slices.Sorted(maps.Keys(e.GetDetails())) {
			details = append(details, fmt.Sprintf("%s=%q", name, e.GetDetails()[name]))
		}
		row := []string{
			*moment(e.GetAt()), e.GetAction(), auditOutcomes.Word(e.GetOutcome()), e.GetErrorCode(), actorKinds.Word(e.GetActor().GetKind()),
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

// shortAuditTable is the log in 120 columns: who did what, on what, in whose account, and how it ended.
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

// actorOf is who acted: an operator by the name of the certificate.
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

// short cuts a cell to so many characters.
func short(text string, most int) string {
	text = dashed(oneLine(text))
	if letters := []rune(text); len(letters) > most {
		return string(letters[:most-1]) + "…"
	}
	return text
}

// momentFlag reads a time or a UTC day, so that a malformed one is an error of usage.
type momentFlag struct{ at time.Time }

// Set implements pflag.Value.
func (f *momentFlag) Set(s string) (err error) {
	if f.at, err = time.Parse(time.RFC3339, s); err == nil {
		return nil
	}
	if f.at, err = time.Parse(time.DateOnly, s); err != nil {
		return errors.New("must be a day or a time, for example 2030-01-31 or 2030-01-31T12:00:00Z")
	}
	return nil
}

// Type implements pflag.Value.
func (f *momentFlag) Type() string { return "time" }

// String implements pflag.Value.
func (f *momentFlag) String() string {
	if f.at.IsZero() {
		return ""
	}
	return f.at.Format(time.RFC3339)
}

func (f *momentFlag) timestamp() *timestamppb.Timestamp {
	if f.at.IsZero() {
		return nil
	}
	return timestamppb.New(f.at)
}
