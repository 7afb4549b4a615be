package forget

import (
	"context"
	"crypto/sha256"
	"log/slog"
	"time"

	"vitae.internal/pkg/errs"
)

// Hash is the SHA-256 of a credential; of the link id for a durable link.
type Hash = [sha256.Size]byte

// Records are the session records in Redis. Every error means that Redis could
// not be told.
type Records interface {
	Forget(ctx context.Context, accountID string, hashes []Hash) error
	ForgetAccount(ctx context.Context, accountID string) error
}

// Order says which records Redis must forget. The transaction that makes them
// stale writes it to the outbox. The zero order is nothing to do.
type Order struct {
	// ID of the outbox row; zero for nothing to do.
	ID        int64
	AccountID string
	// WholeAccount forgets every record of the account.
	WholeAccount bool
	// ConnectionID forgets every record of a connection. Which they are is read when
	// they are told, after the commit: a stale record's credential had been committed
	// by then, whoever issued it meanwhile.
	ConnectionID string
	// Hashes to forget; empty when WholeAccount or ConnectionID says which.
	Hashes []Hash
	// At is when it was written, by the writer's clock.
	At time.Time
}

// Outbox holds the orders that are not carried out.
type Outbox interface {
	// HashesOf gives the credentials of the order's connection that Redis may hold
	// records of, those that the order's transaction ended among them.
	HashesOf(ctx context.Context, o Order) ([]Hash, error)
	// Orders gives orders written before the given time, oldest first, atMost of
	// them. It locks none.
	Orders(ctx context.Context, before time.Time, atMost int) ([]Order, error)
	// DropOrder deletes an order; one that is gone is none of its concern.
	DropOrder(ctx context.Context, id int64) error
}

const (
	// retryEvery is the pause between two tries to tell Redis.
	retryEvery = 200 * time.Millisecond
	// dropWithin bounds the deletion of an order, which is no reason to wait.
	dropWithin = time.Second
)

// Teller carries out orders.
type Teller struct {
	records Records
	outbox  Outbox
	waitOut time.Duration
	log     *slog.Logger
}

// NewTeller makes a teller. waitOut is how long after a commit no stale record
// can live (sessionrecord.WaitOut).
func NewTeller(records Records, outbox Outbox, waitOut time.Duration, log *slog.Logger) *Teller {
	return &Teller{records: records, outbox: outbox, waitOut: waitOut, log: log}
}

// Tell carries out an order right after the commit that wrote it. It returns nil
// only when no edge replica can accept what was ended: Redis was told, or every
// record has died of its age meanwhile. When ctx ends before that, the error is
// Unavailable; the order stays and the Worker goes on with it.
func (t *Teller) Tell(ctx context.Context, o Order) error {
	if o.ID == 0 {
		return nil
	}
	aged := time.NewTimer(t.waitOut)
	defer aged.Stop()
	again := time.NewTicker(retryEvery)
	defer again.Stop()
	for {
		err := t.forget(ctx, &o)
		if err == nil {
			t.drop(ctx, o)
			return nil
		}
		t.log.DebugContext(ctx, "redis could not be told", "order", o.ID, "error", err)
		select {
		case <-aged.C:
			t.drop(ctx, o)
			return nil
		case <-again.C:
		case <-ctx.Done():
			return errs.New(errs.Unavailable, "SERVICE_UNAVAILABLE", "The change is made, but not yet known everywhere.").
				WithRetryAfter(2 * time.Second).WithCause(ctx.Err())
		}
	}
}

// forget reads the hashes of a connection into the order once, however often it
// is tried.
func (t *Teller) forget(ctx context.Context, o *Order) error {
	if o.WholeAccount {
		return t.records.ForgetAccount(ctx, o.AccountID)
	}
	if o.ConnectionID != "" && len(o.Hashes) == 0 {
		hashes, err := t.outbox.HashesOf(ctx, *o)
		if err != nil {
			return err
		}
		o.Hashes = hashes
	}
	return t.records.Forget(ctx, o.AccountID, o.Hashes)
}

// drop leaves an order that it cannot delete to the Worker, which repeats it:
// forgetting twice does no harm.
func (t *Teller) drop(ctx context.Context, o Order) {
	ctx, cancel := context.WithTimeout(ctx, dropWithin)
	defer cancel()
	if err := t.outbox.DropOrder(ctx, o.ID); err != nil {
		t.log.WarnContext(ctx, "an order that was carried out stays for now", "order", o.ID, "error", err)
	}
}
