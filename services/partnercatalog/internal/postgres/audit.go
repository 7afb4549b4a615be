package postgres

import (
	"context"
	"encoding/json"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/audit/relay"
	"vitae.internal/services/partnercatalog/internal/postgres/sqlc"
)

var (
	_ audit.Recorder = (*Store)(nil)
	_ relay.Outbox   = (*Store)(nil)
)

// recorded writes the event of a change into the outbox, in the transaction that makes
// the change. Calls of the gateway for partners have no events.
func recorded(ctx context.Context, q *sqlc.Queries, about audit.About) error {
	if !audit.Followed(ctx) {
		return nil
	}
	return addEvent(ctx, q, audit.Succeeded(ctx, about))
}

// changed runs do, which makes a change, and writes the event that it gives in the same
// transaction. Without an event to write, do needs no transaction.
func (s *Store) changed(ctx context.Context, do func(q *sqlc.Queries) (*audit.About, error)) error {
	if !audit.Followed(ctx) {
		_, err := do(s.q)
		return err
	}
	return s.tx(ctx, "make an audited change", func(q *sqlc.Queries) error {
		about, err := do(q)
		if err != nil || about == nil {
			return err
		}
		return recorded(ctx, q, *about)
	})
}

func addEvent(ctx context.Context, q *sqlc.Queries, e audit.Event) error {
	raw, err := json.Marshal(e)
	if err != nil {
		return err
	}
	return q.AddAuditEvent(ctx, e.ID, raw)
}

// Record implements audit.Recorder.
func (s *Store) Record(ctx context.Context, e audit.Event) error {
	return errorOf("add an audit event", addEvent(ctx, s.q, e), nil)
}

// PendingEvents implements relay.Outbox. An event happened when it was written.
func (s *Store) PendingEvents(ctx context.Context, atMost int) ([]audit.Event, error) {
	rows, err := s.q.PendingAuditEvents(ctx, int32(atMost))
	if err != nil {
		return nil, errorOf("pending audit events", err, nil)
	}
	events := make([]audit.Event, len(rows))
	for i, row := range rows {
		if err := json.Unmarshal(row.Event, &events[i]); err != nil {
			return nil, errorOf("read an audit event", err, nil)
		}
		events[i].At = row.At
	}
	return events, nil
}

// DeleteEvents implements relay.Outbox.
func (s *Store) DeleteEvents(ctx context.Context, ids []string) error {
	return errorOf("delete audit events", s.q.DeleteAuditEvents(ctx, ids), nil)
}

// SetEventAside implements relay.Outbox.
func (s *Store) SetEventAside(ctx context.Context, id string) error {
	return errorOf("set an audit event aside", s.q.SetAuditEventAside(ctx, id), nil)
}
