package postgres

import (
	"context"

	"github.com/jackc/pgx/v5/pgconn"
)

// Execer runs statements: a pool, a connection or a transaction.
type Execer interface {
	Exec(ctx context.Context, sql string, arguments ...any) (pgconn.CommandTag, error)
}

// Confirm returns when every synchronous standby has what is committed so far. Whoever
// answers a repeated call by what the first one has written needs it
// (behaviour: errors#repeats-are-as-durable-as-the-first-call).
//
// A COMMIT that waits for a standby cannot be undone: when its caller gives up, Postgres ends
// the wait, and from then on everyone reads what was written, although no standby may have
// it. The first caller was answered 503. An answer to the second, which only reads, would
// acknowledge what is lost if a standby is promoted. So Confirm writes something, which
// waits as the first commit did.
func Confirm(ctx context.Context, db Execer) error {
	_, err := db.Exec(ctx, "SELECT pg_logical_emit_message(true, 'vitae', '')")
	return Named("wait for standbys", err)
}
