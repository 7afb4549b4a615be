package postgres

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"vitae.internal/pkg/audit"
	"vitae.internal/services/auth/internal/activity/auditlog"
	"vitae.internal/services/auth/internal/postgres/sqlc"
)

var (
	_ auditlog.Store      = (*Store)(nil)
	_ auditlog.Partitions = (*Store)(nil)
)

// AuditTable is the table to which the service only adds.
const AuditTable = "audit_events"

// record writes the event of a change in the transaction that makes it: there is no
// change without its event, and no event without its change. What a job changes has none:
// nobody has called for it.
func (t transaction) record(ctx context.Context, about audit.About) error {
	if t.events == nil {
		return nil
	}
	return addEvents(ctx, t.Queries, t.events.Event(about))
}

// scopeDetails are what the audit log holds of scopes.
func scopeDetails(scopes []string) map[string]string {
	return map[string]string{audit.Scopes: strings.Join(scopes, " ")}
}

// addEvents adds events in one statement.
func addEvents(ctx context.Context, q *sqlc.Queries, events ...audit.Event) error {
	for _, e := range events {
		if !e.Action.Known() {
			return fmt.Errorf("an event has the action %q, which no filter finds", e.Action)
		}
	}
	raw, err := json.Marshal(events)
	if err != nil {
		return err
	}
	return q.AddAuditEvents(ctx, raw)
}

func (s *Store) AddEvents(ctx context.Context, events []audit.Event) error {
	if len(events) == 0 {
		return nil
	}
	clean := make([]audit.Event, len(events))
	for i, e := range events {
		clean[i] = e.Clean()
	}
	err := addEvents(ctx, s.q, clean...)
	if hasCode(err, "23514") { // check_violation, which only a missing partition causes
		return auditlog.ErrNoPartition
	}
	return errorOf("add audit events", err, nil)
}

// Events implements auditlog.Store. Each filter has an index; the others are checked on
// the rows that it finds.
func (s *Store) Events(ctx context.Context, q auditlog.Query) ([]audit.Event, error) {
	var rows []sqlc.AuditEvent
	var err error
	actions, most := list(q.Actions), int32(q.AtMost)
	switch {
	case q.PersonID != "":
		var found []sqlc.ListPersonAuditEventsRow
		found, err = s.q.ListPersonAuditEvents(ctx, sqlc.ListPersonAuditEventsParams{
			PersonID: q.PersonID, AccountID: q.AccountID, AppID: q.AppID, Actions: actions, Outcome: string(q.Outcome),
			Since: q.Since, BeforeAt: q.After.At, BeforeID: q.After.ID, AtMost: most,
		})
		for _, row := range found {
			rows = append(rows, row.AuditEvent)
		}
	case q.AppID != "":
		var found []sqlc.ListAppAuditEventsRow
		found, err = s.q.ListAppAuditEvents(ctx, sqlc.ListAppAuditEventsParams{
			AppID: q.AppID, AccountID: q.AccountID, Actions: actions, Outcome: string(q.Outcome),
			Since: q.Since, BeforeAt: q.After.At, BeforeID: q.After.ID, AtMost: most,
		})
		for _, row := range found {
			rows = append(rows, row.AuditEvent)
		}
	case q.AccountID != "":
		var found []sqlc.ListAccountAuditEventsRow
		found, err = s.q.ListAccountAuditEvents(ctx, sqlc.ListAccountAuditEventsParams{
			AccountID: q.AccountID, Actions: actions, Outcome: string(q.Outcome),
			Since: q.Since, BeforeAt: q.After.At, BeforeID: q.After.ID, AtMost: most,
		})
		for _, row := range found {
			rows = append(rows, row.AuditEvent)
		}
	default:
		rows, err = s.eventsOfAnyone(ctx, q)
	}
	if err != nil {
		return nil, errorOf("list audit events", err, nil)
	}
	events := make([]audit.Event, len(rows))
	for i, row := range rows {
		if events[i], err = eventFromRow(row); err != nil {
			return nil, errorOf("list audit events", err, nil)
		}
	}
	return events, nil
}

func (s *Store) eventsOfAnyone(ctx context.Context, q auditlog.Query) (rows []sqlc.AuditEvent, err error) {
	if len(q.Actions) == 1 {
		found, err := s.q.ListActionAuditEvents(ctx, sqlc.ListActionAuditEventsParams{
			Action: q.Actions[0], Outcome: string(q.Outcome), Since: q.Since, BeforeAt: q.After.At, BeforeID: q.After.ID, AtMost: int32(q.AtMost),
		})
		for _, row := range found {
			rows = append(rows, row.AuditEvent)
		}
		return rows, err
	}
	found, err := s.q.ListAuditEvents(ctx, sqlc.ListAuditEventsParams{
		Actions: list(q.Actions), Outcome: string(q.Outcome), Since: q.Since, BeforeAt: q.After.At, BeforeID: q.After.ID, AtMost: int32(q.AtMost),
	})
	for _, row := range found {
		rows = append(rows, row.AuditEvent)
	}
	return rows, err
}

func (s *Store) NamesOf(ctx context.Context, ids []string, accountID string) ([]auditlog.Name, error) {
	rows, err := s.q.NamesOfIDs(ctx, sqlc.NamesOfIDsParams{Ids: ids, AccountID: accountID})
	names := make([]auditlog.Name, len(rows))
	for i, row := range rows {
		names[i] = auditlog.Name{ID: row.ID, Name: row.Name, Ended: row.Ended}
	}
	return names, errorOf("name what the audit log has", err, nil)
}

func eventFromRow(row sqlc.AuditEvent) (audit.Event, error) {
	e := audit.Event{
		ID: row.ID, At: row.At, Action: audit.Action(row.Action), Outcome: audit.Outcome(row.Outcome), Code: row.ErrorCode,
		Actor: audit.Actor{Kind: audit.Kind(row.ActorKind), ID: row.ActorID}, Caller: row.Caller,
		AccountID: row.AccountID, AppID: row.AppID, PersonID: row.PersonID,
		Object: audit.Object{Type: row.ObjectType, ID: row.ObjectID}, ClientAddress: row.ClientAddress, RequestID: row.RequestID,
	}
	return e, json.Unmarshal(row.Details, &e.Details)
}

// MakeAuditPartition implements auditlog.Partitions. SQL functions of the owner make and
// drop partitions; sqlc knows no call for its effect alone.
func (s *Store) MakeAuditPartition(ctx context.Context, at time.Time) (held bool, err error) {
	var moment *time.Time
	if !at.IsZero() {
		moment = &at
	}
	err = s.pool.QueryRow(ctx, "SELECT make_audit_partition(coalesce($1, now()))", moment).Scan(&held)
	return held, errorOf("make a partition of the audit log", err, nil)
}

func (s *Store) MakeNextAuditPartitions(ctx context.Context) error {
	_, err := s.pool.Exec(ctx, "SELECT make_audit_partition(now() + week * interval '7 days') FROM generate_series(0, 4) week")
	return errorOf("make partitions of the audit log", err, nil)
}

// DropAuditPartitions implements auditlog.Partitions. Each is dropped in a transaction of
// its own, since a drop blocks all readers and writers of the log until it commits.
func (s *Store) DropAuditPartitions(ctx context.Context) error {
	for dropped := true; dropped; {
		if err := s.pool.QueryRow(ctx, "SELECT drop_audit_partition()").Scan(&dropped); err != nil {
			return errorOf("drop a partition of the audit log", err, nil)
		}
	}
	return nil
}
