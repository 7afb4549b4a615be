package grant

import (
	"context"
	"errors"
	"time"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	"vitae.internal/services/auth/internal/client"
	"vitae.internal/services/auth/internal/revocation"
	"vitae.internal/services/auth/internal/scope"
)

// Errors of the package.
var (
	// ErrInvalidGrant is the one answer for every fault of a code or refresh token.
	ErrInvalidGrant = errs.New(errs.Invalid, "OAUTH_INVALID_GRANT",
		"The grant is invalid, expired, already used, or was issued to another client.")
	// ErrUnauthorizedClient is for a client whose app may request no scope.
	ErrUnauthorizedClient = errs.New(errs.Invalid, "OAUTH_UNAUTHORIZED_CLIENT", "The app may not use this grant type.")
	// errInvalidScope is for an attempt to widen a grant, and for a grant without any
	// scope in force (behaviour: tokens#a-grant-with-nothing-in-force).
	errInvalidScope = errs.New(errs.Invalid, "OAUTH_INVALID_SCOPE", "The scope exceeds what was granted.").WithField("scope")
)

// invalidGrant is ErrInvalidGrant with its reason, for the request log of the app. The answer has no
// reason: it would help whoever has stolen a code.
func invalidGrant(reason string) error {
	return ErrInvalidGrant.WithViolations(errs.Violation{Description: reason})
}

func invalidRequest(field, message string) error {
	return errs.New(errs.Invalid, "OAUTH_INVALID_REQUEST", "%s", message).WithField(field)
}

// Config is what a Service is made of. All fields are required.
type Config struct {
	Store       Store
	Revocations *revocation.Publisher
	// AccessLife and RefreshLife are how long tokens live.
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

// NewService makes a Service.
func NewService(c Config) (*Service, error) {
	if c.Store == nil || c.Revocations == nil || c.AccessLife <= 0 || c.RefreshLife <= 0 || c.Clock == nil {
		return nil, errors.New("grant: Store, Revocations, AccessLife, RefreshLife and Clock are required")
	}
	return &Service{
		store: c.Store, revocations: c.Revocations, accessLife: c.AccessLife, refreshLife: c.RefreshLife, clock: c.Clock,
	}, nil
}

// Tokens are an issued pair.
type Tokens struct {
	Access, Refresh string
	ExpiresIn       time.Duration
	// Scopes of the access token.
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

// endFamily answers a replay. The family's tokens and the connection's durable links are
// refused everywhere before it returns: a thief who held a token may have read the link,
// which has no end of its own (behaviour: tokens#theft-ends-everything-it-gave).
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

// refuse gives the reason only to a client that authenticates; a stranger learns nothing
// else than that it does not.
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
