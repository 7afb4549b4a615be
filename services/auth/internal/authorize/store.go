package authorize

import (
	"context"
	"time"

	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	"vitae.internal/services/auth/internal/client"
	"vitae.internal/services/auth/internal/connection"
	"vitae.internal/services/auth/internal/developer"
	"vitae.internal/services/auth/internal/mail"
	"vitae.internal/services/auth/internal/person"
	"vitae.internal/services/auth/internal/redirecturi"
	"vitae.internal/services/auth/internal/revocation"
	"vitae.internal/services/auth/internal/scope"
)

// Store keeps consents and codes.
type Store interface {
	client.Store
	// Consent makes the connection of the person and the app, or updates the live one,
	// and issues the code, in one transaction. It makes or ends the durable link, by
	// Consent.SharesCV. The entry is for the records that the update makes stale. An
	// unchanged consent invalidates nothing, but an earlier invalidation may still be
	// pending: the entry is then that one. The app does not change before the commit; it
	// must be StillAllowed. With Consent.Keep it changes nothing of a live connection that
	// Allows the scopes, and makes none; ErrConsentNeeded otherwise. ErrAppChanged if the app
	// was deleted; session.ErrEnded for the console's app if the session has ended.
	Consent(ctx context.Context, c Consent, now time.Time) (revocation.Entry, error)
}

// Sessions knows who is signed in.
type Sessions interface {
	// Get gives session.ErrEnded.
	Get(ctx context.Context, secret string) (person.Person, time.Time, error)
}

// Consent is what the store records.
type Consent struct {
	// ConnectionID is the id of a new connection. It is not used if the person has a live
	// connection to the app at the same interface.
	ConnectionID string
	PersonID     string
	AppID        string
	// Session is the browser session of the person. The console's session ends with it.
	Session credential.Digest
	// Legacy is true for a consent of the legacy interface, whose connection is separate
	// (behaviour: legacy#a-connection-of-its-own).
	Legacy bool
	// Scopes are those of the code, and of the connection unless Keep is set. With Keep, the code lacks those
	// that the connection does not grant.
	Scopes scope.Set
	// Declined are scopes that the person was offered and did not grant.
	Declined scope.Set
	// Keep leaves the connection as it is (behaviour: sign-in#coming-back).
	Keep       bool
	CvID       string
	SharePhoto bool
	// Connected and AllowedMore are the notices of a new connection, and of one that may see more
	// than before; nil where no mail is sent.
	Connected, AllowedMore *mail.Notice
	// LinkID and LinkHash are those of a new durable link. They are not used if the
	// connection has a link or shares no CV.
	LinkID   string
	LinkHash credential.Digest

	CodeHash      [32]byte
	CodeExpiresAt time.Time
	RedirectURI   string
	// CodeChallenge is empty for a legacy consent.
	CodeChallenge string
}

// SharesCV reports whether the connection must have a durable link; otherwise it must
// have none.
func (c Consent) SharesCV() bool { return c.Scopes.SharesCV() }

// Notice gives the notice of a consent that has made the connection after of the connection
// before, whose id is empty for none; nil if nobody is told.
func (c Consent) Notice(before, after connection.Connection) *mail.Notice {
	switch {
	case before.ID == "" || before.ID != after.ID:
		return c.Connected
	case after.SeesMoreThan(before):
		return c.AllowedMore
	default:
		return nil
	}
}

// ErrAppChanged is for an app that has changed since the request was checked, so that it
// would not pass now.
var ErrAppChanged = errs.New(errs.Invalid, "OAUTH_INVALID_REQUEST", "The app has changed meanwhile. Start again from its site.")

// ErrConsentNeeded is for a consent that keeps a connection which does not allow what the
// app asks for: the person has to be asked.
var ErrConsentNeeded = errs.New(errs.Precondition, "CONSENT_NEEDED", "The person has to be asked what the app may see.")

// StillAllowed checks the consent against its app as it is when the consent is stored: what
// the app has lost since the request was checked is refused. Errors: ErrAppChanged.
func (c Consent) StillAllowed(a developer.App) error {
	if !redirecturi.MatchesAny(a.RedirectURIs, c.RedirectURI) || !c.Legacy && !c.Scopes.Within(a.Scopes) {
		return ErrAppChanged
	}
	return nil
}
