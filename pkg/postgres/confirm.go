package postgres

import (
	"context"

	"github.com/jackc/pgx/v5/pgconn"
)

// Execer executes statements: a pool, a connection or a transaction.
type Execer interface {
	Exec(ctx context.Context, sql string, arguments ...any) (pgconn.CommandTag, error)
}

// Confirm waits until every synchronous standby has received all commits so far. It is needed
// before answering a repeated call with what the first one wrote
// (behaviour: errors#durability-of-repeated-creates).
//
// A COMMIT that waits for a standby cannot be rolled back. If its caller times out, Postgres stops
// waiting, and the data becomes visible although possibly no standby has it. The first caller
// received a 503. If the second call only read the data, its answer would acknowledge data that is
// lost when a standby is promoted. Therefore Confirm writes something, which waits like the first
// commit.
func Confirm(ctx context.Context, db Execer) error {
	_, err := db.Exec(ctx, "SELECT pg_logical_emit_message(true, 'vitae', '')")
	return Named("wait for standbys", err)
}
