package livestate

import (
	"context"
	"crypto/sha256"
	"time"

	"vitae.internal/services/auth/internal/developer"
	"vitae.internal/services/auth/internal/scope"
)

// Hash is the SHA-256 of a credential; of the link id for a durable link.
type Hash = [sha256.Size]byte

// Kind is what a credential was presented as.
type Kind int

// The kinds of credential.
const (
	AccessToken Kind = iota + 1
	APIKey
	CVLink
	// LegacyToken is an access token of the older profile-sharing interface.
	LegacyToken
)

// Record is what the edge may rely on about one live credential.
type Record struct {
	Kind      Kind
	AccountID string
	AppID     string
	// APIKeyID is the key's own id; empty for every other kind.
	APIKeyID string
	// AccountSuspended makes the edge refuse the credential as known but suspended.
	AccountSuspended bool
	Plan             developer.Plan
	// Scopes in effect: the credential's own that its consent still grants.
	Scopes scope.Set
	// ExpiresAt is nil for a credential without an end.
	ExpiresAt *time.Time
	// Connection behind the credential; nil for an API key.
	Connection *Connection
}

// Connection is the consent behind a credential.
type Connection struct {
	ID       string
	PersonID string
	// Scopes in force.
	Scopes scope.Set
	// CvID is the CV shared; empty without cv:read.
	CvID       string
	SharePhoto bool
	CreatedAt  time.Time
	// LinkID is the live durable link's; empty when the credential does not share a CV.
	LinkID string
}

// Lease is the permission to write one record, got before the state was read.
type Lease interface {
	// Complete writes the record; false when the lease fell and the state that was
	// read may be stale.
	Complete(ctx context.Context, record Record, now time.Time) (bool, error)
}

// Records are the session records in Redis. Every error means that Redis could
// not be asked.
type Records interface {
	BeginFill(ctx context.Context, accountID string, hash Hash) (Lease, error)
}
