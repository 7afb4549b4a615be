package audit

import (
	"context"
	"log/slog"
	"maps"
	"slices"
)

// Recorder stores an event outside any transaction. If there are very many refusals, it may count
// them instead of storing each one.
type Recorder interface {
	Record(ctx context.Context, e Event) error
}

// Log writes e to the structured log.
func Log(ctx context.Context, log *slog.Logger, e Event) {
	attributes := []any{"event_id", e.ID, "action", string(e.Action), "outcome", string(e.Outcome), "actor_kind", string(e.Actor.Kind)}
	for _, f := range []struct{ key, value string }{
		{"code", e.Code}, {"actor", e.Actor.ID}, {"caller", e.Caller}, {"account", e.AccountID}, {"app", e.AppID},
		{"person", e.PersonID}, {"object_type", e.Object.Type}, {"object", e.Object.ID},
		{"client_address", e.ClientAddress}, {"request_id", e.RequestID},
	} {
		if f.value != "" {
			attributes = append(attributes, f.key, f.value)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(e.Details)) {
		attributes = append(attributes, name, e.Details[name])
	}
	log.InfoContext(ctx, "audit", attributes...)
}
