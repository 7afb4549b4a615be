package state

import (
	"time"

	"vitae.internal/services/auth/internal/oauth/connection"
	"vitae.internal/services/auth/internal/oauth/scope"
	"vitae.internal/services/auth/internal/platform/account"
)

// State is the stored state of a live credential.
type State struct {
	Account account.Account
	AppID   string
	// APIKeyID is empty unless the credential is an API key.
	APIKeyID string
	// Scopes are the credential's own scopes. A durable link has none.
	Scopes scope.Set
	// ExpiresAt is when the credential expires or when the person ends the connection, whichever is
	// earlier. It is nil if neither is set.
	ExpiresAt *time.Time
	// Connection is nil for an API key and a client secret, and for a token whose connection no
	// longer has a row.
	Connection *Connection
	// Legacy is true if the connection belongs to the legacy interface.
	Legacy bool
}

// record returns the session record of a live credential. Errors: ErrUnknown, ErrConnectionGone.
func (s State) record(kind Kind, plans account.Plans) (Record, error) {
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
		// A CV reader knows only user scopes. The link of a legacy consent therefore has the user scopes that
		// correspond to what the legacy interface shares (behaviour: legacy#cv-url).
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

// lacksLink reports whether the record shares a CV but has no durable link yet.
func (r Record) lacksLink() bool {
	return r.Connection != nil && r.Scopes.SharesCV() && r.Connection.LinkID == ""
}
