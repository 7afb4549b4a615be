package activity

import (
	"context"
	"encoding/json"
	"time"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/postgres"
	"vitae.internal/services/auth/internal/activity/auditlog"
	"vitae.internal/services/auth/internal/postgres/db"
	"vitae.internal/services/auth/internal/postgres/sqlc"
)

// Audit stores the audit log.
type Audit struct{ DB *db.DB }

// AuditTable is the audit log, a table to which the service can only add rows.
const AuditTable = "audit_events"

func (s *Audit) AddEvents(ctx context.Context, events []audit.Event) error {
	if len(events) == 0 {
		return nil
	}
	clean := make([]audit.Event, len(events))
	for i, e := range events {
		clean[i] = e.Clean()
	}
	err := db.AddEvents(ctx, s.DB.Q, clean...)
	if db.HasCode(err, "23514") { // this is a check_violation, which only a missing partition causes
		return auditlog.ErrNoPartition
	}
	return db.ErrorOf("add audit events", err, nil)
}

func (s *Audit) Events(ctx context.Context, q auditlog.Query) ([]audit.Event, error) {
	rows, err := s.rows(ctx, q)
	events := make([]audit.Event, len(rows))
	for i := 0; i < len(rows) && err == nil; i++ {
		events[i], err = eventFromRow(rows[i])
	}
	if err != nil {
		return nil, db.ErrorOf("list audit events", err, nil)
	}
	return events, nil
}

// rows reads events through the index that serves one of the filters. It applies the other filters to the rows
// found.
func (s *Audit) rows(ctx context.Context, q auditlog.Query) ([]sqlc.AuditEvent, error) {
	actions, outcome, most := db.List(q.Actions), string(q.Outcome), int32(q.AtMost)
	switch {
	case q.PersonID != "":
		return eventsOf(s.DB.Q.ListPersonAuditEvents(ctx, sqlc.ListPersonAuditEventsParams{
			PersonID: q.PersonID, AccountID: q.AccountID, AppID: q.AppID, Actions: actions, Outcome: outcome,
			Since: q.Since, BeforeAt: q.After.At, BeforeID: q.After.ID, AtMost: most,
		}))
	case q.AppID != "":
		return eventsOf(s.DB.Q.ListAppAuditEvents(ctx, sqlc.ListAppAuditEventsParams{
			AppID: q.AppID, AccountID: q.AccountID, Actions: actions, Outcome: outcome,
			Since: q.Since, BeforeAt: q.After.At, BeforeID: q.After.ID, AtMost: most,
		}))
	case q.AccountID != "":
		return eventsOf(s.DB.Q.ListAccountAuditEvents(ctx, sqlc.ListAccountAuditEventsParams{
			AccountID: q.AccountID, Actions: actions, Outcome: outcome,
			Since: q.Since, BeforeAt: q.After.At, BeforeID: q.After.ID, AtMost: most,
		}))
	case len(actions) == 1:
		return eventsOf(s.DB.Q.ListActionAuditEvents(ctx, sqlc.ListActionAuditEventsParams{
			Action: actions[0], Outcome: outcome, Since: q.Since, BeforeAt: q.After.At, BeforeID: q.After.ID, AtMost: most,
		}))
	default:
		return eventsOf(s.DB.Q.ListAuditEvents(ctx, sqlc.ListAuditEventsParams{
			Actions: actions, Outcome: outcome, Since: q.Since, BeforeAt: q.After.At, BeforeID: q.After.ID, AtMost: most,
		}))
	}
}

// eventsOf returns the events in rows returned by any of the queries.
func eventsOf[Row ~struct{ AuditEvent sqlc.AuditEvent }](found []Row, err error) ([]sqlc.AuditEvent, error) {
	rows := make([]sqlc.AuditEvent, len(found))
	for i, r := range found {
		rows[i] = struct{ AuditEvent sqlc.AuditEvent }(r).AuditEvent
	}
	return rows, err
}

func (s *Audit) NamesOf(ctx context.Context, ids []string, accountID string) ([]auditlog.Name, error) {
	rows, err := s.DB.Q.NamesOfIDs(ctx, sqlc.NamesOfIDsParams{Ids: ids, AccountID: accountID})
	names := make([]auditlog.Name, len(rows))
	for i, row := range rows {
		names[i] = auditlog.Name{ID: row.ID, Name: row.Name, Ended: row.Ended}
	}
	return names, db.ErrorOf("names of objects in the audit log", err, nil)
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

// MakeAuditPartition implements auditlog.Partitions. It calls an SQL function that runs with the privileges of the
// table owner. The same applies to dropping partitions.
func (s *Audit) MakeAuditPartition(ctx context.Context, at time.Time) (held bool, err error) {
	var moment *time.Time
	if !at.IsZero() {
		moment = &at
	}
	err = s.DB.Pool.QueryRow(ctx, "SELECT make_audit_partition(coalesce($1, now()))", moment).Scan(&held)
	return held, db.ErrorOf("make a partition of the audit log", err, nil)
}

func (s *Audit) MakeNextAuditPartitions(ctx context.Context) error {
	_, err := s.DB.Pool.Exec(ctx, "SELECT make_audit_partition(now() + week * interval '7 days') FROM generate_series(0, 4) week")
	return db.ErrorOf("make partitions of the audit log", err, nil)
}

// DropAuditPartitions implements auditlog.Partitions. It drops each partition in a separate transaction, because
// dropping blocks everyone who reads or writes the log until the commit.
func (s *Audit) DropAuditPartitions(ctx context.Context) error {
	for dropped := true; dropped; {
		if err := s.DB.Pool.QueryRow(ctx, "SELECT drop_audit_partition()").Scan(&dropped); err != nil {
			return db.ErrorOf("drop a partition of the audit log", err, nil)
		}
	}
	return nil
}

// IsAppendOnly reports whether the service's role is unable to change or delete events.
func (s *Audit) IsAppendOnly(ctx context.Context) (bool, error) {
	only, err := postgres.IsAppendOnly(ctx, s.DB.Pool, AuditTable)
	return only, db.ErrorOf("privileges on the audit log", err, nil)
}
