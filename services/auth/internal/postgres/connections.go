package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"vitae.internal/pkg/audit"
	"vitae.internal/services/auth/internal/connection"
	"vitae.internal/services/auth/internal/postgres/sqlc"
	"vitae.internal/services/auth/internal/revocation"
)

var _ connection.Store = (*Store)(nil)

// connectionFromRow leaves out the scopes that the app has lost since the consent.
func connectionFromRow(c sqlc.Connection, a sqlc.App) connection.Connection {
	return connection.Connection{
		ID: c.ID, App: appFromRow(a), PersonID: c.PersonID,
		Granted: heldScopes(c.GrantedScopes, c.ScopesVersion, a), Scopes: heldScopes(c.Scopes, c.ScopesVersion, a), Sharing: c.CvSharing,
		CvID: c.CvID, SharePhoto: c.SharePhoto, Legacy: c.Legacy, CreatedAt: c.CreatedAt,
	}
}

// aboutConnection is what the audit log holds of what a person does to a connection.
func aboutConnection(c sqlc.Connection, a sqlc.App, details map[string]string) audit.About {
	return audit.About{
		By: audit.ByPerson(c.PersonID), PersonID: c.PersonID, AppID: a.ID, AccountID: a.AccountID, ObjectID: c.ID, Details: details,
	}
}

func sharingDetails(c connection.Connection) map[string]string {
	if c.Sharing {
		return map[string]string{audit.Sharing: "on"}
	}
	return map[string]string{audit.Sharing: "off"}
}

// Connections implements connection.Store.
func (s *Store) Connections(ctx context.Context, personID string) ([]connection.Connection, error) {
	rows, err := s.q.ListConnections(ctx, personID)
	if err != nil {
		return nil, errorOf("list connections", err, nil)
	}
	all := make([]connection.Connection, 0, len(rows))
	for _, row := range rows {
		all = append(all, connectionFromRow(row.Connection, row.App))
	}
	return all, nil
}

// ChangeConnection implements connection.Store.
func (s *Store) ChangeConnection(ctx context.Context, personID, id string, now time.Time, change func(connection.Connection) (connection.Connection, error)) (connection.Connection, revocation.Entry, error) {
	var (
		changed connection.Connection
		entry   revocation.Entry
	)
	err := s.tx(ctx, "change connection", func(t transaction) error {
		q := t.Queries
		locked, err := q.LockConnection(ctx, sqlc.LockConnectionParams{ID: id, PersonID: personID})
		if err != nil {
			return err
		}
		wanted, err := change(connectionFromRow(locked.Connection, locked.App))
		if err != nil {
			return err
		}
		row, err := q.ChangeConnection(ctx, sqlc.ChangeConnectionParams{ID: id, CvID: wanted.CvID, CvSharing: wanted.Sharing})
		if err != nil {
			return err
		}
		changed = connectionFromRow(row.Connection, locked.App)
		if !changed.Scopes.SharesCV() {
			if err := q.EndLinks(ctx, sqlc.EndLinksParams{ConnectionID: id, At: now}); err != nil {
				return err
			}
		}
		if entry, err = enqueueConnection(ctx, q, locked.App.AccountID, id, now); err != nil {
			return err
		}
		return t.record(ctx, aboutConnection(locked.Connection, locked.App, sharingDetails(changed)))
	})
	return changed, entry, errorOf("change connection", err, connection.ErrNotFound)
}

// EndConnection implements connection.Store.
func (s *Store) EndConnection(ctx context.Context, personID, id string, now time.Time) (revocation.Entry, error) {
	var entry revocation.Entry
	err := s.tx(ctx, "end connection", func(t transaction) error {
		q := t.Queries
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
		if entry, err = enqueueConnection(ctx, q, locked.App.AccountID, id, now); err != nil {
			return err
		}
		return t.record(ctx, aboutConnection(locked.Connection, locked.App, nil))
	})
	if errors.Is(err, pgx.ErrNoRows) {
		row, err := s.q.PendingConnectionRevocation(ctx, sqlc.PendingConnectionRevocationParams{ConnectionID: id, PersonID: personID})
		return pendingEntry(row.RevocationEntry, err, connection.ErrNotFound)
	}
	return entry, err
}
