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

// slowAuth is a fake auth service that rejects batches, so that events are sent one by one. Each
// response takes some time on a fake clock.
type slowAuth struct {
	authv1.AuditServiceClient
	clock  *fakeTimeouts
	takes  time.Duration
	stored []string
}

func (s *slowAuth) RecordEvents(ctx context.Context, req *authv1.RecordEventsRequest, _ ...grpc.CallOption) (*authv1.RecordEventsResponse, error) {
	if len(req.GetEvents()) > 1 {
		return nil, errs.New(errs.Invalid, "INVALID_ARGUMENT", "one by one")
	}
	s.clock.advance(s.takes)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s.stored = append(s.stored, req.GetEvents()[0].GetId())
	return &authv1.RecordEventsResponse{}, nil
}

// fakeTimeouts cancels contexts on a fake clock.
type fakeTimeouts struct {
	now    time.Duration
	limits []limit
}

type limit struct {
	at  time.Duration
	end context.CancelFunc
}

func (c *fakeTimeouts) limit(ctx context.Context, within time.Duration) (context.Context, context.CancelFunc) {
	ctx, end := context.WithCancel(ctx)
	c.limits = append(c.limits, limit{c.now + within, end})
	return ctx, end
}

func (c *fakeTimeouts) advance(by time.Duration) {
	c.now += by
	for _, l := range c.limits {
		if l.at <= c.now {
			l.end()
		}
	}
}

// Postgres terminates the idle transaction that locks the events after 15 seconds. A longer pass
// would send events that are no longer locked, and lose their confirmation.
func TestPassEndsBeforeItsTransaction(t *testing.T) {
	for name, tc := range map[string]struct {
		takes time.Duration
		want  int
	}{
		"immediate responses": {0, 30},
		"slow responses":      {time.Second, 9},
		"no response":         {sendWithin, 0},
	} {
		clock := &fakeTimeouts{}
		auth := &slowAuth{clock: clock, takes: tc.takes}
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
			t.Errorf("%s: the pass took %v, want at most passWithin", name, clock.now)
		}
	}
}
