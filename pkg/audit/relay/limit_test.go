package relay

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"testing"
	"time"

	"google.golang.org/grpc"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// slow is auth that refuses batches, so that events go one by one, and whose answers take a
// time by a clock that the test turns.
type slow struct {
	authv1.AuditServiceClient
	clock  *turned
	takes  time.Duration
	stored []string
}

func (s *slow) RecordEvents(ctx context.Context, req *authv1.RecordEventsRequest, _ ...grpc.CallOption) (*authv1.RecordEventsResponse, error) {
	if len(req.GetEvents()) > 1 {
		return nil, errs.New(errs.Invalid, "INVALID_ARGUMENT", "one by one")
	}
	s.clock.turn(s.takes)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s.stored = append(s.stored, req.GetEvents()[0].GetId())
	return &authv1.RecordEventsResponse{}, nil
}

// turned ends contexts by its own time.
type turned struct {
	now    time.Duration
	limits []limit
}

type limit struct {
	at  time.Duration
	end context.CancelFunc
}

func (c *turned) limit(ctx context.Context, within time.Duration) (context.Context, context.CancelFunc) {
	ctx, end := context.WithCancel(ctx)
	c.limits = append(c.limits, limit{c.now + within, end})
	return ctx, end
}

func (c *turned) turn(by time.Duration) {
	c.now += by
	for _, l := range c.limits {
		if l.at <= c.now {
			l.end()
		}
	}
}

// Postgres ends the transaction that holds the events after 15 seconds. A pass that went on
// for longer would send events whose rows are nobody's any more, and lose what was confirmed.
func TestAPassEndsBeforeTheTransactionThatHoldsItsEvents(t *testing.T) {
	for name, tc := range map[string]struct {
		takes time.Duration
		want  int
	}{
		"answers at once": {0, 30},
		"slow answers":    {time.Second, 9},
		"no answer":       {sendWithin, 0},
	} {
		clock := &turned{}
		auth := &slow{clock: clock, takes: tc.takes}
		c := Config{Auth: auth, Log: slog.New(slog.DiscardHandler), limit: clock.limit}
		events := make([]audit.Event, 30)
		for i := range events {
			events[i] = audit.Event{ID: string(rune('a' + i)), Action: audit.ProfileRead}
		}
		passed, err := c.pass(t.Context(), events)
		if (err == nil) != (tc.want == len(events)) || err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
		if len(passed.Confirmed) != tc.want || !slices.Equal(passed.Confirmed, auth.stored) || len(passed.Refused) != 0 {
			t.Errorf("%s: confirmed %q, stored %q", name, passed.Confirmed, auth.stored)
		}
		if clock.now > passWithin {
			t.Errorf("%s: the pass took %v, and Postgres waits 15 s", name, clock.now)
		}
	}
}
