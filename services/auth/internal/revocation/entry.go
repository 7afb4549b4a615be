package revocation

import (
	"context"
	"time"

	"vitae.internal/pkg/credential"
)

// Entry says which session records must be deleted from Redis. The transaction that
// makes them stale writes it to the outbox. The zero entry means that no record is
// stale.
type Entry struct {
	// ID of the outbox row; zero if there is nothing to do.
	ID        int64
	AccountID string
	// WholeAccount is true for every record of the account.
	WholeAccount bool
	// ConnectionID is for every record of a connection. Its credentials are read when
	// the entry is published, after the commit: by then, every credential that can have
	// a stale record has been committed too.
	ConnectionID string
	// OtherConnectionID is the connection of the same person and app by the other
	// interface, for whose records the entry is too; empty if there is none.
	OtherConnectionID string
	// Hashes of the credentials; empty if WholeAccount or ConnectionID is set.
	Hashes []credential.Digest
	// At is when the entry was written, by the writer's clock.
	At time.Time
}

// Records are the session records in Redis. A nil error means that they are gone from
// every server of Redis that can serve them, now or after a failover. An error means that
// Redis could not be reached, or that a replica did not confirm.
type Records interface {
	Forget(ctx context.Context, accountID string, hashes []credential.Digest) error
	ForgetAccount(ctx context.Context, accountID string) error
}

// Outbox holds the pending entries.
type Outbox interface {
	// ConnectionHashes gives the credentials of the entry's connections that Redis may
	// hold records of. Those that the entry's transaction ended are among them.
	ConnectionHashes(ctx context.Context, e Entry) ([]credential.Digest, error)
	// PendingRevocations gives at most atMost entries that were written before the given
	// time, oldest first. It locks none.
	PendingRevocations(ctx context.Context, before time.Time, atMost int) ([]Entry, error)
	// DeleteRevocation deletes an entry. It succeeds if there is none.
	DeleteRevocation(ctx context.Context, id int64) error
}
