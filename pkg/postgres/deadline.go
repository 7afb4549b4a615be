package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	// margin is subtracted from the caller's deadline, for the commit and the answer. It also
	// covers how far two clocks can drift apart within compareEvery.
	margin = 100 * time.Millisecond
	// compareEvery is how long a comparison of the clocks is used.
	compareEvery = time.Minute
	// clockKey is the key of the last comparison in the data of a connection.
	clockKey = "vitae.clock"
)

// Never is the deadline of a caller without a timeout.
var Never = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)

type comparison struct {
	// server is the time on the server's clock.
	server time.Time
	// taken is the local time at which it arrived.
	taken time.Time
}

// Deadline returns the time after which a statement must not have an effect, on the clock of the
// connection's server. By then, the caller of ctx receives a 503
// (behaviour: errors#late-requests-are-not-executed).
//
// A statement can run long after its caller has given up: when a server that was frozen or
// disconnected recovers, it executes what is in its buffers. Therefore the statement itself must
// compare the result with clock_timestamp().
//
// The clocks of this process and of the server may differ by any amount. Deadline reads the
// server's clock once a minute per connection. The reading is older than its arrival, so the result
// is never later than the deadline of ctx, but earlier by the margin and the latency of the
// reading. A statement can only run too late if the server's clock is set back by more than the
// margin within that minute.
func Deadline(ctx context.Context, conn *pgx.Conn) (time.Time, error) {
	deadline, ok := ctx.Deadline()
	if !ok {
		return Never, nil
	}
	kept := conn.PgConn().CustomData()
	last, ok := kept[clockKey].(comparison)
	if !ok || time.Since(last.taken) > compareEvery {
		if err := conn.QueryRow(ctx, "SELECT clock_timestamp()").Scan(&last.server); err != nil {
			return time.Time{}, err
		}
		last.taken = time.Now()
		kept[clockKey] = last
	}
	return last.server.Add(deadline.Sub(last.taken) - margin), nil
}
