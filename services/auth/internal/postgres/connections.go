package postgres

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"vitae.internal/pkg/audit"
	"vitae.internal/services/auth/internal/authorize"
	"vitae.internal/services/auth/internal/client"
	"vitae.internal/services/auth/internal/connection"
	"vitae.internal/services/auth/internal/postgres/sqlc"
	"vitae.internal/services/auth/internal/revocation"
	"vitae.internal/services/auth/internal/scope"
)

var (
	_ connection.Store = (*Store)(nil)
	_ authorize.Store  = (*Store)(nil)
)

func connectionFromRow(c sqlc.Connection, a sqlc.App) connection.Connection {
	return connection.Connection{
		ID: c.ID, App: appFromRow(a), PersonID: c.PersonID,
		Granted: scope.Stored(c.GrantedScopes), Scopes: scope.Stored(c.Scopes), Sharing: c.CvSharing,
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

// Consent implements authorize.Store.
func (s *Store) Consent(ctx context.Context, c authorize.Consent, now time.Time) (revocation.Entry, error) {
	var entry revocation.Entry
	err := s.txInTime(ctx, "consent", func(t transaction) error {
		q := t.Queries
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
		if err := putLink(ctx, q, put.Connection.ID, c, now); err != nil {
			return err
		}
		app, err := q.GetApp(ctx, c.AppID)
		if err != nil {
			return err
		}
		// The account may have been closed since the request was checked. Its end and the
		// insert above have waited for each other.
		if closed, err := q.AppIsClosed(ctx, c.AppID); err != nil || closed {
			return errorOf("app is closed", cmp.Or(err, error(client.ErrInvalid)), nil)
		}
		if err := t.record(ctx, audit.About{
			By: audit.ByPerson(c.PersonID), PersonID: c.PersonID, AppID: c.AppID, AccountID: app.App.AccountID,
			ObjectID: put.Connection.ID, Details: scopeDetails(c.Scopes),
		}); err != nil || put.Created {
			return err
		}
		entry, err = enqueueConsent(ctx, q, app.App.AccountID, before.Connection, put.Connection, now)
		return err
	})
	return entry, err
}

// enqueueConsent writes an entry for the records of a live connection that a new consent
// has updated. An unchanged consent invalidates nothing, but an earlier invalidation may
// still be pending; it then gives that entry.
func enqueueConsent(ctx context.Context, q *sqlc.Queries, accountID string, before, after sqlc.Connection, now time.Time) (revocation.Entry, error) {
	if connectionFromRow(after, sqlc.App{}).SameConsent(connectionFromRow(before, sqlc.App{})) {
		row, err := q.PendingConnectionRevocation(ctx, sqlc.PendingConnectionRevocationParams{ConnectionID: after.ID, PersonID: after.PersonID})
		return pendingEntry(row.RevocationEntry, err, nil)
	}
	return enqueueConnection(ctx, q, accountID, after.ID, now)
}

// putLink makes or ends the durable link of a consent.
func putLink(ctx context.Context, q *sqlc.Queries, connectionID string, c authorize.Consent, now time.Time) error {
	if !c.SharesCV() {
		return q.EndLinks(ctx, sqlc.EndLinksParams{ConnectionID: connectionID, At: now})
	}
	return q.MakeLink(ctx, sqlc.MakeLinkParams{ID: c.LinkID, Hash: c.LinkHash[:], ConnectionID: connectionID, At: now})
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
