package postgres

import (
	"context"

	"github.com/jackc/pgx/v5/pgconn"
)

// Execer executes statements. Pools, connections and transactions implement it.
type Execer interface {
	Exec(ctx context.Context, sql string, arguments ...any) (pgconn.CommandTag, error)
}

// Confirm waits until every synchronous standby has received all commits so far. A service must
// call it before responding to a repeated call with data that the first call wrote
// (behaviour: errors#durability-of-repeated-creates).
//
// A COMMIT that waits for a standby cannot be rolled back. If its caller times out, Postgres stops
// waiting, and the data becomes visible, although there may be no standby that has it. The first
// caller received a 503. If the second call only read the data, its response would acknowledge data
// that is lost when a standby is promoted. Confirm therefore writes something, which waits like the
// first commit.
func Confirm(ctx context.Context, db Execer) error {
	_, err := db.Exec(ctx, "SELECT pg_logical_emit_message(true, 'vitae', '')")
	return Named("wait for standbys", err)
}
