package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// timeouts end what nobody waits for any more. A pooler in transaction mode refuses them
// at the start of a connection, since its connections to the server have other clients
// too. There they belong to the role.
var timeouts = []string{"statement_timeout", "idle_in_transaction_session_timeout"}

// longest is the value of both: by then the caller of a statement has given up.
const longest = "15s"

// throughPooler keeps nothing on a connection that the next transaction would need: the
// server behind it may be another. A statement is described once and kept here, and sent
// with each execution.
func throughPooler(c *pgx.ConnConfig) {
	c.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe
	c.StatementCacheCapacity = 0
}

// checkTimeouts returns an error if the role lets a statement run without end.
func checkTimeouts(ctx context.Context, pool *pgxpool.Pool) error {
	for _, name := range timeouts {
		var value, role string
		if err := pool.QueryRow(ctx, "SELECT current_setting($1), current_user", name).Scan(&value, &role); err != nil {
			return fmt.Errorf("read %s: %w", name, err)
		}
		if value == "0" {
			return fmt.Errorf("behind a pooler the role must have the setting: ALTER ROLE %s SET %s = '%s'",
				pgx.Identifier{role}.Sanitize(), name, longest)
		}
	}
	return nil
}
