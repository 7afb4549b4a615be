package outbox

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/audit/relay"
	"vitae.internal/pkg/background"
	"vitae.internal/pkg/postgres"
)

// Queries holds a service's sqlc statements for the audit_outbox table. Q is the service's own type
// that implements it.
type Queries[Q any] interface {
	// WithTx returns the statements bound to a transaction.
	WithTx(tx pgx.Tx) Q
	// AddAuditEvent inserts an event as JSON. The row has the same id as the event.
	AddAuditEvent(ctx context.Context, event []byte) error
	// TakeAuditEvents locks the oldest events that the auth service has not refused and no other
	// transaction has locked. It returns them as JSON, each with the time at which its row was
	// written.
	TakeAuditEvents(ctx context.Context, atMost int32) ([][]byte, error)
	// ListAuditEventTimes returns the times of the oldest events that the auth service has not
	// refused, oldest first.
	ListAuditEventTimes(ctx context.Context, atMost int32) ([]time.Time, error)
	// DeleteAuditEvents deletes the events with the given ids.
	DeleteAuditEvents(ctx context.Context, ids []string) error
	// SetAuditEventsAside marks the events with the given ids as refused by the auth service.
	SetAuditEventsAside(ctx context.Context, ids []string) error
}

// Outbox stores and returns the audit events of a service. It is safe for concurrent use.
type Outbox[Q Queries[Q]] struct {
	pool *pgxpool.Pool
	q    Q
}

// New returns an Outbox that uses the service's pool.
func New[Q Queries[Q]](pool *pgxpool.Pool, q Q) (*Outbox[Q], error) {
	if pool == nil {
		return nil, errors.New("audit outbox: a pool is required")
	}
	return &Outbox[Q]{pool: pool, q: q}, nil
}

// Transaction is a service's database transaction, with the events written in it.
type Transaction[Q Queries[Q]] struct {
	// Queries are the service's statements, bound to the transaction.
	Queries Q
	events  *audit.Transaction
}

// Record writes an event in the transaction. It does nothing in calls that are not audited, such as
// calls from partners.
func (t Transaction[Q]) Record(ctx context.Context, about audit.About) error {
	if t.events == nil {
		return nil
	}
	return add(ctx, t.Queries, t.events.Event(about))
}

// InTransaction runs do in a transaction, and commits if do returns nil.
func (o *Outbox[Q]) InTransaction(ctx context.Context, do func(t Transaction[Q]) error) error {
	events := audit.FromContext(ctx).Transaction()
	err := pgx.BeginFunc(ctx, o.pool, func(tx pgx.Tx) error {
		return do(Transaction[Q]{Queries: o.q.WithTx(tx), events: events})
	})
	if err == nil {
		events.Committed()
	}
	return err
}

// Change runs do and writes the event that do returns, in one transaction. In calls that are not
// audited, do runs without a transaction.
func (o *Outbox[Q]) Change(ctx context.Context, do func(q Q) (*audit.About, error)) error {
	if audit.FromContext(ctx) == nil {
		_, err := do(o.q)
		return err
	}
	return o.InTransaction(ctx, func(t Transaction[Q]) error {
		about, err := do(t.Queries)
		if err != nil || about == nil {
			return err
		}
		return t.Record(ctx, *about)
	})
}

func add[Q Queries[Q]](ctx context.Context, q Q, e audit.Event) error {
	raw, err := json.Marshal(e)
	if err != nil {
		return err
	}
	return q.AddAuditEvent(ctx, raw)
}

// Size returns the number of waiting events and the age of the oldest.
func (o *Outbox[Q]) Size(ctx context.Context) (background.Size, error) {
	times, err := o.q.ListAuditEventTimes(ctx, background.Most)
	if err != nil || len(times) == 0 {
		return background.Size{}, postgres.Named("audit outbox: measure", err)
	}
	return background.SizeAt(time.Now(), int64(len(times)), times[0]), nil
}

var (
	_ audit.Recorder = (*Outbox[noQueries])(nil)
	_ relay.Outbox   = (*Outbox[noQueries])(nil)
)

// noQueries is used only to check that Outbox implements the interfaces.
type noQueries struct{ Queries[noQueries] }

// Record stores an event outside any other transaction.
func (o *Outbox[Q]) Record(ctx context.Context, e audit.Event) error {
	return postgres.Named("audit outbox: add an event", add(ctx, o.q, e))
}

// Take implements relay.Outbox. It locks the rows in a transaction while pass runs, so that the
// events stay in the outbox if the process or the connection fails.
func (o *Outbox[Q]) Take(ctx context.Context, atMost int, pass relay.Pass) (taken int, err error) {
	var passing error
	err = pgx.BeginFunc(ctx, o.pool, func(tx pgx.Tx) error {
		q := o.q.WithTx(tx)
		events, err := take(ctx, q, atMost)
		if taken = len(events); err != nil || taken == 0 {
			return err
		}
		var passed relay.Passed
		passed, passing = pass(ctx, events)
		if len(passed.Refused) > 0 {
			if err := q.SetAuditEventsAside(ctx, passed.Refused); err != nil {
				return err
			}
		}
		if len(passed.Confirmed) == 0 {
			return nil
		}
		return q.DeleteAuditEvents(ctx, passed.Confirmed)
	})
	return taken, errors.Join(passing, postgres.Named("audit outbox: take events", err))
}

func take[Q Queries[Q]](ctx context.Context, q Q, atMost int) ([]audit.Event, error) {
	rows, err := q.TakeAuditEvents(ctx, int32(atMost))
	if err != nil {
		return nil, err
	}
	events := make([]audit.Event, len(rows))
	for i, row := range rows {
		if err := json.Unmarshal(row, &events[i]); err != nil {
			return nil, err
		}
	}
	return events, nil
}
