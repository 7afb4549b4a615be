package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	// margin is subtracted from the caller's deadline, to leave time for the commit and the
	// response. It also covers the drift between the two clocks within compareEvery.
	margin = 100 * time.Millisecond
	// compareEvery is the time between two comparisons of the clocks.
	compareEvery = time.Minute
	// clockKey is the key of the last comparison in the connection's custom data.
	clockKey = "vitae.clock"
)

// Never is the deadline of a call without a timeout.
var Never = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)

type comparison struct {
	// server is the time on the server's clock.
	server time.Time
	// taken is the local time at which the server's time arrived.
	taken time.Time
}

// Deadline returns the time after which a statement must not have an effect, on the clock of the
// connection's server. By that time, the caller of ctx has received a 503
// (behaviour: errors#late-requests-are-not-executed).
//
// A statement can run long after its caller has given up: when a server that was frozen or
// disconnected recovers, it executes the statements in its buffers. The statement itself must
// therefore compare the result with clock_timestamp().
//
// The clocks of this process and of the server may differ by any amount. Deadline reads the
// server's clock once a minute per connection. A reading is already slightly old when it arrives,
// so the result is never later than the deadline of ctx. It is earlier by the margin and by the
// latency of the reading. A statement can run too late only if the server's clock is set back by
// more than the margin within that minute.
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
