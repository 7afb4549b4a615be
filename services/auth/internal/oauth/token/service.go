package token

import (
	"context"
	"errors"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	"vitae.internal/services/auth/internal/credentials/revocation"
	"vitae.internal/services/auth/internal/credentials/state"
	"vitae.internal/services/auth/internal/oauth/client"
	"vitae.internal/services/auth/internal/platform/account"
)

// Config configures a Service. All fields are required.
type Config struct {
	Store       Store
	Revocations *revocation.Publisher
	Records     Records
	Clock       clock.Clock
}

// Records writes session records, so that the gateway can process the next request without calling the auth service.
// state.Service implements it.
type Records interface {
	LeaveToken(ctx context.Context, accountID string, hash credential.Digest)
	LeaveClient(ctx context.Context, accountID, clientID string, secret credential.Digest)
}

// Service introspects and revokes tokens.
type Service struct {
	store       Store
	revocations *revocation.Publisher
	records     Records
	clock       clock.Clock
}

// NewService returns a Service, or an error if a required field is missing.
func NewService(c Config) (*Service, error) {
	if c.Store == nil || c.Revocations == nil || c.Records == nil || c.Clock == nil {
		return nil, errors.New("token: Store, Revocations, Records and Clock are required")
	}
	return &Service{store: c.Store, revocations: c.Revocations, records: c.Records, clock: c.Clock}, nil
}

// Leave selects the session records to write: the client's record, and the record of a live token.
type Leave struct{ Client, Token bool }

// Introspect describes a token. Anything other than a live token of this client is reported as inactive, whatever
// the reason. Errors: OAUTH_INVALID_CLIENT, DEVELOPER_ACCOUNT_SUSPENDED, OAUTH_INVALID_REQUEST.
func (s *Service) Introspect(ctx context.Context, given client.Credentials, token string, leave Leave) (Description, error) {
	if !given.Known() {
		return Description{}, client.ErrInvalid
	}
	kind, known := kindOf(token)
	if !known {
		kind = Access // no token of this kind has the hash, so only the client is read
	}
	now := s.clock.Now()
	c, d, err := s.store.Introspect(ctx, given.ID, kind, credential.Hash(token), now)
	if err != nil {
		return Description{}, err
	}
	if err := c.Check(ctx, s.store, given, now); err != nil {
		return Description{}, err
	}
	if token == "" {
		return Description{}, errMissing
	}
	// A public client has no session record, because anyone can send its id.
	if leave.Client && given.Secret != "" {
		s.records.LeaveClient(ctx, c.App.AccountID, given.ID, credential.Hash(given.Secret))
	}
	if leave.Token && d.Active && kind == Access {
		s.records.LeaveToken(ctx, c.App.AccountID, credential.Hash(token))
	}
	return d, nil
}

// Revoke revokes a token of the client. It ignores all other tokens. Even a client of a suspended account may revoke
// tokens. Its tokens become valid again when the account is resumed, so it must be able to revoke a stolen one
// (behaviour: tokens#revocation). Errors: OAUTH_INVALID_CLIENT, OAUTH_INVALID_REQUEST.
func (s *Service) Revoke(ctx context.Context, given client.Credentials, token string) error {
	c, err := client.Authenticate(ctx, s.store, given, s.clock.Now())
	if err != nil && !errors.Is(err, account.ErrSuspended) {
		return err
	}
	if token == "" {
		return errMissing
	}
	kind, known := kindOf(token)
	if !known {
		audit.FromContext(ctx).Skip() // nothing was revoked
		return nil
	}
	entry, err := s.revoke(ctx, c.App.ID, kind, credential.Hash(token))
	if err != nil {
		return err
	}
	return s.revocations.Publish(ctx, entry)
}

func (s *Service) revoke(ctx context.Context, appID string, kind Kind, hash credential.Digest) (revocation.Entry, error) {
	now := s.clock.Now()
	if kind == Access {
		return s.store.RevokeAccess(ctx, appID, hash, now)
	}
	return s.store.RevokeRefresh(ctx, hash, now, func(f Family) bool { return f.MayBeRevokedBy(appID, now) })
}

// RevokeLegacy revokes a legacy access token. If it was the last live token of its consent, RevokeLegacy also ends
// the consent's durable link. When it returns, both are rejected everywhere, even if an earlier call revoked them.
// Errors: state.ErrUnknown, state.ErrExpired.
func (s *Service) RevokeLegacy(ctx context.Context, hash credential.Digest) error {
	entry, err := s.store.RevokeLegacy(ctx, hash, s.clock.Now())
	if err != nil && !errors.Is(err, state.ErrUnknown) {
		return err
	}
	if pending := s.revocations.Publish(ctx, entry); pending != nil {
		return pending
	}
	return err
}

var errMissing = errs.New(errs.Invalid, "OAUTH_INVALID_REQUEST", "The parameter token is missing.").WithField("token")

func kindOf(token string) (Kind, bool) {
	switch {
	case credential.WellFormed(credential.AccessToken, token):
		return Access, true
	case credential.WellFormed(credential.RefreshToken, token):
		return Refresh, true
	default:
		return 0, false
	}
}
