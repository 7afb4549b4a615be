package relay

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/background"
	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

const (
	// roundInterval is the time between the starts of two rounds.
	roundInterval = time.Second
	// batch is the maximum number of events sent at once, which is also the limit in the contract.
	batch = 200
	// sendWithin is the timeout of a single call, and passWithin the timeout of all calls for a
	// batch. Postgres terminates a transaction that has been idle for 15 seconds.
	sendWithin = 5 * time.Second
	passWithin = 10 * time.Second
)

// Outbox stores events that the auth service has not confirmed. Several replicas send events
// concurrently; each takes a different subset.
type Outbox interface {
	// Take passes at most atMost events to pass, the oldest ones that no other replica has taken,
	// and returns their number. It deletes the events that the auth service confirmed, and sets
	// aside the events that the service refused. The others stay in the outbox, as do all events
	// after a crash.
	Take(ctx context.Context, atMost int, pass Pass) (taken int, err error)
}

// Pass sends events to the auth service. It returns the ids that the service confirmed or refused,
// even if it also returns an error.
type Pass func(ctx context.Context, events []audit.Event) (Passed, error)

// Passed lists the ids of the events that the auth service confirmed and refused.
type Passed struct{ Confirmed, Refused []string }

// Config configures the job. All exported fields are required.
type Config struct {
	Outbox Outbox
	Auth   authv1.AuditServiceClient
	Log    *slog.Logger

	// limit sets the deadline of a call or a batch. It is context.WithTimeout except in tests.
	limit func(context.Context, time.Duration) (context.Context, context.CancelFunc)
}

// NewJob returns the job that sends events to the auth service.
func NewJob(c Config) (background.Job, error) {
	if c.Outbox == nil || c.Auth == nil || c.Log == nil {
		return background.Job{}, errors.New("relay: Outbox, Auth and Log are required")
	}
	if c.limit == nil {
		c.limit = context.WithTimeout
	}
	return background.Job{Every: roundInterval, Warning: "events of the audit log wait for auth", Round: c.round}, nil
}

// setAside counts events that the auth service refused, for example because an older version of it
// does not know an action.
var setAside = promauto.NewCounter(prometheus.CounterOpts{
	Name: "vitae_audit_events_refused_total",
	Help: "Number of audit events that auth refused. They stay in the outbox, with refused_at set.",
})

// round sends all waiting events.
func (c Config) round(ctx context.Context) error {
	return background.Drain(batch, func() (int, error) { return c.Outbox.Take(ctx, batch, c.pass) })
}

// pass sends events in one call. If the batch is rejected, pass sends the events one by one, so
// that a bad event does not block the others.
func (c Config) pass(ctx context.Context, events []audit.Event) (p Passed, err error) {
	ctx, cancel := c.limit(ctx, passWithin)
	defer cancel()
	switch err := c.send(ctx, events); {
	case errs.KindOf(err) == errs.Invalid:
		return c.passEach(ctx, events)
	case err != nil:
		return Passed{}, err
	}
	for _, e := range events {
		p.Confirmed = append(p.Confirmed, e.ID)
	}
	return p, nil
}

func (c Config) passEach(ctx context.Context, events []audit.Event) (p Passed, err error) {
	for _, e := range events {
		switch err := c.send(ctx, []audit.Event{e}); {
		case err == nil:
			p.Confirmed = append(p.Confirmed, e.ID)
		case errs.KindOf(err) == errs.Invalid:
			setAside.Inc()
			c.Log.ErrorContext(ctx, "auth refuses an event of the audit log; it stays in the outbox", "event_id", e.ID, "action", string(e.Action), "error", err)
			p.Refused = append(p.Refused, e.ID)
		default:
			return p, err
		}
	}
	return p, nil
}

func (c Config) send(ctx context.Context, events []audit.Event) error {
	ctx, cancel := c.limit(ctx, sendWithin)
	defer cancel()
	_, err := c.Auth.RecordEvents(ctx, &authv1.RecordEventsRequest{Events: EventsToProto(events)})
	return err
}
