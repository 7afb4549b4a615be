package oauth

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"vitae.internal/pkg/audit"
	"vitae.internal/services/auth/internal/credentials/revocation"
	"vitae.internal/services/auth/internal/oauth/client"
	"vitae.internal/services/auth/internal/oauth/connection"
	"vitae.internal/services/auth/internal/oauth/scope"
	"vitae.internal/services/auth/internal/postgres/db"
	"vitae.internal/services/auth/internal/postgres/outbox"
	"vitae.internal/services/auth/internal/postgres/platform"
	"vitae.internal/services/auth/internal/postgres/sqlc"
)

// Connections stores people's connections with apps.
type Connections struct{ DB *db.DB }

// connectionFromRow converts a connection. It omits scopes that the app has lost since the consent.
func connectionFromRow(c sqlc.Connection, a sqlc.App) connection.Connection {
	return connection.Connection{
		ID: c.ID, App: platform.AppFromRow(a), PersonID: c.PersonID,
		Granted: platform.HeldScopes(c.GrantedScopes, c.ScopesVersion, a), Scopes: platform.HeldScopes(c.Scopes, c.ScopesVersion, a), Sharing: c.CvSharing,
		Withheld: scope.Stored(c.Withheld), Declined: scope.Stored(c.DeclinedScopes), CvID: c.CvID, SharePhoto: c.SharePhoto, PhotoWithheld: c.PhotoWithheld,
		PausedAt: c.PausedAt, EndsAt: c.EndsAt, Legacy: c.Legacy, CreatedAt: c.CreatedAt,
	}
}

// aboutConnection returns the audit event for a person's change to a connection.
func aboutConnection(c sqlc.Connection, a sqlc.App, details map[string]string) audit.About {
	return audit.About{
		By: audit.ByPerson(c.PersonID), PersonID: c.PersonID, AppID: a.ID, AccountID: a.AccountID, ObjectID: c.ID, Details: details,
	}
}

// changeDetails returns the event's details: whether the CV is shared, and all other settings that changed.
func changeDetails(before, after connection.Connection) map[string]string {
	details := map[string]string{audit.Sharing: onOff(after.Sharing)}
	for _, one := range []struct {
		detail  string
		was, is bool
	}{
		{audit.ShareEmail, !before.Withheld.Has(scope.Email), !after.Withheld.Has(scope.Email)},
		{audit.ShareContact, !before.Withheld.Has(scope.CVContact), !after.Withheld.Has(scope.CVContact)},
		{audit.SharePhoto, before.SharePhoto, after.SharePhoto},
		{audit.Paused, before.PausedAt != nil, after.PausedAt != nil},
	} {
		if one.was != one.is {
			details[one.detail] = onOff(one.is)
		}
	}
	switch {
	case after.EndsAt != nil && (before.EndsAt == nil || !before.EndsAt.Equal(*after.EndsAt)):
		details[audit.EndsAt] = after.EndsAt.UTC().Format(time.RFC3339)
	case after.EndsAt == nil && before.EndsAt != nil:
		details[audit.EndsAt] = audit.Never
	}
	return details
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

func (s *Connections) Connections(ctx context.Context, personID string, now time.Time) ([]connection.Connection, error) {
	rows, err := s.DB.Q.ListConnections(ctx, sqlc.ListConnectionsParams{PersonID: personID, At: now})
	if err != nil {
		return nil, db.ErrorOf("list connections", err, nil)
	}
	all := make([]connection.Connection, 0, len(rows))
	for _, row := range rows {
		c := connectionFromRow(row.Connection, row.App)
		c.Publisher = client.Publisher{Name: row.AccountName, Verified: row.AccountVerifiedAt != nil, Own: row.App.IsConsole}
		all = append(all, c)
	}
	return all, nil
}

func (s *Connections) Reads(ctx context.Context, personID, id string, since time.Time) ([]connection.Read, error) {
	rows, err := s.DB.Q.ListConnectionReads(ctx, sqlc.ListConnectionReadsParams{ID: id, PersonID: personID, Since: since})
	var reads []connection.Read
	for _, r := range rows {
		if n := len(reads); n == 0 || !reads[n-1].Day.Equal(r.Day) || reads[n-1].Kind != r.Kind {
			reads = append(reads, connection.Read{Day: r.Day, Kind: r.Kind, Count: r.Reads, Latest: r.LastAt})
		}
		if last := &reads[len(reads)-1]; r.Country != "" {
			last.From = append(last.From, connection.ReadsFrom{Country: r.Country, Count: r.ReadsFrom})
		}
	}
	return reads, db.ErrorOf("list reads", err, nil)
}

// lockedConnections holds a person's live connections with one app: the requested connection, followed by the
// connection through the other interface if there is one.
type lockedConnections []sqlc.LockConnectionsRow

// other returns the id of the connection through the other interface, or "" if there is none.
func (l lockedConnections) other() string {
	if len(l) < 2 {
		return ""
	}
	return l[1].Connection.ID
}

// lockConnections locks a person's connection, and the person's connection with the same app through the other
// interface. Errors: pgx.ErrNoRows.
func lockConnections(ctx context.Context, q *sqlc.Queries, personID, id string, now time.Time) (lockedConnections, error) {
	rows, err := q.LockConnections(ctx, sqlc.LockConnectionsParams{ID: id, PersonID: personID, At: now})
	if err != nil {
		return nil, err
	}
	named := slices.IndexFunc(rows, func(row sqlc.LockConnectionsRow) bool { return row.Connection.ID == id })
	if named < 0 {
		return nil, pgx.ErrNoRows
	}
	rows[0], rows[named] = rows[named], rows[0]
	return rows, nil
}

func (s *Connections) ChangeConnection(ctx context.Context, personID, id string, now time.Time, change func(connection.Connection) (connection.Connection, error)) (connection.Connection, revocation.Entry, error) {
	var (
		changed connection.Connection
		entry   revocation.Entry
	)
	err := s.DB.Tx(ctx, "change connection", func(t db.Transaction) error {
		locked, err := lockConnections(ctx, t.Queries, personID, id, now)
		if err != nil {
			return err
		}
		for _, row := range locked {
			before := connectionFromRow(row.Connection, row.App)
			wanted, err := change(before)
			if err != nil {
				return err
			}
			if row.Connection.ID != id && reflect.DeepEqual(before, wanted) {
				continue
			}
			put, err := putChange(ctx, t.Queries, wanted, row.App, now)
			if err != nil {
				return err
			}
			if err := t.Record(ctx, aboutConnection(row.Connection, row.App, changeDetails(before, wanted))); err != nil {
				return err
			}
			if put.ID == id {
				changed = put
			}
		}
		entry, err = outbox.EnqueueConnections(ctx, t.Queries, locked[0].App.AccountID, id, locked.other(), now)
		return err
	})
	return changed, entry, db.ErrorOf("change connection", err, connection.ErrNotFound)
}

// putChange stores a changed connection, and ends its durable link if the CV is no longer shared. A pause doesn't
// end the link, because the link must work again after the pause.
func putChange(ctx context.Context, q *sqlc.Queries, c connection.Connection, app sqlc.App, now time.Time) (connection.Connection, error) {
	row, err := q.ChangeConnection(ctx, sqlc.ChangeConnectionParams{
		ID: c.ID, CvID: c.CvID, CvSharing: c.Sharing, Withheld: db.List(c.Withheld),
		SharePhoto: c.SharePhoto, PhotoWithheld: c.PhotoWithheld, PausedAt: c.PausedAt, EndsAt: c.EndsAt,
	})
	if err != nil {
		return connection.Connection{}, err
	}
	if sharesCV := c.Legacy || c.Sharing && c.CvGranted(); !sharesCV {
		err = q.EndLinks(ctx, sqlc.EndLinksParams{ConnectionID: c.ID, At: now})
	}
	return connectionFromRow(row.Connection, app), err
}

func (s *Connections) EndConnection(ctx context.Context, personID, id string, now time.Time) (revocation.Entry, error) {
	return s.endConnection(ctx, personID, id, false, now)
}

func (s *Connections) EndOneConnection(ctx context.Context, personID, id string, now time.Time) (revocation.Entry, error) {
	return s.endConnection(ctx, personID, id, true, now)
}

func (s *Connections) endConnection(ctx context.Context, personID, id string, only bool, now time.Time) (revocation.Entry, error) {
	var entry revocation.Entry
	err := s.DB.Tx(ctx, "end connection", func(t db.Transaction) error {
		locked, err := lockConnections(ctx, t.Queries, personID, id, now)
		if err != nil {
			return err
		}
		if only {
			locked = locked[:1]
		}
		ids := make([]string, len(locked))
		for i, row := range locked {
			ids[i] = row.Connection.ID
		}
		if err := t.Queries.EndConnections(ctx, sqlc.EndConnectionsParams{Ids: ids, At: now}); err != nil {
			return err
		}
		for _, id := range ids {
			if err := endBelow(ctx, t.Queries, id, now); err != nil {
				return err
			}
		}
		app := locked[0].App
		if entry, err = outbox.EnqueueConnections(ctx, t.Queries, app.AccountID, id, locked.other(), now); err != nil {
			return err
		}
		for _, row := range locked {
			if err := t.Record(ctx, aboutConnection(row.Connection, row.App, nil)); err != nil {
				return err
			}
		}
		return nil
	})
	if errors.Is(err, pgx.ErrNoRows) {
		row, err := s.DB.Q.PendingConnectionRevocation(ctx, sqlc.PendingConnectionRevocationParams{ConnectionID: id, PersonID: personID})
		return outbox.PendingEntry(row.RevocationEntry, err, connection.ErrNotFound)
	}
	return entry, err
}

// endBelow ends everything below a locked connection, with one statement for each kind of row. If a statement has to
// wait for an exchange, the next statement sees the tokens that the exchange issued.
func endBelow(ctx context.Context, q *sqlc.Queries, id string, now time.Time) error {
	if err := q.RevokeConnectionCodes(ctx, sqlc.RevokeConnectionCodesParams{ConnectionID: id, At: now}); err != nil {
		return err
	}
	if err := q.RevokeConnectionFamilies(ctx, sqlc.RevokeConnectionFamiliesParams{ConnectionID: id, At: now}); err != nil {
		return err
	}
	return endIssued(ctx, q, id, now)
}

// endConnections ends locked connections whose credentials are already rejected, and everything below them. If an
// exchange in progress issues more tokens, these are rejected too, until they expire.
func endConnections(ctx context.Context, q *sqlc.Queries, ids []string, now time.Time) error {
	if err := q.EndBelowConnections(ctx, sqlc.EndBelowConnectionsParams{Ids: ids, At: now}); err != nil {
		return err
	}
	return q.EndConnections(ctx, sqlc.EndConnectionsParams{Ids: ids, At: now})
}

func (s *Connections) EndDue(ctx context.Context, now time.Time, atMost int32) (ended int, err error) {
	err = s.DB.Tx(ctx, "end due connections", func(t db.Transaction) error {
		ids, err := t.Queries.LockDueConnections(ctx, sqlc.LockDueConnectionsParams{At: now, AtMost: atMost})
		if err != nil || len(ids) == 0 {
			return err
		}
		ended = len(ids)
		return endConnections(ctx, t.Queries, ids, now)
	})
	return ended, err
}

func (s *Connections) EndConnections(ctx context.Context, now time.Time, atMost int32) (int, error) {
	var ended int
	err := s.DB.Tx(ctx, "end connections of deleted apps", func(t db.Transaction) error {
		q := t.Queries
		ids, err := q.LockAppConnections(ctx, atMost)
		if err != nil || len(ids) == 0 {
			return err
		}
		ended = len(ids)
		return endConnections(ctx, q, ids, now)
	})
	return ended, err
}
