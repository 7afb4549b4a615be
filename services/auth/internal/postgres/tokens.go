package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"vitae.internal/services/auth/internal/client"
	"vitae.internal/services/auth/internal/forget"
	"vitae.internal/services/auth/internal/livestate"
	"vitae.internal/services/auth/internal/postgres/sqlc"
	"vitae.internal/services/auth/internal/scope"
	"vitae.internal/services/auth/internal/token"
)

var _ token.Store = (*Store)(nil)

// Introspect implements token.Store.
func (s *Store) Introspect(ctx context.Context, clientID string, kind token.Kind, hash token.Hash, now time.Time) (client.Client, token.Description, error) {
	var (
		row sqlc.IntrospectAccessTokenRow
		err error
	)
	if kind == token.Refresh {
		var refresh sqlc.IntrospectRefreshTokenRow
		refresh, err = s.q.IntrospectRefreshToken(ctx, sqlc.IntrospectRefreshTokenParams{ClientID: clientID, Hash: hash[:], At: now})
		row = sqlc.IntrospectAccessTokenRow(refresh)
	} else {
		row, err = s.q.IntrospectAccessToken(ctx, sqlc.IntrospectAccessTokenParams{ClientID: clientID, Hash: hash[:], At: now})
	}
	if err != nil {
		return client.Client{}, token.Description{}, notFound("introspect", err, client.ErrInvalid)
	}
	c := toClient(row.App, row.AccountSuspendedAt)
	if !row.Live || row.TokenExpiresAt == nil {
		return c, token.Description{}, nil
	}
	return c, token.Description{
		Active: true, Scopes: scope.Stored(row.Effective), ClientID: row.App.ClientID,
		PersonID: row.PersonID, ConnectionID: row.ConnectionID, ExpiresAt: *row.TokenExpiresAt,
	}, nil
}

// RevokeAccess implements token.Store.
func (s *Store) RevokeAccess(ctx context.Context, appID string, hash token.Hash, now time.Time) (forget.Order, error) {
	var order forget.Order
	err := s.tx(ctx, func(q *sqlc.Queries) error {
		accountID, err := q.RevokeAccessToken(ctx, sqlc.RevokeAccessTokenParams{AppID: appID, Hash: hash[:], At: now})
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		order, err = orderHashes(ctx, q, accountID, [][]byte{hash[:]}, now)
		return err
	})
	return order, fault("revoke access token", err)
}

// RevokeLegacy implements token.Store.
func (s *Store) RevokeLegacy(ctx context.Context, hash token.Hash, now time.Time) (forget.Order, error) {
	var order forget.Order
	err := s.tx(ctx, func(q *sqlc.Queries) error {
		accountID, err := q.RevokeLegacyToken(ctx, sqlc.RevokeLegacyTokenParams{Hash: hash[:], At: now})
		if err != nil {
			return err
		}
		order, err = orderHashes(ctx, q, accountID, [][]byte{hash[:]}, now)
		return err
	})
	if !errors.Is(err, pgx.ErrNoRows) {
		return order, fault("revoke token of the older interface", err)
	}
	if ended := s.legacyTokenEnded(ctx, hash[:], now); !errors.Is(ended, livestate.ErrUnknown) {
		return forget.Order{}, ended
	}
	row, err := s.q.OpenLegacyTokenOrder(ctx, hash[:])
	return openOrder(row.ForgetOutbox, err, livestate.ErrUnknown)
}

// RevokeRefresh implements token.Store.
func (s *Store) RevokeRefresh(ctx context.Context, appID string, hash token.Hash, now time.Time) (forget.Order, error) {
	var order forget.Order
	err := s.tx(ctx, func(q *sqlc.Queries) error {
		f, err := q.FindFamily(ctx, hash[:])
		if errors.Is(err, pgx.ErrNoRows) || (err == nil && (f.AppID != appID || !f.ExpiresAt.After(now))) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := q.LockConnectionRow(ctx, f.ConnectionID); err != nil {
			return err
		}
		revoked, err := q.RevokeFamily(ctx, sqlc.RevokeFamilyParams{ID: f.ID, At: now})
		if err != nil {
			return err
		}
		// A second revoke ends nothing that came since, but tells Redis what the
		// first may not have told it yet.
		if revoked == 1 {
			if err := endIssued(ctx, q, f.ConnectionID, now); err != nil {
				return err
			}
		}
		order, err = orderConnection(ctx, q, f.AccountID, f.ConnectionID, now)
		return err
	})
	return order, fault("revoke refresh token", err)
}

// endIssued ends a connection's access tokens and durable links.
func endIssued(ctx context.Context, q *sqlc.Queries, connectionID string, now time.Time) error {
	if err := q.RevokeConnectionAccessTokens(ctx, sqlc.RevokeConnectionAccessTokensParams{ConnectionID: connectionID, At: now}); err != nil {
		return err
	}
	return q.EndLinks(ctx, sqlc.EndLinksParams{ConnectionID: connectionID, At: now})
}
