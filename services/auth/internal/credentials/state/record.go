package state

import (
	"context"
	"time"

	"vitae.internal/pkg/credential"
	"vitae.internal/services/auth/internal/oauth/scope"
	"vitae.internal/services/auth/internal/platform/account"
)

// Kind is the kind of a credential, named as in the CredentialKind enum of the .proto file.
type Kind string

// The kinds of credentials.
const (
	AccessToken Kind = "access_token"
	APIKey      Kind = "api_key"
	CVLink      Kind = "cv_link"
	// LegacyToken is an access token of the legacy interface.
	LegacyToken Kind = "legacy_token"
	// ClientSecret is a client id with its secret. It cannot be resolved: its record is written when the client
	// authenticates.
	ClientSecret Kind = "client_secret"
)

func (k Kind) known() bool {
	return k == AccessToken || k == APIKey || k == CVLink || k == LegacyToken
}

// Record contains what the gateway may assume about a live credential.
type Record struct {
	Kind      Kind
	AccountID string
	AppID     string
	// APIKeyID is empty unless the credential is an API key.
	APIKeyID string
	// AccountSuspended makes the gateway reject the credential and give the reason.
	AccountSuspended bool
	Plan             account.Plan
	// Scopes are the effective scopes: the credential's scopes that its consent still grants
	// (behaviour: tokens#effective-scopes).
	Scopes scope.Set
	// ExpiresAt is nil if the credential doesn't expire.
	ExpiresAt *time.Time
	// Connection is nil for an API key and a client secret.
	Connection *Connection
}

// Connection is the consent on which a credential is based.
type Connection struct {
	ID       string
	PersonID string
	// Scopes are the scopes in force.
	Scopes scope.Set
	// CvID is the shared CV. It is empty without the cv:read scope.
	CvID       string
	SharePhoto bool
	// PhotoVersion is the version number in the photo URL.
	PhotoVersion int32
	CreatedAt    time.Time
	// LinkID is the live durable link, or empty if the credential doesn't share a CV.
	LinkID string
}

// Lease permits writing one record. It is acquired before the credential's state is read.
type Lease interface {
	// Complete writes the record. It returns false if the lease was revoked, because the state that
	// was read may then be stale.
	Complete(ctx context.Context, record Record, now time.Time) (bool, error)
}

// Records writes session records to Redis. Every error means that Redis is unavailable.
type Records interface {
	BeginFill(ctx context.Context, accountID string, hash credential.Digest) (Lease, error)
}
