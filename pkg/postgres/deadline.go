package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	// margin is kept back from the caller's deadline. In it, the server commits and the
	// answer comes back. It also covers what two clocks can drift apart in compareEvery.
	margin = 100 * time.Millisecond
	// compareEvery is how long a comparison of the clocks is used.
	compareEvery = time.Minute
	// clockKey is where a connection keeps its last comparison.
	clockKey = "vitae.clock"
)

// Never is the deadline of a caller that waits without end.
var Never = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)

// comparison is a reading of the server's clock.
type comparison struct {
	// server is what the server's clock showed.
	server time.Time
	// taken is when the reading arrived here.
	taken time.Time
}

// Deadline gives the time, by the clock of the connection's server, after which a
// statement must have no effect, because by then the caller of ctx is answered 503
// (behaviour: errors#what-was-answered-503-for-lateness).
//
// A statement that was sent can run long after its caller has given up: a server that was
// frozen, or cut off, runs what it finds in its buffers when it comes back. So the
// statement itself must compare the result with clock_timestamp().
//
// The clocks of this process and of the server may differ by any amount. Deadline reads
// the server's clock once a minute for each connection. The reading is older than its
// arrival here, so the result is never later than the deadline of ctx, and earlier by the
// margin and the way of the reading. Only a server whose clock is set back within that
// minute, by more than the margin, can let a statement run too late.
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
