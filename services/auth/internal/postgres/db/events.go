package db

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"vitae.internal/pkg/audit"
	"vitae.internal/services/auth/internal/postgres/sqlc"
)

// Record writes the audit event of a change in the transaction that makes the change. Changes made by jobs have no
// event, because jobs have no caller.
func (t Transaction) Record(ctx context.Context, about audit.About) error {
	if t.events == nil {
		return nil
	}
	return AddEvents(ctx, t.Queries, t.events.Event(about))
}

// ScopeDetails returns the details for an audit event that lists scopes.
func ScopeDetails(scopes []string) map[string]string {
	return map[string]string{audit.Scopes: strings.Join(scopes, " ")}
}

// AddEvents adds events with a single statement.
func AddEvents(ctx context.Context, q *sqlc.Queries, events ...audit.Event) error {
	for _, e := range events {
		if !e.Action.Known() {
			return fmt.Errorf("an event has the unknown action %q", e.Action)
		}
	}
	raw, err := json.Marshal(events)
	if err != nil {
		return err
	}
	return q.AddAuditEvents(ctx, raw)
}

// List returns an empty slice for nil, for which pgx would write NULL.
func List(values []string) []string {
	if values == nil {
		return []string{}
	}
	return values
}
