// Package oauth stores connections, codes and tokens.
package oauth

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/credential"
	"vitae.internal/services/auth/internal/credentials/revocation"
	"vitae.internal/services/auth/internal/oauth/grant"
	"vitae.internal/services/auth/internal/oauth/scope"
	"vitae.internal/services/auth/internal/postgres/db"
	"vitae.internal/services/auth/internal/postgres/outbox"
	"vitae.internal/services/auth/internal/postgres/sqlc"
)

// Grants stores consents, codes and tokens, and reads clients.
type Grants struct{ DB *db.DB }

func (s *Grants) RedeemCode(ctx context.Context, r grant.Redemption, p grant.Issue) (scope.Set, bool, error) {
	return s.won(ctx, "redeem code", audit.TokenExchangeCode, p.At, func(q *sqlc.Queries, e audit.Event, until time.Time) (sqlc.RedeemCodeRow, error) {
		return q.RedeemCode(ctx, sqlc.RedeemCodeParams{
			ClientID: r.Client.ClientID, SecretNonce: r.Client.Nonce, SecretProof: r.Client.Sum,
			CodeHash: r.Code[:], RedirectUri: r.RedirectURI, CodeChallenge: r.Challenge, FamilyID: r.FamilyID,
			At: p.At, AccessHash: p.Access[:], AccessExpiresAt: p.AccessExpiresAt,
			RefreshHash: p.Refresh[:], RefreshExpiresAt: p.RefreshUntil, Until: until,
			EventID: e.ID, EventAction: string(e.Action), Caller: e.Caller, ClientAddress: e.ClientAddress, RequestID: e.RequestID,
		})
	})
}

func (s *Grants) RedeemLegacyCode(ctx context.Context, r grant.LegacyRedemption) (scope.Set, bool, error) {
	return s.won(ctx, "redeem legacy code", audit.TokenExchangeCode, r.At, func(q *sqlc.Queries, e audit.Event, until time.Time) (sqlc.RedeemCodeRow, error) {
		row, err := q.RedeemLegacyCode(ctx, sqlc.RedeemLegacyCodeParams{
			ClientID: r.Client.ClientID, SecretNonce: r.Client.Nonce, SecretProof: r.Client.Sum,
			CodeHash: r.Code[:], FamilyID: r.FamilyID, FamilyExpiresAt: r.FamilyUntil,
			At: r.At, AccessHash: r.Access[:], AccessExpiresAt: r.AccessExpiresAt, Until: until,
			EventID: e.ID, EventAction: string(e.Action), Caller: e.Caller, ClientAddress: e.ClientAddress, RequestID: e.RequestID,
		})
		return sqlc.RedeemCodeRow(row), err
	})
}

func (s *Grants) Rotate(ctx context.Context, r grant.Rotation, p grant.Issue) (scope.Set, bool, error) {
	return s.won(ctx, "rotate refresh token", audit.TokenRefresh, p.At, func(q *sqlc.Queries, e audit.Event, until time.Time) (sqlc.RedeemCodeRow, error) {
		row, err := q.RotateRefreshToken(ctx, sqlc.RotateRefreshTokenParams{
			ClientID: r.Client.ClientID, SecretNonce: r.Client.Nonce, SecretProof: r.Client.Sum,
			RefreshHash: r.Refresh[:], Requested: r.Scopes,
			At: p.At, AccessHash: p.Access[:], AccessExpiresAt: p.AccessExpiresAt,
			NewRefreshHash: p.Refresh[:], RefreshExpiresAt: p.RefreshUntil, Until: until,
			EventID: e.ID, EventAction: string(e.Action), Caller: e.Caller, ClientAddress: e.ClientAddress, RequestID: e.RequestID,
		})
		return sqlc.RedeemCodeRow(row), err
	})
}

// won runs a statement that issues tokens. The statement also writes the audit event, and has no effect after the
// caller's deadline. If it returns no row, nothing has been issued, and won returns false. Otherwise, won records
// that the client's secret was used.
func (s *Grants) won(ctx context.Context, op string, action audit.Action, at time.Time, do func(*sqlc.Queries, audit.Event, time.Time) (sqlc.RedeemCodeRow, error)) (scope.Set, bool, error) {
	call := audit.FromContext(ctx)
	event := call.Event(audit.About{Action: action})
	var row sqlc.RedeemCodeRow
	err := s.DB.InTime(ctx, func(q *sqlc.Queries, until time.Time) (err error) {
		row, err = do(q, event, until)
		return err
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, db.ErrorOf(op, err, nil)
	}
	event.Actor = audit.ByApp(row.AppID)
	event.AccountID, event.AppID, event.PersonID = row.AccountID, row.AppID, row.PersonID
	event.Object.ID, event.Details = row.ConnectionID, db.ScopeDetails(row.Scopes)
	call.Stored(event)
	if row.ToNote != "" {
		s.noteSecretUse(ctx, row.ToNote, at)
	}
	return scope.Stored(row.Scopes), true, nil
}

// noteWithin limits how long a response waits for the use of a secret to be recorded.
const noteWithin = 200 * time.Millisecond

// noteSecretUse records that a secret was used to get tokens. The response must reach the client even if recording
// fails; the next request then records the use.
func (s *Grants) noteSecretUse(ctx context.Context, secretID string, at time.Time) {
	within, cancel := context.WithTimeout(ctx, noteWithin)
	defer cancel()
	_ = s.NoteSecretUse(within, secretID, at)
}

func (s *Grants) Code(ctx context.Context, hash credential.Digest) (grant.Code, bool, error) {
	row, err := s.DB.Q.GetCode(ctx, hash[:])
	if errors.Is(err, pgx.ErrNoRows) {
		return grant.Code{}, false, nil
	}
	if err != nil {
		return grant.Code{}, false, db.ErrorOf("code", err, nil)
	}
	c := row.AuthorizationCode
	code := grant.Code{
		AppID: c.AppID, Used: c.UsedAt != nil, RedirectURI: c.RedirectUri, Challenge: c.CodeChallenge, Revoked: c.RevokedAt != nil, ExpiresAt: c.ExpiresAt,
	}
	if c.FamilyID != nil {
		code.FamilyID = *c.FamilyID
	}
	return code, true, nil
}

func (s *Grants) Family(ctx context.Context, refresh credential.Digest) (grant.Family, bool, error) {
	row, err := s.DB.Q.FindFamily(ctx, refresh[:])
	if errors.Is(err, pgx.ErrNoRows) {
		return grant.Family{}, false, nil
	}
	if err != nil {
		return grant.Family{}, false, db.ErrorOf("family", err, nil)
	}
	return grant.Family{
		ID: row.ID, AppID: row.AppID, Rotated: row.Rotated, Revoked: row.RevokedAt != nil, ExpiresAt: row.ExpiresAt,
		Scopes: scope.Stored(row.Scopes), ConnectionScopes: scope.Stored(row.ConnectionScopes), Connected: row.Connected,
	}, true, nil
}

func (s *Grants) EndFamily(ctx context.Context, familyID string, now time.Time) (revocation.Entry, error) {
	var entry revocation.Entry
	err := s.DB.Tx(ctx, "end family", func(t db.Transaction) error {
		q := t.Queries
		owner, err := q.FamilyOwner(ctx, familyID)
		if err != nil {
			return err
		}
		if err := q.LockConnectionRow(ctx, owner.ConnectionID); err != nil {
			return err
		}
		revoked, err := q.RevokeFamily(ctx, sqlc.RevokeFamilyParams{ID: familyID, At: now})
		if err != nil {
			return err
		}
		// A repeated replay doesn't end links that were created after the first one. Its entry deletes the records
		// that the first replay may have failed to delete.
		if revoked == 1 {
			if err := q.RevokeFamilyAccessTokens(ctx, sqlc.RevokeFamilyAccessTokensParams{FamilyID: familyID, At: now}); err != nil {
				return err
			}
			if err := q.EndLinks(ctx, sqlc.EndLinksParams{ConnectionID: owner.ConnectionID, At: now}); err != nil {
				return err
			}
		}
		// The session records of the connection's other tokens contain the link that has been ended.
		if entry, err = outbox.EnqueueConnection(ctx, q, owner.AccountID, owner.ConnectionID, now); err != nil {
			return err
		}
		return t.Record(ctx, audit.About{
			Action: audit.TokenReplay, By: audit.ByApp(owner.AppID),
			AccountID: owner.AccountID, AppID: owner.AppID, PersonID: owner.PersonID, ObjectID: owner.ConnectionID,
		})
	})
	return entry, err
}
