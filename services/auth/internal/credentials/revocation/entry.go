package revocation

import (
	"context"
	"time"

	"vitae.internal/pkg/credential"
)

// Entry lists session records to delete from Redis. The transaction that makes them stale
// writes it to the outbox. In the zero entry, no record is stale.
type Entry struct {
	// ID is the outbox row; zero if there is nothing to do.
	ID        int64
	AccountID string
	// WholeAccount selects all records of the account.
	WholeAccount bool
	// ConnectionID selects all records of a connection. Its credentials are read when the
	// entry is published: by then, every credential that can have a stale record is
	// committed.
	ConnectionID string
	// OtherConnectionID is the connection of the same person and app through the other
	// interface, which is also selected; empty if there is none.
	OtherConnectionID string
	// Hashes identifies the credentials; empty if WholeAccount or ConnectionID is set.
	Hashes []credential.Digest
	// At is when the entry was written, by the writer's clock.
	At time.Time
}

// Records deletes session records from Redis. A nil error means that they are deleted on
// every server that can serve them, now or after a failover. An error means that Redis is
// unavailable or a replica didn't confirm.
type Records interface {
	Forget(ctx context.Context, accountID string, hashes []credential.Digest) error
	ForgetAccount(ctx context.Context, accountID string) error
}

// Outbox holds the pending entries.
type Outbox interface {
	// ConnectionHashes returns the credentials of the entry's connections that may have
	// records, including those that the entry's transaction ended.
	ConnectionHashes(ctx context.Context, e Entry) ([]credential.Digest, error)
	// PendingRevocations returns at most atMost entries written before the given time, oldest
	// first. It locks no rows.
	PendingRevocations(ctx context.Context, before time.Time, atMost int) ([]Entry, error)
	// DeleteRevocation deletes an entry, if it exists.
	DeleteRevocation(ctx context.Context, id int64) error
}
