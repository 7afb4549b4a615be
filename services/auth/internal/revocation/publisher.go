package revocation

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/errs"
)

const (
	// retryEvery is the pause between two attempts to delete records.
	retryEvery = 200 * time.Millisecond
	// deleteWithin bounds the deletion of an entry, for which no caller should wait.
	deleteWithin = time.Second
)

// Config is what a Publisher is made of. All fields are required.
type Config struct {
	Records Records
	Outbox  Outbox
	// WaitOut is how long after a commit a stale record can live
	// (sessionrecord.WaitOut).
	WaitOut time.Duration
	Clock   clock.Clock
	Log     *slog.Logger
}

// Publisher publishes entries: it deletes the stale records from Redis.
type Publisher struct {
	records Records
	outbox  Outbox
	waitOut time.Duration
	clock   clock.Clock
	log     *slog.Logger
}

// NewPublisher makes a Publisher.
func NewPublisher(c Config) (*Publisher, error) {
	if c.Records == nil || c.Outbox == nil || c.WaitOut <= 0 || c.Clock == nil || c.Log == nil {
		return nil, errors.New("revocation: Records, Outbox, WaitOut, Clock and Log are required")
	}
	return &Publisher{records: c.Records, outbox: c.Outbox, waitOut: c.WaitOut, clock: c.Clock, log: c.Log}, nil
}

// Publish publishes an entry; call it right after the commit that wrote it. It
// returns nil only when no gateway replica can accept the ended credentials: either
// Redis has deleted the records, on every replica that could be promoted, or all of them
// have expired meanwhile. If ctx ends
// before that, the error is Unavailable; the entry stays, and the job publishes it.
func (p *Publisher) Publish(ctx context.Context, e Entry) error {
	if e.ID == 0 {
		return nil
	}
	start := time.Now()
	// No attempt goes on after the last record has expired: a Redis that hangs would
	// otherwise hold the answer up for longer than its caller waits.
	attempts, stop := context.WithTimeout(ctx, p.waitOut)
	defer stop()
	retry := time.NewTicker(retryEvery)
	defer retry.Stop()
	for {
		err := p.complete(attempts, &e)
		if err == nil {
			err = p.deleteRecords(attempts, e)
		}
		if err == nil {
			p.deleteEntry(ctx, e)
			observe(resultDeleted, start)
			return nil
		}
		p.log.DebugContext(ctx, "a revocation is not published yet", "order", e.ID, "error", err)
		select {
		case <-retry.C:
		case <-attempts.Done():
		}
		switch {
		case ctx.Err() == nil && attempts.Err() != nil: // every record has expired
			p.deleteEntry(ctx, e)
			observe(resultExpired, start)
			return nil
		case ctx.Err() != nil:
			observe(resultGivenUp, start)
			return errs.New(errs.Unavailable, errs.CodeUnavailable, "The change is made, but not yet known everywhere.").
				WithRetryAfter(2 * time.Second).WithCause(ctx.Err())
		}
	}
}

// complete reads the hashes of a connection's credentials into its entry, once, however
// many attempts there are. Its errors are of Postgres, those of deleteRecords of Redis.
func (p *Publisher) complete(ctx context.Context, e *Entry) error {
	if e.WholeAccount || e.ConnectionID == "" || len(e.Hashes) > 0 {
		return nil
	}
	hashes, err := p.outbox.ConnectionHashes(ctx, *e)
	e.Hashes = hashes
	return err
}

// deleteRecords deletes the stale records from Redis.
func (p *Publisher) deleteRecords(ctx context.Context, e Entry) error {
	if e.WholeAccount {
		return p.records.ForgetAccount(ctx, e.AccountID)
	}
	return p.records.Forget(ctx, e.AccountID, e.Hashes)
}

// deleteEntry deletes a published entry. One that it cannot delete is published again
// by the job, which does no harm.
func (p *Publisher) deleteEntry(ctx context.Context, e Entry) {
	ctx, cancel := context.WithTimeout(ctx, deleteWithin)
	defer cancel()
	if err := p.outbox.DeleteRevocation(ctx, e.ID); err != nil {
		p.log.WarnContext(ctx, "a revocation that was published stays in the outbox", "order", e.ID, "error", err)
	}
}
