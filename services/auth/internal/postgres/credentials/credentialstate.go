// Package credentials reads the state of credentials, and deletes rows that are no longer needed.
package credentials

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"vitae.internal/pkg/credential"
	"vitae.internal/services/auth/internal/credentials/state"
	"vitae.internal/services/auth/internal/oauth/scope"
	"vitae.internal/services/auth/internal/postgres/db"
	"vitae.internal/services/auth/internal/postgres/platform"
	"vitae.internal/services/auth/internal/postgres/sqlc"
)

// States reads the state of credentials.
type States struct{ DB *db.DB }

func (s *States) Route(ctx context.Context, kind state.Kind, hash credential.Digest) (string, error) {
	route := map[state.Kind]func(context.Context, []byte) (string, error){
		state.AccessToken: s.routeToken(false),
		state.APIKey:      s.DB.Q.RouteApiKey,
		state.CVLink:      s.DB.Q.RouteLink,
		state.LegacyToken: s.routeToken(true),
	}[kind]
	accountID, err := route(ctx, hash[:])
	return accountID, db.ErrorOf("route", err, state.ErrUnknown)
}

func (s *States) routeToken(legacy bool) func(context.Context, []byte) (string, error) {
	return func(ctx context.Context, hash []byte) (string, error) {
		return s.DB.Q.RouteAccessToken(ctx, sqlc.RouteAccessTokenParams{Hash: hash, Legacy: legacy})
	}
}

func (s *States) Read(ctx context.Context, kind state.Kind, hash credential.Digest, now time.Time) (state.State, error) {
	read := map[state.Kind]func(context.Context, []byte, time.Time) (state.State, error){
		state.AccessToken: s.accessToken,
		state.APIKey:      s.apiKey,
		state.CVLink:      s.cvLink,
		state.LegacyToken: s.legacyToken,
	}[kind]
	live, err := read(ctx, hash[:], now)
	return live, db.ErrorOf("read credential", err, state.ErrUnknown)
}

func (s *States) accessToken(ctx context.Context, hash []byte, now time.Time) (state.State, error) {
	return s.token(ctx, hash, false, now)
}

func (s *States) legacyToken(ctx context.Context, hash []byte, now time.Time) (state.State, error) {
	return s.token(ctx, hash, true, now)
}

func (s *States) token(ctx context.Context, hash []byte, legacy bool, now time.Time) (state.State, error) {
	row, err := s.DB.Q.LiveAccessToken(ctx, sqlc.LiveAccessTokenParams{Hash: hash, Legacy: legacy, At: now})
	if err != nil {
		return state.State{}, err
	}
	live := state.State{
		Account: platform.AccountFromRow(row.Account), AppID: row.AppID, Legacy: legacy,
		Scopes: scope.Stored(row.Scopes), ExpiresAt: &row.ExpiresAt,
	}
	if row.Connected && row.ConnectedAt != nil {
		live.Connection = &state.Connection{
			ID: row.ConnectionID, PersonID: row.PersonID, Scopes: scope.Stored(row.ConnectionScopes), CvID: row.CvID,
			SharePhoto: row.SharePhoto, PhotoVersion: row.PhotoVersion, CreatedAt: *row.ConnectedAt, LinkID: row.LinkID,
		}
	}
	return live, nil
}

func (s *States) apiKey(ctx context.Context, hash []byte, now time.Time) (state.State, error) {
	row, err := s.DB.Q.LiveApiKey(ctx, sqlc.LiveApiKeyParams{Hash: hash, At: &now})
	if err != nil {
		return state.State{}, err
	}
	return state.State{
		Account: platform.AccountFromRow(row.Account), AppID: row.AppID, APIKeyID: row.ID,
		Scopes: scope.Stored(row.Scopes), ExpiresAt: row.ExpiresAt,
	}, nil
}

func (s *States) ReadClientSecret(ctx context.Context, clientID string, secret credential.Digest, now time.Time) (state.State, error) {
	row, err := s.DB.Q.LiveClientSecret(ctx, sqlc.LiveClientSecretParams{ClientID: clientID, Hash: secret[:], At: &now})
	if err != nil {
		return state.State{}, db.ErrorOf("read client secret", err, state.ErrUnknown)
	}
	return state.State{Account: platform.AccountFromRow(row.Account), AppID: row.AppID, ExpiresAt: row.ExpiresAt}, nil
}

func (s *States) cvLink(ctx context.Context, hash []byte, now time.Time) (state.State, error) {
	row, err := s.DB.Q.LiveLink(ctx, sqlc.LiveLinkParams{Hash: hash, At: now})
	if err != nil {
		return state.State{}, err
	}
	return state.State{
		Account: platform.AccountFromRow(row.Account), AppID: row.AppID, Legacy: row.Legacy, ExpiresAt: row.EndsAt,
		Connection: &state.Connection{
			ID: row.ConnectionID, PersonID: row.PersonID, Scopes: scope.Stored(row.ConnectionScopes), CvID: row.CvID,
			SharePhoto: row.SharePhoto, PhotoVersion: row.PhotoVersion, CreatedAt: row.ConnectedAt, LinkID: row.LinkID,
		},
	}, nil
}

func (s *States) ReadConnection(ctx context.Context, personID, connectionID string, now time.Time) (state.State, error) {
	row, err := s.DB.Q.LiveConnection(ctx, sqlc.LiveConnectionParams{ID: connectionID, PersonID: personID, At: now})
	if err != nil {
		return state.State{}, db.ErrorOf("read connection", err, state.ErrUnknown)
	}
	scopes := scope.Stored(row.ConnectionScopes)
	return state.State{
		Account: platform.AccountFromRow(row.Account), AppID: row.AppID, Legacy: row.Legacy, Scopes: scopes, ExpiresAt: row.EndsAt,
		Connection: &state.Connection{
			ID: row.ConnectionID, PersonID: row.PersonID, Scopes: scopes, CvID: row.CvID,
			SharePhoto: row.SharePhoto, PhotoVersion: row.PhotoVersion, CreatedAt: row.ConnectedAt, LinkID: row.LinkID,
		},
	}, nil
}

func (s *States) PhotoAddress(ctx context.Context, connectionID string, version int32, now time.Time) (state.Photo, error) {
	row, err := s.DB.Q.LivePhotoAddress(ctx, sqlc.LivePhotoAddressParams{ConnectionID: connectionID, Version: version, At: now})
	if err != nil {
		return state.Photo{}, db.ErrorOf("read photo address", err, state.ErrNoPhoto)
	}
	return state.Photo{AccountID: row.AccountID, AppID: row.AppID, PersonID: row.PersonID}, nil
}

func (s *States) LegacyTokenExpired(ctx context.Context, hash credential.Digest, now time.Time) (bool, error) {
	expired, err := s.DB.Q.ExpiredLegacyToken(ctx, sqlc.ExpiredLegacyTokenParams{Hash: hash[:], At: now})
	return expired, db.ErrorOf("expired token", err, nil)
}

// MakeLink implements state.Store. It reads the token again while it holds the lock on the connection, because
// revoking a refresh token takes the same lock.
func (s *States) MakeLink(ctx context.Context, connectionID string, token credential.Digest, linkID string, now time.Time) (string, error) {
	var id string
	err := s.DB.Tx(ctx, "make link", func(t db.Transaction) error {
		q := t.Queries
		if err := q.LockConnectionRow(ctx, connectionID); err != nil {
			return err
		}
		hash := state.LinkHash(linkID)
		if err := q.MakeTokenLink(ctx, sqlc.MakeTokenLinkParams{ID: linkID, Hash: hash[:], Token: token[:], At: now}); err != nil {
			return err
		}
		var err error
		id, err = q.TokenLink(ctx, sqlc.TokenLinkParams{Token: token[:], At: now})
		return err
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return "", nil
	}
	return id, err
}
