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
	// every is the pause between two rounds.
	every = time.Second
	// batch is how many events are sent at once, the maximum of the contract.
	batch = 200
	// sendWithin limits a call, and passWithin all calls of a batch. Postgres ends a transaction
	// that has been idle for 15 seconds.
	sendWithin = 5 * time.Second
	passWithin = 10 * time.Second
)

// Outbox stores the events that auth has not confirmed. Several replicas send them concurrently,
// each a different part.
type Outbox interface {
	// Take passes at most atMost events to pass, the oldest that no other replica has taken, and
	// returns their number. It deletes those that auth has confirmed, and sets aside those that it
	// has refused. All others wait, as they do after a crash.
	Take(ctx context.Context, atMost int, pass Pass) (taken int, err error)
}

// Pass sends events. It returns the ids that auth has answered, even if it also returns an error.
type Pass func(ctx context.Context, events []audit.Event) (Passed, error)

// Passed are the ids of the events that auth has answered.
type Passed struct{ Confirmed, Refused []string }

// Config configures the job. All exported fields are required.
type Config struct {
	Outbox Outbox
	Auth   authv1.AuditServiceClient
	Log    *slog.Logger

	// limit sets the deadline of a call or a batch. It is context.WithTimeout except in tests.
	limit func(context.Context, time.Duration) (context.Context, context.CancelFunc)
}

// NewJob makes the job that passes events to auth.
func NewJob(c Config) (background.Job, error) {
	if c.Outbox == nil || c.Auth == nil || c.Log == nil {
		return background.Job{}, errors.New("relay: Outbox, Auth and Log are required")
	}
	if c.limit == nil {
		c.limit = context.WithTimeout
	}
	return background.Job{Every: every, Warning: "events of the audit log wait for auth", Round: c.round}, nil
}

// setAside counts events that auth has refused. An auth of another version may refuse an action
// that it does not know.
var setAside = promauto.NewCounter(prometheus.CounterOpts{
	Name: "vitae_audit_events_refused_total",
	Help: "Events of the audit log that auth refused. They stay in the outbox, with refused_at set.",
})

// round sends all waiting events.
func (c Config) round(ctx context.Context) error {
	return background.Drain(batch, func() (int, error) { return c.Outbox.Take(ctx, batch, c.pass) })
}

// pass sends events in one call. If auth refuses one of them, it sends them one by one, so that the
// refused one does not block the others.
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
