package authorize

import (
	"context"
	"errors"
	"slices"
	"time"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/id"
	"vitae.internal/services/auth/internal/credentials/revocation"
	"vitae.internal/services/auth/internal/credentials/state"
	"vitae.internal/services/auth/internal/mail"
	"vitae.internal/services/auth/internal/oauth/connection"
	"vitae.internal/services/auth/internal/oauth/scope"
)

// Config configures a Service. All fields are required.
type Config struct {
	Store       Store
	Sessions    Sessions
	Revocations *revocation.Publisher
	// CodeLife is the lifetime of an authorization code.
	CodeLife time.Duration
	// Post creates the emails about what apps may see.
	Post  mail.Post
	Clock clock.Clock
}

// Service checks authorization requests and records consents.
type Service struct {
	store       Store
	sessions    Sessions
	revocations *revocation.Publisher
	codeLife    time.Duration
	post        mail.Post
	clock       clock.Clock
}

// NewService returns a Service, or an error if a required field is missing.
func NewService(c Config) (*Service, error) {
	if c.Store == nil || c.Sessions == nil || c.Revocations == nil || c.CodeLife <= 0 || c.Clock == nil {
		return nil, errors.New("authorize: Store, Sessions, Revocations, CodeLife and Clock are required")
	}
	return &Service{store: c.Store, sessions: c.Sessions, revocations: c.Revocations, codeLife: c.CodeLife, post: c.Post, clock: c.Clock}, nil
}

// Check checks a request before the consent page is shown. A fault is sent to the redirect URI, whereas an error
// must not be sent there. Errors: OAUTH_INVALID_CLIENT, OAUTH_INVALID_REQUEST, DEVELOPER_ACCOUNT_SUSPENDED.
func (s *Service) Check(ctx context.Context, p Parameters) (Checked, *Fault, error) {
	return s.check(ctx, p)
}

// Decision is the person's decision on the consent page.
type Decision struct {
	// Session is the secret of the browser session in which the person decides.
	Session string
	// Scopes are the granted scopes.
	Scopes []string
	// Declined are the requested scopes that the person was offered but didn't grant.
	Declined []string
	// CvID is "master" or the id of another CV. It is empty without the cv:read scope.
	CvID       string
	SharePhoto bool
	// Keep leaves the connection unchanged: of this struct, only Session matters then.
	Keep bool
}

// Authorize checks the request again, records the consent and issues a code. Errors: all errors returned by Check;
// session.ErrEnded; OAUTH_INVALID_SCOPE; OAUTH_INVALID_REQUEST for the field cv_id; ErrConsentNeeded.
func (s *Service) Authorize(ctx context.Context, p Parameters, d Decision) (code string, fault *Fault, err error) {
	checked, fault, err := s.check(ctx, p)
	if err != nil || fault != nil {
		return "", fault, err
	}
	who, _, err := s.sessions.Get(ctx, d.Session)
	if err != nil {
		return "", nil, err
	}
	c, err := decided(p, checked, d)
	if err != nil {
		return "", nil, err
	}
	code = credential.New(credential.AuthorizationCode)
	linkID, now := state.NewLinkID(), s.clock.Now()
	c.ConnectionID, c.PersonID = id.New("con"), who.ID
	c.LinkID, c.LinkHash = linkID, state.LinkHash(linkID)
	session := credential.Hash(d.Session)
	c.Session = session
	o := mail.Occasion{Session: session, AppID: c.AppID}
	c.Connected, c.AllowedMore = s.post.Notice(mail.AppConnected, o), s.post.Notice(mail.AppAllowedMore, o)
	c.CodeHash, c.CodeExpiresAt = credential.Hash(code), now.Add(s.codeLife)
	entry, err := s.store.Consent(ctx, c, now)
	if err != nil {
		return "", nil, err
	}
	return code, nil, s.revocations.Publish(ctx, entry)
}

// Decline records in the audit log that the person declined a request. Errors: all errors returned by Check;
// session.ErrEnded.
func (s *Service) Decline(ctx context.Context, p Parameters, sessionToken string) (*Fault, error) {
	checked, fault, err := s.check(ctx, p)
	if err != nil || fault != nil {
		return fault, err
	}
	who, _, err := s.sessions.Get(ctx, sessionToken)
	if err != nil {
		return nil, err
	}
	audit.FromContext(ctx).Note(audit.About{By: audit.ByPerson(who.ID), PersonID: who.ID, ObjectID: checked.App.ID})
	return nil, nil
}

// decided returns the consent that results from a request and a decision. In the legacy interface,
// the profile is granted as a whole or not at all.
func decided(p Parameters, checked Checked, d Decision) (Consent, error) {
	c := Consent{AppID: checked.App.ID, SharePhoto: d.SharePhoto, RedirectURI: p.RedirectURI, Legacy: p.Legacy, Keep: d.Keep}
	if d.Keep {
		c.Scopes, c.CodeChallenge = checked.Scopes, p.CodeChallenge
		return c, nil
	}
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
	for _, s := range checked.Scopes {
		if slices.Contains(d.Declined, s) && !c.Scopes.Has(s) {
			c.Declined = append(c.Declined, s)
		}
	}
	if c.Scopes.Has(scope.CVRead) {
		if c.CvID = d.CvID; !connection.ValidCvID(c.CvID) {
			return Consent{}, invalidRequest("cv_id", "The chosen CV is missing or malformed.")
		}
	}
	c.CodeChallenge = p.CodeChallenge
	return c, nil
}

// grantable checks the granted scopes. They must be a subset of the requested scopes, and must include profile if it
// was requested. They may include cv:contact only together with cv:read (behaviour: sign-in#optional-scopes). A
// consent must grant at least one scope (behaviour: sign-in#empty-consent).
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
