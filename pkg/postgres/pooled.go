package postgres

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// timeouts limits statements whose callers have given up. A pooler in transaction mode rejects these
// parameters at the start of a connection, because its connections to the server are shared. Behind a
// pooler, they must be settings of the role.
var timeouts = map[string]time.Duration{
	"statement_timeout":                   15 * time.Second,
	"idle_in_transaction_session_timeout": 15 * time.Second,
}

// setting formats a duration as a Postgres setting.
func setting(d time.Duration) string { return strconv.Itoa(int(d.Seconds())) + "s" }

// throughPooler configures connections to keep no state on the server, because the next transaction
// may use a different server connection. Statements are described once, cached in the client, and sent
// with each execution.
func throughPooler(c *pgx.ConnConfig) {
	c.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe
	c.StatementCacheCapacity = 0
}

// checkTimeouts returns an error if the role has no timeouts, or timeouts so short that they end
// statements before their callers have given up.
func checkTimeouts(ctx context.Context, pool *pgxpool.Pool) error {
	for name, least := range timeouts {
		var milliseconds int64
		var role string
		err := pool.QueryRow(ctx, "SELECT setting::bigint, current_user FROM pg_settings WHERE name = $1", name).Scan(&milliseconds, &role)
		if err != nil {
			return fmt.Errorf("read %s: %w", name, err)
		}
		if milliseconds < least.Milliseconds() {
			return fmt.Errorf("behind a pooler, the role needs the setting: ALTER ROLE %s SET %s = '%s'",
				pgx.Identifier{role}.Sanitize(), name, setting(least))
		}
	}
	return nil
}
