package credentialstate

import (
	"time"

	"vitae.internal/services/auth/internal/connection"
	"vitae.internal/services/auth/internal/developer"
	"vitae.internal/services/auth/internal/scope"
)

// State is what the store holds about a live credential.
type State struct {
	Account developer.Account
	AppID   string
	// APIKeyID is the id of an API key; empty for every other kind.
	APIKeyID string
	// Scopes of the credential itself; a durable link has none of its own.
	Scopes scope.Set
	// ExpiresAt is the end of the credential, or that which the person has set for its
	// connection if that comes first; nil for a credential without an end.
	ExpiresAt *time.Time
	// Connection behind the credential; nil for an API key and a client secret, and for a
	// token if the connection's row is gone.
	Connection *Connection
	// Legacy is true if the connection is a consent of the legacy interface.
	Legacy bool
}

// record makes the record of a live credential. Errors: ErrUnknown, ErrConnectionGone.
func (s State) record(kind Kind, plans developer.Plans) (Record, error) {
	r := Record{
		Kind: kind, AccountID: s.Account.ID, AppID: s.AppID, APIKeyID: s.APIKeyID,
		AccountSuspended: s.Account.SuspendedAt != nil, Plan: plans.Of(s.Account.Plan),
		Scopes: s.Scopes, ExpiresAt: s.ExpiresAt, Connection: s.Connection,
	}
	c := s.Connection
	switch {
	case kind == APIKey, kind == ClientSecret:
		return r, nil
	case c == nil && kind == LegacyToken:
		return Record{}, ErrUnknown
	case c == nil:
		return Record{}, ErrConnectionGone
	case kind != CVLink:
		r.Scopes = s.Scopes.And(c.Scopes)
	case s.Legacy:
		// The reader of a CV knows the user scopes only, so the link of a legacy consent
		// has those that show what the legacy interface shares (behaviour: legacy#cv-url).
		c.Scopes, c.CvID = scope.OfLegacyLink(), connection.MasterCV
		r.Scopes = c.Scopes
	default:
		r.Scopes = c.Scopes
	}
	if !c.Scopes.Has(scope.CVRead) {
		c.CvID = ""
	}
	if !r.Scopes.SharesCV() {
		c.LinkID = ""
	}
	return r, nil
}

// lacksLink reports whether the record shares a CV and has no durable link yet.
func (r Record) lacksLink() bool {
	return r.Connection != nil && r.Scopes.SharesCV() && r.Connection.LinkID == ""
}
