package revocation

import (
	"context"
	"time"

	"vitae.internal/pkg/credential"
)

// Entry identifies session records to delete from Redis. The transaction that makes them stale
// writes it to the outbox. The zero Entry means that no record is stale.
type Entry struct {
	// ID is the id of the outbox row, or zero if the entry is the zero Entry.
	ID        int64
	AccountID string
	// WholeAccount selects all records of the account.
	WholeAccount bool
	// ConnectionID selects all records of a connection. The connection's credentials are read when the entry is
	// published: by then, every credential that can have a stale record has been committed.
	ConnectionID string
	// OtherConnectionID also selects the connection of the same person and app in the other of the two interfaces.
	// It is empty if there is none.
	OtherConnectionID string
	// Hashes identifies the credentials. It is empty if WholeAccount or ConnectionID is set.
	Hashes []credential.Digest
	// At is when the entry was written, according to its writer's clock.
	At time.Time
}

// Records deletes session records from Redis. A nil error means that the records have been deleted on every server
// that can serve them, now or after a failover. An error means that Redis is unavailable or that a replica did not
// confirm the deletion.
type Records interface {
	Forget(ctx context.Context, accountID string, hashes []credential.Digest) error
	ForgetAccount(ctx context.Context, accountID string) error
}

// Outbox holds the pending entries.
type Outbox interface {
	// ConnectionHashes returns the credentials of the entry's connections that may have records,
	// including credentials that the entry's transaction revoked.
	ConnectionHashes(ctx context.Context, e Entry) ([]credential.Digest, error)
	// PendingRevocations returns at most atMost entries written before the given time, oldest
	// first. It locks no rows.
	PendingRevocations(ctx context.Context, before time.Time, atMost int) ([]Entry, error)
	// DeleteRevocation deletes an entry if it exists.
	DeleteRevocation(ctx context.Context, id int64) error
}
