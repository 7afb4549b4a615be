package db

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"vitae.internal/pkg/audit"
	"vitae.internal/services/auth/internal/postgres/sqlc"
)

// Record writes the event of a change in the transaction that makes it: there is no
// change without its event, and no event without its change. What a job changes has none:
// nobody has called for it.
func (t Transaction) Record(ctx context.Context, about audit.About) error {
	if t.events == nil {
		return nil
	}
	return AddEvents(ctx, t.Queries, t.events.Event(about))
}

// ScopeDetails are what the audit log holds of scopes.
func ScopeDetails(scopes []string) map[string]string {
	return map[string]string{audit.Scopes: strings.Join(scopes, " ")}
}

// AddEvents adds events in one statement.
func AddEvents(ctx context.Context, q *sqlc.Queries, events ...audit.Event) error {
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

// List gives an empty slice for a nil one, since pgx would write NULL for nil.
func List(values []string) []string {
	if values == nil {
		return []string{}
	}
	return values
}
