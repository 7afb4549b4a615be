package grant

import (
	"context"
	"errors"
	"time"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	"vitae.internal/services/auth/internal/credentials/revocation"
	"vitae.internal/services/auth/internal/oauth/client"
	"vitae.internal/services/auth/internal/oauth/scope"
)

// Errors returned by this package.
var (
	// ErrInvalidGrant is returned for every invalid code or refresh token.
	ErrInvalidGrant = errs.New(errs.Invalid, "OAUTH_INVALID_GRANT",
		"The grant is invalid, expired, already used, or was issued to another client.")
	// ErrUnauthorizedClient is returned for an app without user scopes.
	ErrUnauthorizedClient = errs.New(errs.Invalid, "OAUTH_UNAUTHORIZED_CLIENT", "The app may not use this grant type.")
	// errInvalidScope is returned if a scope exceeds the grant, or if none of the granted scopes is in force
	// (behaviour: tokens#grants-without-scopes).
	errInvalidScope = errs.New(errs.Invalid, "OAUTH_INVALID_SCOPE", "The scope exceeds what was granted.").WithField("scope")
)

// invalidGrant returns ErrInvalidGrant with a reason for the app's request log. The response omits the reason,
// because it would help someone who has stolen a code.
func invalidGrant(reason string) error {
	return ErrInvalidGrant.WithViolations(errs.Violation{Description: reason})
}

func invalidRequest(field, message string) error {
	return errs.New(errs.Invalid, "OAUTH_INVALID_REQUEST", "%s", message).WithField(field)
}

// Config configures a Service. All fields are required.
type Config struct {
	Store       Store
	Revocations *revocation.Publisher
	// AccessLife and RefreshLife are the lifetimes of access and refresh tokens.
	AccessLife, RefreshLife time.Duration
	Clock                   clock.Clock
}

// Service issues tokens.
type Service struct {
	store                   Store
	revocations             *revocation.Publisher
	accessLife, refreshLife time.Duration
	clock                   clock.Clock
}

// NewService returns a Service, or an error if a required field is missing.
func NewService(c Config) (*Service, error) {
	if c.Store == nil || c.Revocations == nil || c.AccessLife <= 0 || c.RefreshLife <= 0 || c.Clock == nil {
		return nil, errors.New("grant: Store, Revocations, AccessLife, RefreshLife and Clock are required")
	}
	return &Service{
		store: c.Store, revocations: c.Revocations, accessLife: c.AccessLife, refreshLife: c.RefreshLife, clock: c.Clock,
	}, nil
}

// Tokens are the issued tokens.
type Tokens struct {
	Access, Refresh string
	ExpiresIn       time.Duration
	// Scopes are the access token's scopes.
	Scopes scope.Set
}

func (s *Service) mint() (Tokens, Issue) {
	t := Tokens{
		Access:    credential.New(credential.AccessToken),
		Refresh:   credential.New(credential.RefreshToken),
		ExpiresIn: s.accessLife,
	}
	now := s.clock.Now()
	return t, Issue{
		Access: credential.Hash(t.Access), Refresh: credential.Hash(t.Refresh),
		At: now, AccessExpiresAt: now.Add(s.accessLife), RefreshUntil: now.Add(s.refreshLife),
	}
}

// endFamily revokes a token family after a replay. When it returns, the family's tokens and the connection's durable
// links are rejected everywhere. The links are included because a thief who had a token may have read the link,
// which doesn't expire (behaviour: tokens#replay-revokes-tokens-and-links).
func (s *Service) endFamily(ctx context.Context, familyID, reason string) error {
	entry, err := s.store.EndFamily(ctx, familyID, s.clock.Now())
	if err != nil {
		return err
	}
	if err := s.revocations.Publish(ctx, entry); err != nil {
		return err
	}
	return invalidGrant(reason)
}

// refuse returns the reason if the client authenticates. Otherwise, it returns the authentication error.
func (s *Service) refuse(ctx context.Context, given client.Credentials, reason error) error {
	c, err := client.Authenticate(ctx, s.store, given, s.clock.Now())
	switch {
	case err != nil:
		return err
	case !c.MayUseGrants():
		return ErrUnauthorizedClient
	}
	return reason
}
