package authorize

import (
	"context"
	"time"

	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	"vitae.internal/services/auth/internal/credentials/revocation"
	"vitae.internal/services/auth/internal/mail"
	"vitae.internal/services/auth/internal/oauth/client"
	"vitae.internal/services/auth/internal/oauth/connection"
	"vitae.internal/services/auth/internal/oauth/redirecturi"
	"vitae.internal/services/auth/internal/oauth/scope"
	"vitae.internal/services/auth/internal/people/person"
	"vitae.internal/services/auth/internal/platform/app"
)

// Store stores consents and codes.
type Store interface {
	client.Store
	// Consent creates the connection between the person and the app, or updates the live one. It also creates or
	// ends the connection's durable link, depending on Consent.SharesCV, and issues the code, all in one
	// transaction. The entry identifies the records that the update makes stale. If there are none, it may be an
	// earlier entry that is still pending. The app is locked until the commit and must pass StillAllowed. With
	// Consent.Keep, a live connection that Allows the scopes remains unchanged; without such a connection, Consent
	// returns ErrConsentNeeded. It returns ErrAppChanged if the app has been deleted. For the console's app, it
	// returns session.ErrEnded if the session has ended.
	Consent(ctx context.Context, c Consent, now time.Time) (revocation.Entry, error)
}

// Sessions identifies the signed-in person.
type Sessions interface {
	// Get returns the person signed in to a live session, and when the session expires. Errors: session.ErrEnded.
	Get(ctx context.Context, secret string) (person.Person, time.Time, error)
}

// Consent is a consent to record.
type Consent struct {
	// ConnectionID is the id to use for a new connection. It is ignored if the person already has a live connection
	// with the app through the same interface.
	ConnectionID string
	PersonID     string
	AppID        string
	// Session is the browser session in which the person decided. A console session ends when this session ends.
	Session credential.Digest
	// Legacy is true for a consent in the legacy interface, which has a separate connection
	// (behaviour: legacy#a-connection-of-its-own).
	Legacy bool
	// Scopes are the scopes of the code and, unless Keep is set, of the connection. If Keep is set, the code has
	// only those scopes that the connection grants.
	Scopes scope.Set
	// Declined are the scopes that the person was offered but didn't grant.
	Declined scope.Set
	// Keep leaves the connection unchanged (behaviour: sign-in#coming-back).
	Keep       bool
	CvID       string
	SharePhoto bool
	// Connected is the email about a new connection. AllowedMore is the email about a connection through which the
	// app sees more than before. Both are nil if the deployment sends no email.
	Connected, AllowedMore *mail.Notice
	// LinkID and LinkHash identify a new durable link. They are ignored if the connection already has a link or
	// shares no CV.
	LinkID   string
	LinkHash credential.Digest

	CodeHash      [32]byte
	CodeExpiresAt time.Time
	RedirectURI   string
	// CodeChallenge is empty for a legacy consent.
	CodeChallenge string
}

// SharesCV reports whether the connection must have a durable link. Otherwise, it must not have one.
func (c Consent) SharesCV() bool { return c.Scopes.SharesCV() }

// Notice returns the email about a consent that changed the connection from before to after, or nil if nothing needs
// to be reported. If the connection is new, before has an empty id.
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

// ErrAppChanged is returned if the app has changed since the request was checked, and the request would no longer
// pass the check.
var ErrAppChanged = errs.New(errs.Invalid, "OAUTH_INVALID_REQUEST", "The app has changed in the meantime. Start again from its site.")

// ErrConsentNeeded is returned with Keep if the connection doesn't allow the requested scopes. The consent page must
// then be shown.
var ErrConsentNeeded = errs.New(errs.Precondition, "CONSENT_NEEDED", "The person must be asked what the app may see.")

// StillAllowed checks the consent against the current state of the app. It rejects scopes and redirect URIs that the
// app has lost since the request was checked. Errors: ErrAppChanged.
func (c Consent) StillAllowed(a app.App) error {
	if !redirecturi.MatchesAny(a.RedirectURIs, c.RedirectURI) || !c.Legacy && !c.Scopes.Within(a.Scopes) {
		return ErrAppChanged
	}
	return nil
}
