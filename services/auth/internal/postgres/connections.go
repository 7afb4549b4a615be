package postgres

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"vitae.internal/services/auth/internal/authorize"
	"vitae.internal/services/auth/internal/connection"
	"vitae.internal/services/auth/internal/forget"
	"vitae.internal/services/auth/internal/postgres/sqlc"
	"vitae.internal/services/auth/internal/scope"
)

var (
	_ connection.Store = (*Store)(nil)
	_ authorize.Store  = (*Store)(nil)
)

func toConnection(c sqlc.Connection, a sqlc.App) connection.Connection {
	return connection.Connection{
		ID: c.ID, App: toApp(a), PersonID: c.PersonID,
		Granted: scope.Stored(c.GrantedScopes), Scopes: scope.Stored(c.Scopes), Sharing: c.CvSharing,
		CvID: c.CvID, SharePhoto: c.SharePhoto, Legacy: c.Legacy, CreatedAt: c.CreatedAt,
	}
}

// Consent implements authorize.Store.
func (s *Store) Consent(ctx context.Context, c authorize.Consent, now time.Time) (forget.Order, error) {
	var order forget.Order
	err := s.tx(ctx, func(q *sqlc.Queries) error {
		before, err := q.LockConsent(ctx, sqlc.LockConsentParams{PersonID: c.PersonID, AppID: c.AppID, Legacy: c.Legacy})
		if err != nil && !errors.Is(err, pgx.ErrNoRows) {
			return err
		}
		put, err := q.PutConnection(ctx, sqlc.PutConnectionParams{
			ID: c.ConnectionID, PersonID: c.PersonID, AppID: c.AppID, Legacy: c.Legacy, GrantedScopes: list(c.Scopes),
			CvID: c.CvID, SharePhoto: c.SharePhoto, CreatedAt: now,
		})
		if err != nil {
			return err
		}
		if err := q.IssueCode(ctx, sqlc.IssueCodeParams{
			Hash: c.CodeHash[:], AppID: c.AppID, ConnectionID: put.Connection.ID, RedirectUri: c.RedirectURI,
			CodeChallenge: c.CodeChallenge, Scopes: list(c.Scopes), CreatedAt: now, ExpiresAt: c.CodeExpiresAt,
		}); err != nil {
			return err
		}
		if err := putLink(ctx, q, put.Connection, c, now); err != nil {
			return err
		}
		if put.Created {
			return nil
		}
		// Who signs in once more and allows the same makes nothing stale. What the
		// consent before made stale may still be untold.
		if sameConsent(before.Connection, put.Connection) {
			row, err := q.OpenConnectionOrder(ctx, sqlc.OpenConnectionOrderParams{ConnectionID: put.Connection.ID, PersonID: c.PersonID})
			order, err = openOrder(row.ForgetOutbox, err, nil)
			return err
		}
		app, err := q.GetApp(ctx, c.AppID)
		if err != nil {
			return err
		}
		order, err = orderConnection(ctx, q, app.App.AccountID, put.Connection.ID, now)
		return err
	})
	return order, fault("consent", err)
}

// sameConsent reports whether records of before say what is still true.
func sameConsent(before, after sqlc.Connection) bool {
	return before.ID == after.ID && slices.Equal(before.Scopes, after.Scopes) &&
		before.CvID == after.CvID && before.SharePhoto == after.SharePhoto
}

// putLink makes sure that there is a durable link exactly when a CV is shared.
func putLink(ctx context.Context, q *sqlc.Queries, conn sqlc.Connection, c authorize.Consent, now time.Time) error {
	if !c.Scopes.SharesCV() {
		return q.EndLinks(ctx, sqlc.EndLinksParams{ConnectionID: conn.ID, At: now})
	}
	return q.MakeLink(ctx, sqlc.MakeLinkParams{ID: c.LinkID, Hash: c.LinkHash[:], ConnectionID: conn.ID, At: now})
}

// Connections implements connection.Store.
func (s *Store) Connections(ctx context.Context, personID string) ([]connection.Connection, error) {
	rows, err := s.q.ListConnections(ctx, personID)
	if err != nil {
		return nil, fault("list connections", err)
	}
	all := make([]connection.Connection, 0, len(rows))
	for _, row := range rows {
		all = append(all, toConnection(row.Connection, row.App))
	}
	return all, nil
}

// ChangeConnection implements connection.Store.
func (s *Store) ChangeConnection(ctx context.Context, personID, id string, now time.Time, change func(connection.Connection) (connection.Connection, error)) (connection.Connection, forget.Order, error) {
	var (
		changed connection.Connection
		order   forget.Order
	)
	err := s.tx(ctx, func(q *sqlc.Queries) error {
		locked, err := q.LockConnection(ctx, sqlc.LockConnectionParams{ID: id, PersonID: personID})
		if err != nil {
			return err
		}
		wanted, err := change(toConnection(locked.Connection, locked.App))
		if err != nil {
			return err
		}
		row, err := q.ChangeConnection(ctx, sqlc.ChangeConnectionParams{ID: id, CvID: wanted.CvID, CvSharing: wanted.Sharing})
		if err != nil {
			return err
		}
		changed = toConnection(row.Connection, locked.App)
		if !changed.Scopes.SharesCV() {
			if err := q.EndLinks(ctx, sqlc.EndLinksParams{ConnectionID: id, At: now}); err != nil {
				return err
			}
		}
		order, err = orderConnection(ctx, q, locked.App.AccountID, id, now)
		return err
	})
	return changed, order, notFound("change connection", err, connection.ErrNotFound)
}

// EndConnection implements connection.Store.
func (s *Store) EndConnection(ctx context.Context, personID, id string, now time.Time) (forget.Order, error) {
	var order forget.Order
	err := s.tx(ctx, func(q *sqlc.Queries) error {
		locked, err := q.LockConnection(ctx, sqlc.LockConnectionParams{ID: id, PersonID: personID})
		if err != nil {
			return err
		}
		for _, end := range []func() error{
			func() error { return q.EndConnection(ctx, sqlc.EndConnectionParams{ID: id, At: now}) },
			func() error {
				return q.RevokeConnectionCodes(ctx, sqlc.RevokeConnectionCodesParams{ConnectionID: id, At: now})
			},
			func() error {
				return q.RevokeConnectionFamilies(ctx, sqlc.RevokeConnectionFamiliesParams{ConnectionID: id, At: now})
			},
			func() error {
				return q.RevokeConnectionAccessTokens(ctx, sqlc.RevokeConnectionAccessTokensParams{ConnectionID: id, At: now})
			},
			func() error { return q.EndLinks(ctx, sqlc.EndLinksParams{ConnectionID: id, At: now}) },
		} {
			if err := end(); err != nil {
				return err
			}
		}
		order, err = orderConnection(ctx, q, locked.App.AccountID, id, now)
		return err
	})
	if errors.Is(err, pgx.ErrNoRows) {
		row, err := s.q.OpenConnectionOrder(ctx, sqlc.OpenConnectionOrderParams{ConnectionID: id, PersonID: personID})
		return openOrder(row.ForgetOutbox, err, connection.ErrNotFound)
	}
	return order, fault("end connection", err)
}
