package postgres

import (
	"context"

	"vitae.internal/services/auth/internal/mail"
	"vitae.internal/services/auth/internal/person"
	"vitae.internal/services/auth/internal/persondata"
	"vitae.internal/services/auth/internal/postgres/sqlc"
)

var _ persondata.Store = (*Store)(nil)

// ExportAccount implements persondata.Store.
func (s *Store) ExportAccount(ctx context.Context, personID string) (persondata.Account, error) {
	row, err := s.q.ExportAccount(ctx, personID)
	if err != nil {
		return persondata.Account{}, errorOf("export account", err, person.ErrNotFound)
	}
	a := persondata.Account{Person: personFromRow(row.Person), PasswordSetAt: row.Person.PasswordSetAt}
	if row.Person.Locale != nil {
		a.Language = *row.Person.Locale
	}
	return a, nil
}

// ExportConnections implements persondata.Store.
func (s *Store) ExportConnections(ctx context.Context, personID, after string, atMost int) ([]persondata.Connection, error) {
	rows, err := s.q.ExportConnections(ctx, sqlc.ExportConnectionsParams{PersonID: personID, After: after, AtMost: int32(atMost)})
	all := make([]persondata.Connection, len(rows))
	for i, row := range rows {
		c := row.Connection
		all[i] = persondata.Connection{
			ID: c.ID, AppID: c.AppID, AppName: row.AppName, Granted: c.GrantedScopes, Scopes: c.Scopes, CvID: c.CvID,
			CvSharing: c.CvSharing, SharePhoto: c.SharePhoto, Legacy: c.Legacy, CreatedAt: c.CreatedAt,
			PausedAt: c.PausedAt, EndsAt: c.EndsAt, EndedAt: c.EndedAt,
		}
	}
	return all, errorOf("export connections", err, nil)
}

// ExportReads implements persondata.Store.
func (s *Store) ExportReads(ctx context.Context, connectionID string, after persondata.Read, atMost int) ([]persondata.Read, error) {
	rows, err := s.q.ExportReads(ctx, sqlc.ExportReadsParams{
		ConnectionID: connectionID, AfterDay: after.Day, AfterKind: after.Kind, AtMost: int32(atMost),
	})
	all := make([]persondata.Read, len(rows))
	for i, row := range rows {
		all[i] = persondata.Read{ConnectionID: row.ConnectionID, Day: row.Day, Kind: row.Kind, Count: row.Reads, LastAt: row.LastAt}
	}
	return all, errorOf("export reads", err, nil)
}

// ExportMemberships implements persondata.Store.
func (s *Store) ExportMemberships(ctx context.Context, personID string) ([]persondata.Membership, error) {
	rows, err := s.q.ExportMemberships(ctx, personID)
	all := make([]persondata.Membership, len(rows))
	for i, row := range rows {
		all[i] = persondata.Membership{AccountID: row.AccountID, AccountName: row.AccountName, Role: row.Role, CreatedAt: row.CreatedAt}
	}
	return all, errorOf("export memberships", err, nil)
}

// AddExportMail implements persondata.Store.
func (s *Store) AddExportMail(ctx context.Context, e mail.Entry) error {
	return errorOf("add export mail", s.q.AddMailOnce(ctx, sqlc.AddMailOnceParams{
		ID: e.ID, Kind: string(e.Kind), Email: e.Email, EmailKey: e.EmailKey, Link: e.Link, Locale: e.Language,
		CreatedAt: e.CreatedAt, ExpiresAt: e.ExpiresAt,
	}), nil)
}
