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
	// retryEvery is the time between two attempts to delete records.
	retryEvery = 200 * time.Millisecond
	// deleteWithin limits how long the deletion of an outbox entry may take, because no caller should wait long for
	// it.
	deleteWithin = time.Second
)

// Config configures a Publisher. All fields are required.
type Config struct {
	Records Records
	Outbox  Outbox
	// WaitOut is how long after a commit a stale record can exist (sessionrecord.WaitOut).
	WaitOut time.Duration
	Clock   clock.Clock
	Log     *slog.Logger
}

// Publisher deletes stale records from Redis.
type Publisher struct {
	records Records
	outbox  Outbox
	waitOut time.Duration
	clock   clock.Clock
	log     *slog.Logger
}

// NewPublisher returns a Publisher, or an error if a required field is missing.
func NewPublisher(c Config) (*Publisher, error) {
	if c.Records == nil || c.Outbox == nil || c.WaitOut <= 0 || c.Clock == nil || c.Log == nil {
		return nil, errors.New("revocation: Records, Outbox, WaitOut, Clock and Log are required")
	}
	return &Publisher{records: c.Records, outbox: c.Outbox, waitOut: c.WaitOut, clock: c.Clock, log: c.Log}, nil
}

// Publish publishes an entry. Call it right after the commit that wrote the entry. It returns nil only when no
// gateway replica can accept the revoked credentials: Redis has deleted the records on every replica that could be
// promoted, or all records have expired. If ctx is done first, Publish returns an Unavailable error. The entry then
// stays in the outbox until the job publishes it.
func (p *Publisher) Publish(ctx context.Context, e Entry) error {
	if e.ID == 0 {
		return nil
	}
	start := time.Now()
	// No attempt continues after the last record has expired. Otherwise, if Redis hangs, the response would be
	// delayed for longer than the caller waits.
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
			return errs.New(errs.Unavailable, errs.CodeUnavailable, "The change was made but is not in effect everywhere yet.").
				WithRetryAfter(2 * time.Second).WithCause(ctx.Err())
		}
	}
}

// complete adds the hashes of a connection's credentials to its entry, once for all attempts. Errors from complete
// come from Postgres, whereas errors from deleteRecords come from Redis.
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

// deleteEntry deletes a published entry. If that fails, the job publishes the entry again, which is
// harmless.
func (p *Publisher) deleteEntry(ctx context.Context, e Entry) {
	ctx, cancel := context.WithTimeout(ctx, deleteWithin)
	defer cancel()
	if err := p.outbox.DeleteRevocation(ctx, e.ID); err != nil {
		p.log.WarnContext(ctx, "a published revocation was not deleted from the outbox", "order", e.ID, "error", err)
	}
}
