package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"vitae.internal/pkg/credential"
	"vitae.internal/services/auth/internal/credentials/state"
	"vitae.internal/services/auth/internal/oauth/scope"
	"vitae.internal/services/auth/internal/postgres/sqlc"
)

var _ state.Store = (*Store)(nil)

func (s *Store) Route(ctx context.Context, kind state.Kind, hash credential.Digest) (string, error) {
	route := map[state.Kind]func(context.Context, []byte) (string, error){
		state.AccessToken: s.routeToken(false),
		state.APIKey:      s.q.RouteApiKey,
		state.CVLink:      s.q.RouteLink,
		state.LegacyToken: s.routeToken(true),
	}[kind]
	accountID, err := route(ctx, hash[:])
	return accountID, errorOf("route", err, state.ErrUnknown)
}

func (s *Store) routeToken(legacy bool) func(context.Context, []byte) (string, error) {
	return func(ctx context.Context, hash []byte) (string, error) {
		return s.q.RouteAccessToken(ctx, sqlc.RouteAccessTokenParams{Hash: hash, Legacy: legacy})
	}
}

func (s *Store) Read(ctx context.Context, kind state.Kind, hash credential.Digest, now time.Time) (state.State, error) {
	read := map[state.Kind]func(context.Context, []byte, time.Time) (state.State, error){
		state.AccessToken: s.accessToken,
		state.APIKey:      s.apiKey,
		state.CVLink:      s.cvLink,
		state.LegacyToken: s.legacyToken,
	}[kind]
	live, err := read(ctx, hash[:], now)
	return live, errorOf("read credential", err, state.ErrUnknown)
}

func (s *Store) accessToken(ctx context.Context, hash []byte, now time.Time) (state.State, error) {
	return s.token(ctx, hash, false, now)
}

func (s *Store) legacyToken(ctx context.Context, hash []byte, now time.Time) (state.State, error) {
	return s.token(ctx, hash, true, now)
}

func (s *Store) token(ctx context.Context, hash []byte, legacy bool, now time.Time) (state.State, error) {
	row, err := s.q.LiveAccessToken(ctx, sqlc.LiveAccessTokenParams{Hash: hash, Legacy: legacy, At: now})
	if err != nil {
		return state.State{}, err
	}
	live := state.State{
		Account: accountFromRow(row.Account), AppID: row.AppID, Legacy: legacy,
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

func (s *Store) apiKey(ctx context.Context, hash []byte, now time.Time) (state.State, error) {
	row, err := s.q.LiveApiKey(ctx, sqlc.LiveApiKeyParams{Hash: hash, At: &now})
	if err != nil {
		return state.State{}, err
	}
	return state.State{
		Account: accountFromRow(row.Account), AppID: row.AppID, APIKeyID: row.ID,
		Scopes: scope.Stored(row.Scopes), ExpiresAt: row.ExpiresAt,
	}, nil
}

func (s *Store) ReadClientSecret(ctx context.Context, clientID string, secret credential.Digest, now time.Time) (state.State, error) {
	row, err := s.q.LiveClientSecret(ctx, sqlc.LiveClientSecretParams{ClientID: clientID, Hash: secret[:], At: &now})
	if err != nil {
		return state.State{}, errorOf("read client secret", err, state.ErrUnknown)
	}
	return state.State{Account: accountFromRow(row.Account), AppID: row.AppID, ExpiresAt: row.ExpiresAt}, nil
}

func (s *Store) cvLink(ctx context.Context, hash []byte, now time.Time) (state.State, error) {
	row, err := s.q.LiveLink(ctx, sqlc.LiveLinkParams{Hash: hash, At: now})
	if err != nil {
		return state.State{}, err
	}
	return state.State{
		Account: accountFromRow(row.Account), AppID: row.AppID, Legacy: row.Legacy, ExpiresAt: row.EndsAt,
		Connection: &state.Connection{
			ID: row.ConnectionID, PersonID: row.PersonID, Scopes: scope.Stored(row.ConnectionScopes), CvID: row.CvID,
			SharePhoto: row.SharePhoto, PhotoVersion: row.PhotoVersion, CreatedAt: row.ConnectedAt, LinkID: row.LinkID,
		},
	}, nil
}

func (s *Store) ReadConnection(ctx context.Context, personID, connectionID string, now time.Time) (state.State, error) {
	row, err := s.q.LiveConnection(ctx, sqlc.LiveConnectionParams{ID: connectionID, PersonID: personID, At: now})
	if err != nil {
		return state.State{}, errorOf("read connection", err, state.ErrUnknown)
	}
	scopes := scope.Stored(row.ConnectionScopes)
	return state.State{
		Account: accountFromRow(row.Account), AppID: row.AppID, Legacy: row.Legacy, Scopes: scopes, ExpiresAt: row.EndsAt,
		Connection: &state.Connection{
			ID: row.ConnectionID, PersonID: row.PersonID, Scopes: scopes, CvID: row.CvID,
			SharePhoto: row.SharePhoto, PhotoVersion: row.PhotoVersion, CreatedAt: row.ConnectedAt, LinkID: row.LinkID,
		},
	}, nil
}

func (s *Store) PhotoAddress(ctx context.Context, connectionID string, version int32, now time.Time) (state.Photo, error) {
	row, err := s.q.LivePhotoAddress(ctx, sqlc.LivePhotoAddressParams{ConnectionID: connectionID, Version: version, At: now})
	if err != nil {
		return state.Photo{}, errorOf("read photo address", err, state.ErrNoPhoto)
	}
	return state.Photo{AccountID: row.AccountID, AppID: row.AppID, PersonID: row.PersonID}, nil
}

func (s *Store) LegacyTokenExpired(ctx context.Context, hash credential.Digest, now time.Time) (bool, error) {
	expired, err := s.q.ExpiredLegacyToken(ctx, sqlc.ExpiredLegacyTokenParams{Hash: hash[:], At: now})
	return expired, errorOf("expired token", err, nil)
}

// MakeLink implements state.Store. A revoke of a refresh token locks the
// connection, so under the lock the token is read again.
func (s *Store) MakeLink(ctx context.Context, connectionID string, token credential.Digest, linkID string, now time.Time) (string, error) {
	var id string
	err := s.tx(ctx, "make link", func(t transaction) error {
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
