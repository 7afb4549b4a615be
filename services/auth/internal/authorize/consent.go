package authorize

import (
	"context"
	"slices"
	"time"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/id"
	"vitae.internal/services/auth/internal/client"
	"vitae.internal/services/auth/internal/connection"
	"vitae.internal/services/auth/internal/forget"
	"vitae.internal/services/auth/internal/livestate"
	"vitae.internal/services/auth/internal/person"
	"vitae.internal/services/auth/internal/scope"
)

// Store keeps consents and codes.
type Store interface {
	client.Store
	// Consent makes the connection of the person and the app, or updates the live
	// one, and issues the code, in one transaction. Narrowing ends the durable
	// link; the order makes Redis forget what the update made stale.
	Consent(ctx context.Context, c Consent, now time.Time) (forget.Order, error)
}

// Sessions tells who is signed in.
type Sessions interface {
	// Get gives session.ErrEnded.
	Get(ctx context.Context, secret string) (person.Person, time.Time, error)
}

// Teller makes Redis forget what a committed change made stale.
type Teller interface {
	Tell(ctx context.Context, o forget.Order) error
}

// Consent is what the store records.
type Consent struct {
	// ConnectionID is taken only if the person has no live connection to the app at
	// the interface.
	ConnectionID string
	PersonID     string
	AppID        string
	// Legacy consents are apart from the others between the person and the app.
	Legacy     bool
	Scopes     scope.Set
	CvID       string
	SharePhoto bool
	// LinkID and LinkHash are taken if the consent shares a CV and has no link.
	LinkID   string
	LinkHash livestate.Hash

	CodeHash      [32]byte
	CodeExpiresAt time.Time
	RedirectURI   string
	// CodeChallenge is empty for a legacy consent.
	CodeChallenge string
}

// Authorizer checks authorization requests and records consents.
type Authorizer struct {
	store    Store
	sessions Sessions
	teller   Teller
	codeLife time.Duration
	clock    clock.Clock
}

// New makes an authorizer whose codes live codeLife.
func New(store Store, sessions Sessions, teller Teller, codeLife time.Duration, c clock.Clock) *Authorizer {
	return &Authorizer{store: store, sessions: sessions, teller: teller, codeLife: codeLife, clock: c}
}

// Check checks a request for the consent page. A fault goes to the redirect URI;
// an error must not: OAUTH_INVALID_CLIENT, OAUTH_INVALID_REQUEST,
// DEVELOPER_ACCOUNT_SUSPENDED.
func (a *Authorizer) Check(ctx context.Context, p Parameters) (Checked, *Fault, error) {
	return a.check(ctx, p)
}

// Decision is what the person decided on the consent page.
type Decision struct {
	// Session is the secret of the person's session.
	Session string
	// Scopes granted.
	Scopes []string
	// CvID is "master" or a CV id; empty without cv:read.
	CvID       string
	SharePhoto bool
}

// Authorize checks the request again, records the consent and issues a code.
// Errors: as Check; session.ErrEnded; OAUTH_INVALID_SCOPE; OAUTH_INVALID_REQUEST
// naming cv_id.
func (a *Authorizer) Authorize(ctx context.Context, p Parameters, d Decision) (code string, fault *Fault, err error) {
	checked, fault, err := a.check(ctx, p)
	if err != nil || fault != nil {
		return "", fault, err
	}
	who, _, err := a.sessions.Get(ctx, d.Session)
	if err != nil {
		return "", nil, err
	}
	c, err := decided(p, checked, d)
	if err != nil {
		return "", nil, err
	}
	code = credential.New(credential.AuthorizationCode)
	linkID, now := livestate.NewLinkID(), a.clock.Now()
	c.ConnectionID, c.PersonID = id.New("con"), who.ID
	c.LinkID, c.LinkHash = linkID, livestate.LinkHash(linkID)
	c.CodeHash, c.CodeExpiresAt = credential.Hash(code), now.Add(a.codeLife)
	order, err := a.store.Consent(ctx, c, now)
	if err != nil {
		return "", nil, err
	}
	return code, nil, a.teller.Tell(ctx, order)
}

// decided is what a decision makes of a request that was checked. In the older
// interface the profile is granted as a whole or not at all.
func decided(p Parameters, checked Checked, d Decision) (Consent, error) {
	c := Consent{AppID: checked.App.ID, SharePhoto: d.SharePhoto, RedirectURI: p.RedirectURI, Legacy: p.Legacy}
	if p.Legacy {
		if c.Scopes = checked.Scopes; !slices.Equal(d.Scopes, c.Scopes) {
			return Consent{}, invalidScope("The scope " + scope.ProfileRead + " is granted as a whole.")
		}
		return c, nil
	}
	var err error
	if c.Scopes, err = grantable(checked.Scopes, d.Scopes); err != nil {
		return Consent{}, err
	}
	if c.Scopes.Has(scope.CVRead) {
		if c.CvID = d.CvID; !connection.ValidCvID(c.CvID) {
			return Consent{}, invalidRequest("cv_id", "The chosen CV is missing or malformed.")
		}
	}
	c.CodeChallenge = p.CodeChallenge
	return c, nil
}

// grantable is the rule of decision 11: a subset of what was requested, with
// `profile` if that was, and cv:contact with cv:read only. Nothing at all is not
// a consent.
func grantable(requested scope.Set, granted []string) (scope.Set, error) {
	s, err := scope.User(granted)
	switch {
	case err != nil:
		return nil, invalidScope("A granted scope is unknown, or cv:contact lacks cv:read.")
	case !s.Within(requested):
		return nil, invalidScope("A granted scope was not requested.")
	case requested.Has(scope.Profile) && !s.Has(scope.Profile):
		return nil, invalidScope("The scope profile cannot be dropped.")
	case len(s) == 0:
		return nil, invalidScope("No scope is granted.")
	}
	return s, nil
}

func invalidScope(message string) error {
	return errs.New(errs.Invalid, "OAUTH_INVALID_SCOPE", "%s", message).WithField("granted_scopes")
}
