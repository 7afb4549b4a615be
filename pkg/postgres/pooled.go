package postgres

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// timeouts end what nobody waits for any more: by then its caller has given up. A pooler in
// transaction mode refuses them when a connection starts, since its connections to the
// server have other clients too. There they belong to the role.
var timeouts = map[string]time.Duration{
	"statement_timeout":                   15 * time.Second,
	"idle_in_transaction_session_timeout": 15 * time.Second,
}

// setting is a duration as Postgres reads it.
func setting(d time.Duration) string { return strconv.Itoa(int(d.Seconds())) + "s" }

// throughPooler keeps nothing on a connection that the next transaction would need: the
// server behind it may be another. A statement is described once and kept here, and sent
// with each execution.
func throughPooler(c *pgx.ConnConfig) {
	c.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe
	c.StatementCacheCapacity = 0
}

// checkTimeouts returns an error if the role lets a statement run without end, or ends it
// before its caller has given up.
func checkTimeouts(ctx context.Context, pool *pgxpool.Pool) error {
	for name, least := range timeouts {
		var milliseconds int64
		var role string
		err := pool.QueryRow(ctx, "SELECT setting::bigint, current_user FROM pg_settings WHERE name = $1", name).Scan(&milliseconds, &role)
		if err != nil {
			return fmt.Errorf("read %s: %w", name, err)
		}
		if milliseconds < least.Milliseconds() {
			return fmt.Errorf("behind a pooler the role must have the setting: ALTER ROLE %s SET %s = '%s'",
				pgx.Identifier{role}.Sanitize(), name, setting(least))
		}
	}
	return nil
}
