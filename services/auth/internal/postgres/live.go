package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"vitae.internal/services/auth/internal/connection"
	"vitae.internal/services/auth/internal/developer"
	"vitae.internal/services/auth/internal/livestate"
	"vitae.internal/services/auth/internal/postgres/sqlc"
	"vitae.internal/services/auth/internal/scope"
)

// Live reads the state of credentials. It knows the budgets of the named plans,
// which records carry.
type Live struct {
	*Store
	plans developer.Plans
}

var _ livestate.Store = (*Live)(nil)

// NewLive makes a Live.
func NewLive(s *Store, plans developer.Plans) *Live { return &Live{Store: s, plans: plans} }

// Route implements livestate.Store.
func (l *Live) Route(ctx context.Context, kind livestate.Kind, hash livestate.Hash) (string, error) {
	route := map[livestate.Kind]func(context.Context, []byte) (string, error){
		livestate.AccessToken: l.routeToken(false),
		livestate.APIKey:      l.q.RouteApiKey,
		livestate.CVLink:      l.q.RouteLink,
		livestate.LegacyToken: l.routeToken(true),
	}[kind]
	accountID, err := route(ctx, hash[:])
	return accountID, notFound("route", err, livestate.ErrUnknown)
}

func (l *Live) routeToken(legacy bool) func(context.Context, []byte) (string, error) {
	return func(ctx context.Context, hash []byte) (string, error) {
		return l.q.RouteAccessToken(ctx, sqlc.RouteAccessTokenParams{Hash: hash, Legacy: legacy})
	}
}

// Read implements livestate.Store.
func (l *Live) Read(ctx context.Context, kind livestate.Kind, hash livestate.Hash, now time.Time) (livestate.Record, error) {
	read := map[livestate.Kind]func(context.Context, []byte, time.Time) (livestate.Record, error){
		livestate.AccessToken: l.accessToken,
		livestate.APIKey:      l.apiKey,
		livestate.CVLink:      l.cvLink,
		livestate.LegacyToken: l.legacyToken,
	}[kind]
	record, err := read(ctx, hash[:], now)
	if err != nil {
		return livestate.Record{}, notFound("read credential", err, livestate.ErrUnknown)
	}
	return record, nil
}

func (l *Live) record(kind livestate.Kind, a sqlc.Account, appID string) livestate.Record {
	return livestate.Record{
		Kind: kind, AccountID: a.ID, AppID: appID,
		AccountSuspended: a.SuspendedAt != nil, Plan: l.plans.Of(toPlan(a)),
	}
}

func (l *Live) accessToken(ctx context.Context, hash []byte, now time.Time) (livestate.Record, error) {
	return l.token(ctx, livestate.AccessToken, hash, now)
}

// legacyToken tells one that has only expired from an unknown one. Both queries go
// by the same time, so that none is missed between them.
func (l *Live) legacyToken(ctx context.Context, hash []byte, now time.Time) (livestate.Record, error) {
	r, err := l.token(ctx, livestate.LegacyToken, hash, now)
	switch {
	case errors.Is(err, livestate.ErrConnectionGone):
		return livestate.Record{}, livestate.ErrUnknown
	case errors.Is(err, pgx.ErrNoRows):
		return livestate.Record{}, l.legacyTokenEnded(ctx, hash, now)
	}
	return r, err
}

// legacyTokenEnded says why a token of the older interface is not live: ErrExpired,
// ErrUnknown.
func (s *Store) legacyTokenEnded(ctx context.Context, hash []byte, now time.Time) error {
	expired, err := s.q.ExpiredLegacyToken(ctx, sqlc.ExpiredLegacyTokenParams{Hash: hash, At: now})
	switch {
	case err != nil:
		return fault("expired token", err)
	case expired:
		return livestate.ErrExpired
	}
	return livestate.ErrUnknown
}

func (l *Live) token(ctx context.Context, kind livestate.Kind, hash []byte, now time.Time) (livestate.Record, error) {
	row, err := l.q.LiveAccessToken(ctx, sqlc.LiveAccessTokenParams{Hash: hash, Legacy: kind == livestate.LegacyToken, At: now})
	if err != nil {
		return livestate.Record{}, err
	}
	if !row.Connected || row.ConnectedAt == nil {
		return livestate.Record{}, livestate.ErrConnectionGone
	}
	r := l.record(kind, row.Account, row.AppID)
	granted := scope.Stored(row.ConnectionScopes)
	r.Scopes, r.ExpiresAt = scope.Stored(row.Scopes).And(granted), &row.ExpiresAt
	r.Connection = &livestate.Connection{
		ID: row.ConnectionID, PersonID: row.PersonID, Scopes: granted, CvID: row.CvID,
		SharePhoto: row.SharePhoto, CreatedAt: *row.ConnectedAt, LinkID: row.LinkID,
	}
	return r, nil
}

func (l *Live) apiKey(ctx context.Context, hash []byte, now time.Time) (livestate.Record, error) {
	row, err := l.q.LiveApiKey(ctx, sqlc.LiveApiKeyParams{Hash: hash, At: &now})
	if err != nil {
		return livestate.Record{}, err
	}
	r := l.record(livestate.APIKey, row.Account, row.AppID)
	r.APIKeyID = row.ID
	r.Scopes, r.ExpiresAt = scope.Stored(row.Scopes), row.ExpiresAt
	return r, nil
}

func (l *Live) cvLink(ctx context.Context, hash []byte, _ time.Time) (livestate.Record, error) {
	row, err := l.q.LiveLink(ctx, hash)
	if err != nil {
		return livestate.Record{}, err
	}
	r := l.record(livestate.CVLink, row.Account, row.AppID)
	cvID := row.CvID
	if r.Scopes = scope.Stored(row.ConnectionScopes); row.Legacy {
		// What the older interface shares, in the words of those who show a CV.
		r.Scopes, cvID = scope.OfLegacyLink(), connection.MasterCV
	}
	r.Connection = &livestate.Connection{
		ID: row.ConnectionID, PersonID: row.PersonID, Scopes: r.Scopes, CvID: cvID,
		SharePhoto: row.SharePhoto, CreatedAt: row.ConnectedAt, LinkID: row.LinkID,
	}
	return r, nil
}

// MakeLink implements livestate.Store. Whoever revokes a refresh token holds the
// connection's lock; under it the token is read anew.
func (l *Live) MakeLink(ctx context.Context, connectionID string, token livestate.Hash, linkID string, now time.Time) (string, error) {
	var id string
	err := l.tx(ctx, func(q *sqlc.Queries) error {
		if err := q.LockConnectionRow(ctx, connectionID); err != nil {
			return err
		}
		hash := livestate.LinkHash(linkID)
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
	return id, fault("make link", err)
}
