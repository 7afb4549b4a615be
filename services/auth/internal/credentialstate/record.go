package credentialstate

import (
	"context"
	"time"

	"vitae.internal/pkg/credential"
	"vitae.internal/services/auth/internal/developer"
	"vitae.internal/services/auth/internal/scope"
)

// Kind is the kind of credential that a caller presented, in the words of the
// contract's CredentialKind.
type Kind string

// The kinds of credential.
const (
	AccessToken Kind = "access_token"
	APIKey      Kind = "api_key"
	CVLink      Kind = "cv_link"
	// LegacyToken is an access token of the legacy interface.
	LegacyToken Kind = "legacy_token"
	// ClientSecret is the secret of a confidential client with the client's id. Nobody
	// resolves one: its record is left when the client has authenticated.
	ClientSecret Kind = "client_secret"
)

func (k Kind) known() bool {
	return k == AccessToken || k == APIKey || k == CVLink || k == LegacyToken
}

// Record is what the edge may rely on about one live credential.
type Record struct {
	Kind      Kind
	AccountID string
	AppID     string
	// APIKeyID is the id of an API key; empty for every other kind.
	APIKeyID string
	// AccountSuspended makes the edge refuse the credential as known but suspended.
	AccountSuspended bool
	Plan             developer.Plan
	// Scopes in effect: those of the credential that its consent still grants
	// (behaviour: tokens#effective-scopes).
	Scopes scope.Set
	// ExpiresAt is nil for a credential without an end.
	ExpiresAt *time.Time
	// Connection behind the credential; nil for an API key and a client secret.
	Connection *Connection
}

// Connection is the consent behind a credential.
type Connection struct {
	ID       string
	PersonID string
	// Scopes in force.
	Scopes scope.Set
	// CvID is the shared CV; empty without cv:read.
	CvID       string
	SharePhoto bool
	// PhotoVersion is the version of the photo's address.
	PhotoVersion int32
	CreatedAt    time.Time
	// LinkID is the id of the live durable link; empty if the credential does not share
	// a CV.
	LinkID string
}

// Lease is the permission to write one record. It is taken before the state is read.
type Lease interface {
	// Complete writes the record. It reports false if the lease was broken: the state
	// that was read may be stale then.
	Complete(ctx context.Context, record Record, now time.Time) (bool, error)
}

// Records are the session records in Redis. Every error means that Redis could not be
// reached.
type Records interface {
	BeginFill(ctx context.Context, accountID string, hash credential.Digest) (Lease, error)
}
