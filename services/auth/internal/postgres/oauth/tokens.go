package oauth

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/credential"
	"vitae.internal/services/auth/internal/credentials/revocation"
	"vitae.internal/services/auth/internal/credentials/state"
	"vitae.internal/services/auth/internal/oauth/client"
	"vitae.internal/services/auth/internal/oauth/scope"
	"vitae.internal/services/auth/internal/oauth/token"
	"vitae.internal/services/auth/internal/postgres/db"
	"vitae.internal/services/auth/internal/postgres/outbox"
	"vitae.internal/services/auth/internal/postgres/platform"
	"vitae.internal/services/auth/internal/postgres/sqlc"
)

func (s *Grants) Introspect(ctx context.Context, clientID string, kind token.Kind, hash credential.Digest, now time.Time) (client.Client, token.Description, error) {
	var (
		row sqlc.IntrospectAccessTokenRow
		err error
	)
	if kind == token.Refresh {
		var refresh sqlc.IntrospectRefreshTokenRow
		refresh, err = s.DB.Q.IntrospectRefreshToken(ctx, sqlc.IntrospectRefreshTokenParams{ClientID: clientID, Hash: hash[:], At: now})
		row = sqlc.IntrospectAccessTokenRow(refresh)
	} else {
		row, err = s.DB.Q.IntrospectAccessToken(ctx, sqlc.IntrospectAccessTokenParams{ClientID: clientID, Hash: hash[:], At: now})
	}
	if err != nil {
		return client.Client{}, token.Description{}, db.ErrorOf("introspect", err, client.ErrInvalid)
	}
	c := clientFromRow(row.App, row.AccountSuspendedAt, row.SecretHashes, row.SecretsToNote)
	if !row.Live {
		return c, token.Description{}, nil
	}
	held := platform.HeldScopes(row.ConnectionScopes, row.ScopesVersion, row.App)
	return c, token.Description{
		Active: true, Scopes: scope.Stored(row.TokenScopes).And(held), ClientID: row.App.ClientID,
		PersonID: row.PersonID, ConnectionID: row.ConnectionID, ExpiresAt: row.TokenExpiresAt,
	}, nil
}

func (s *Grants) RevokeAccess(ctx context.Context, appID string, hash credential.Digest, now time.Time) (revocation.Entry, error) {
	var entry revocation.Entry
	err := s.DB.Tx(ctx, "revoke access token", func(t db.Transaction) error {
		q := t.Queries
		if err := q.LockLegacyConsent(ctx, hash[:]); err != nil {
			return err
		}
		ended, err := q.RevokeAccessToken(ctx, sqlc.RevokeAccessTokenParams{AppID: appID, Hash: hash[:], At: now})
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		if ended.LegacyEnded {
			entry, err = endedLegacy(ctx, q, ended.AccountID, ended.ConnectionID, hash, now)
		} else {
			entry, err = outbox.EnqueueHash(ctx, q, ended.AccountID, hash[:], now)
		}
		if err != nil {
			return err
		}
		return t.Record(ctx, audit.About{
			By: audit.ByApp(appID), AccountID: ended.AccountID, AppID: appID, PersonID: ended.PersonID, ObjectID: ended.ConnectionID,
		})
	})
	return entry, err
}

func (s *Grants) RevokeLegacy(ctx context.Context, hash credential.Digest, now time.Time) (revocation.Entry, error) {
	var entry revocation.Entry
	err := s.DB.Tx(ctx, "revoke legacy token", func(t db.Transaction) error {
		q := t.Queries
		if err := q.LockLegacyConsent(ctx, hash[:]); err != nil {
			return err
		}
		ended, err := q.RevokeLegacyToken(ctx, sqlc.RevokeLegacyTokenParams{Hash: hash[:], At: now})
		if err != nil {
			return err
		}
		if entry, err = endedLegacy(ctx, q, ended.AccountID, ended.ConnectionID, hash, now); err != nil {
			return err
		}
		return t.Record(ctx, audit.About{
			By: audit.ByApp(ended.AppID), AccountID: ended.AccountID, AppID: ended.AppID, PersonID: ended.PersonID, ObjectID: ended.ConnectionID,
		})
	})
	if !errors.Is(err, pgx.ErrNoRows) {
		return entry, err
	}
	switch expired, err := s.DB.Q.ExpiredLegacyToken(ctx, sqlc.ExpiredLegacyTokenParams{Hash: hash[:], At: now}); {
	case err != nil:
		return revocation.Entry{}, db.ErrorOf("expired token", err, nil)
	case expired:
		return revocation.Entry{}, state.ErrExpired
	}
	row, err := s.DB.Q.PendingLegacyTokenRevocation(ctx, hash[:])
	return outbox.PendingEntry(row.RevocationEntry, err, state.ErrUnknown)
}

// endedLegacy writes the entry for a legacy token that has just been revoked. If it was the last live token of its
// consent, endedLegacy also ends the consent's durable link (behaviour: legacy#cv-url).
func endedLegacy(ctx context.Context, q *sqlc.Queries, accountID, connectionID string, hash credential.Digest, now time.Time) (revocation.Entry, error) {
	links, err := q.EndUnusedLinks(ctx, sqlc.EndUnusedLinksParams{ConnectionID: connectionID, At: now})
	switch {
	case err != nil:
		return revocation.Entry{}, err
	case links > 0:
		return outbox.EnqueueConnection(ctx, q, accountID, connectionID, now)
	}
	return outbox.EnqueueHash(ctx, q, accountID, hash[:], now)
}

func (s *Grants) RevokeRefresh(ctx context.Context, hash credential.Digest, now time.Time, mayRevoke func(token.Family) bool) (revocation.Entry, error) {
	var entry revocation.Entry
	err := s.DB.Tx(ctx, "revoke refresh token", func(t db.Transaction) error {
		q := t.Queries
		f, err := q.FindFamily(ctx, hash[:])
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		if !mayRevoke(token.Family{AppID: f.AppID, ExpiresAt: f.ExpiresAt}) {
			return nil
		}
		if err := q.LockConnectionRow(ctx, f.ConnectionID); err != nil {
			return err
		}
		revoked, err := q.RevokeFamily(ctx, sqlc.RevokeFamilyParams{ID: f.ID, At: now})
		if err != nil {
			return err
		}
		// A repeated revocation doesn't end tokens that were issued after the first one. Its entry deletes the
		// records that the first revocation may have failed to delete.
		if revoked == 1 {
			if err := endIssued(ctx, q, f.ConnectionID, now); err != nil {
				return err
			}
		}
		if entry, err = outbox.EnqueueConnection(ctx, q, f.AccountID, f.ConnectionID, now); err != nil {
			return err
		}
		return t.Record(ctx, audit.About{
			By: audit.ByApp(f.AppID), AccountID: f.AccountID, AppID: f.AppID, PersonID: f.PersonID, ObjectID: f.ConnectionID,
		})
	})
	return entry, err
}

// endIssued ends a connection's access tokens and durable links.
func endIssued(ctx context.Context, q *sqlc.Queries, connectionID string, now time.Time) error {
	if err := q.RevokeConnectionAccessTokens(ctx, sqlc.RevokeConnectionAccessTokensParams{ConnectionID: connectionID, At: now}); err != nil {
		return err
	}
	return q.EndLinks(ctx, sqlc.EndLinksParams{ConnectionID: connectionID, At: now})
}
