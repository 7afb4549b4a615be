package relay

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/periodic"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

const (
	// every is the pause between two rounds.
	every = time.Second
	// batch is how many events are sent at once. The contract takes as many.
	batch = 200
	// sendWithin bounds a call.
	sendWithin = 5 * time.Second
)

// Outbox holds the events that auth has not confirmed. Several replicas may send the same
// ones.
type Outbox interface {
	// PendingEvents gives at most atMost events, oldest first.
	PendingEvents(ctx context.Context, atMost int) ([]audit.Event, error)
	// DeleteEvents deletes events that were sent.
	DeleteEvents(ctx context.Context, ids []string) error
	// SetEventAside keeps an event that auth refuses, and has it pend no more.
	SetEventAside(ctx context.Context, id string) error
}

// Config is what the job is made of. All fields are required.
type Config struct {
	Outbox Outbox
	Auth   authv1.AuditServiceClient
	Log    *slog.Logger
}

// NewJob makes the job that passes events to auth.
func NewJob(c Config) (periodic.Job, error) {
	if c.Outbox == nil || c.Auth == nil {
		return periodic.Job{}, errors.New("relay: Outbox and Auth are required")
	}
	return periodic.New(periodic.Job{Every: every, Log: c.Log, Waiting: "events of the audit log wait for auth", Round: c.round})
}

// setAside counts events that auth has refused, as an auth of the release before may with
// an action that it does not know.
var setAside = promauto.NewCounter(prometheus.CounterOpts{
	Name: "vitae_audit_events_refused_total",
	Help: "Events of the audit log that auth refused. They stay in the outbox, with refused_at set.",
})

// round sends what there is. It deletes an event only after the answer.
func (c Config) round(ctx context.Context) error {
	for {
		events, err := c.Outbox.PendingEvents(ctx, batch)
		if err != nil || len(events) == 0 {
			return err
		}
		err = c.pass(ctx, events)
		if errs.KindOf(err) == errs.Invalid {
			err = c.passEach(ctx, events)
		}
		if err != nil {
			return err
		}
		if len(events) < batch {
			return nil
		}
	}
}

// pass sends events and deletes them.
func (c Config) pass(ctx context.Context, events []audit.Event) error {
	if err := c.send(ctx, events); err != nil {
		return err
	}
	ids := make([]string, len(events))
	for i, e := range events {
		ids[i] = e.ID
	}
	return c.Outbox.DeleteEvents(ctx, ids)
}

// passEach sends events one by one and sets aside those that auth refuses, so that they do
// not keep the others waiting.
func (c Config) passEach(ctx context.Context, events []audit.Event) error {
	for _, e := range events {
		err := c.pass(ctx, []audit.Event{e})
		if errs.KindOf(err) == errs.Invalid {
			setAside.Inc()
			c.Log.ErrorContext(ctx, "auth refuses an event of the audit log; it stays in the outbox", "event_id", e.ID, "action", string(e.Action), "error", err)
			err = c.Outbox.SetEventAside(ctx, e.ID)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (c Config) send(ctx context.Context, events []audit.Event) error {
	ctx, cancel := context.WithTimeout(ctx, sendWithin)
	defer cancel()
	_, err := c.Auth.RecordEvents(ctx, &authv1.RecordEventsRequest{Events: EventsToProto(events)})
	return err
}
