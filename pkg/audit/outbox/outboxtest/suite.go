// Package outboxtest contains the test suite for package outbox. Each service runs it with its own
// statements on its own database.
package outboxtest

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/audit/relay"
	"vitae.internal/pkg/background"
	"vitae.internal/pkg/id"
)

// Outbox is the outbox under test.
type Outbox interface {
	audit.Recorder
	relay.Outbox
	// Size returns the number of waiting events and the age of the oldest.
	Size(ctx context.Context) (background.Size, error)
}

// Run tests an outbox. pool is connected to the outbox's database, which must contain no events.
func Run(t *testing.T, pool *pgxpool.Pool, o Outbox) {
	s := suite{pool: pool, outbox: o}
	t.Run("ReplicasTakeDifferentEvents", s.replicasTakeDifferentEvents)
	t.Run("EventsOfDeadReplicaAreTakenAgain", s.eventsOfDeadReplica)
	t.Run("UnconfirmedEventsStay", s.unconfirmedEventsStay)
	t.Run("SizeCountsWaitingEvents", s.sizeCountsWaitingEvents)
	t.Run("EventsAreTakenOldestFirst", s.oldestFirst)
}

type suite struct {
	pool   *pgxpool.Pool
	outbox Outbox
}

// record adds n events and returns their ids, oldest first.
func (s suite) record(t *testing.T, n int) (ids []string) {
	t.Helper()
	for range n {
		e := audit.Event{ID: id.New("evt"), Action: audit.CVRead, Outcome: audit.Done, Actor: audit.Actor{Kind: audit.Operator}}
		if err := s.outbox.Record(t.Context(), e); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, e.ID)
	}
	return ids
}

func (s suite) sizeCountsWaitingEvents(t *testing.T) {
	before := time.Now()
	ids := s.record(t, 3)
	if _, err := s.pool.Exec(t.Context(), `UPDATE audit_outbox SET at = at - interval '1 hour' WHERE id = $1`, ids[1]); err != nil {
		t.Fatal(err)
	}
	size, err := s.outbox.Size(t.Context())
	if err != nil || size.Entries != 3 || size.Oldest < time.Hour-time.Minute || size.Oldest > time.Since(before)+time.Hour+time.Minute {
		t.Errorf("size with three events, one of them an hour old: %+v, %v", size, err)
	}
	s.takeAll(t)
	if size, err = s.outbox.Size(t.Context()); err != nil || size != (background.Size{}) {
		t.Errorf("size of an empty outbox: %+v, %v", size, err)
	}
}

func idsOf(events []audit.Event) (ids []string) {
	for _, e := range events {
		ids = append(ids, e.ID)
	}
	return ids
}

// confirm returns a Pass that confirms all events, as the auth service does once it has stored
// them.
func confirm(to *[]string) relay.Pass {
	return func(_ context.Context, events []audit.Event) (relay.Passed, error) {
		*to = append(*to, idsOf(events)...)
		return relay.Passed{Confirmed: idsOf(events)}, nil
	}
}

// takeAll takes all waiting events and returns their ids.
func (s suite) takeAll(t *testing.T) (ids []string) {
	t.Helper()
	if _, err := s.outbox.Take(t.Context(), 1000, confirm(&ids)); err != nil {
		t.Fatal(err)
	}
	return ids
}

func (s suite) want(t *testing.T, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: %d events, want %d:\n%v\n%v", what, len(got), len(want), got, want)
	}
}

func (s suite) replicasTakeDifferentEvents(t *testing.T) {
	all := s.record(t, 30)
	var first, second []string
	n, err := s.outbox.Take(t.Context(), 10, func(ctx context.Context, events []audit.Event) (relay.Passed, error) {
		// While this replica waits for the auth service, a second one takes the remaining events.
		if n, err := s.outbox.Take(ctx, 1000, confirm(&second)); err != nil || n != 20 {
			t.Errorf("the second replica took %d events: %v", n, err)
		}
		return confirm(&first)(ctx, events)
	})
	if err != nil || n != 10 {
		t.Errorf("the first replica took %d events: %v", n, err)
	}
	s.want(t, "the first replica", first, all[:10])
	s.want(t, "the second replica", second, all[10:])
	s.want(t, "afterwards", s.takeAll(t), nil)
}

func (s suite) eventsOfDeadReplica(t *testing.T) {
	all := s.record(t, 3)
	var sent []string
	_, err := s.outbox.Take(t.Context(), 10, func(ctx context.Context, events []audit.Event) (relay.Passed, error) {
		// Close the connection, as if the process had been killed after the auth service responded.
		if _, err := s.pool.Exec(ctx, `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
			WHERE datname = current_database() AND state = 'idle in transaction'`); err != nil {
			t.Error(err)
		}
		return confirm(&sent)(ctx, events)
	})
	if err == nil {
		t.Error("no error although the connection was closed")
	}
	s.want(t, "sent", sent, all)
	s.want(t, "taken again", s.takeAll(t), all)
}

func (s suite) unconfirmedEventsStay(t *testing.T) {
	all := s.record(t, 5)
	down := errors.New("auth is down")
	n, err := s.outbox.Take(t.Context(), 1000, func(context.Context, []audit.Event) (relay.Passed, error) {
		return relay.Passed{Confirmed: all[:2], Refused: all[2:3]}, down
	})
	if n != 5 || !errors.Is(err, down) {
		t.Errorf("took %d events: %v", n, err)
	}
	var aside []string
	if err := s.pool.QueryRow(t.Context(), "SELECT coalesce(array_agg(id), '{}') FROM audit_outbox WHERE refused_at IS NOT NULL").Scan(&aside); err != nil {
		t.Fatal(err)
	}
	s.want(t, "refused", aside, all[2:3])
	s.want(t, "waiting", s.takeAll(t), all[3:])
}

func (s suite) oldestFirst(t *testing.T) {
	all := s.record(t, 3)
	// Make the middle event an hour older, by the database's clock.
	if _, err := s.pool.Exec(t.Context(), "UPDATE audit_outbox SET at = at - interval '1 hour' WHERE id = $1", all[1]); err != nil {
		t.Fatal(err)
	}
	var taken []audit.Event
	_, err := s.outbox.Take(t.Context(), 2, func(_ context.Context, events []audit.Event) (relay.Passed, error) {
		taken = events
		return relay.Passed{}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	s.want(t, "taken", idsOf(taken), []string{all[1], all[0]})
	for i, e := range taken {
		var at time.Time
		if err := s.pool.QueryRow(t.Context(), "SELECT at FROM audit_outbox WHERE id = $1", e.ID).Scan(&at); err != nil {
			t.Fatal(err)
		}
		if !e.At.Equal(at) {
			t.Errorf("event %d: At is %v, want %v", i, e.At, at)
		}
	}
	s.takeAll(t)
}
