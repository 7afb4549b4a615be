package postgres

import (
	"context"
	"time"

	"vitae.internal/services/auth/internal/mail"
	"vitae.internal/services/auth/internal/oauth/connection"
	"vitae.internal/services/auth/internal/people/export"
	"vitae.internal/services/auth/internal/people/person"
	"vitae.internal/services/auth/internal/people/session"
	"vitae.internal/services/auth/internal/postgres/sqlc"
)

var _ export.Store = (*Store)(nil)

func (s *Store) ExportAccount(ctx context.Context, personID string) (export.Account, error) {
	row, err := s.q.ExportAccount(ctx, personID)
	if err != nil {
		return export.Account{}, errorOf("export account", err, person.ErrNotFound)
	}
	a := export.Account{Person: personFromRow(row.Person), DeletionRequestedAt: row.DeletionRequestedAt, DeletionDueAt: row.DeletionDueAt}
	if row.Person.PasswordHash != "" {
		a.PasswordSetAt = &row.Person.PasswordSetAt
	}
	if row.Person.Locale != nil {
		a.Language = *row.Person.Locale
	}
	return a, nil
}

func (s *Store) ExportConnections(ctx context.Context, personID, after string, atMost int) ([]export.Connection, error) {
	rows, err := s.q.ExportConnections(ctx, sqlc.ExportConnectionsParams{PersonID: personID, After: after, AtMost: int32(atMost)})
	if err != nil {
		return nil, errorOf("export connections", err, nil)
	}
	all := make([]export.Connection, len(rows))
	for i, row := range rows {
		c := row.Connection
		links, err := s.q.ExportLinks(ctx, c.ID)
		if err != nil {
			return nil, errorOf("export links", err, nil)
		}
		all[i] = export.Connection{
			ID: c.ID, AppID: c.AppID, AppName: row.AppName, Granted: c.GrantedScopes, Scopes: c.Scopes, CvID: c.CvID,
			CvSharing: c.CvSharing, SharePhoto: c.SharePhoto, Legacy: c.Legacy, CreatedAt: c.CreatedAt,
			PausedAt: c.PausedAt, EndsAt: c.EndsAt, EndedAt: c.EndedAt, Withheld: c.Withheld, PhotoWithheld: c.PhotoWithheld,
		}
		for _, l := range links {
			all[i].Links = append(all[i].Links, export.Link{CreatedAt: l.CreatedAt, EndedAt: l.EndedAt})
		}
	}
	return all, nil
}

func (s *Store) ExportSessions(ctx context.Context, personID string, now time.Time) ([]export.Session, error) {
	rows, err := s.q.ExportSessions(ctx, sqlc.ExportSessionsParams{PersonID: personID, At: now})
	all := make([]export.Session, len(rows))
	for i, r := range rows {
		all[i] = export.Session{
			Listed: session.Listed{
				ID: r.Session.ID, Browser: session.Browser{Name: r.Session.Browser, System: r.Session.System}, Country: r.Session.Country,
				CreatedAt: r.Session.CreatedAt, UsedAt: r.UsedAt,
			},
			Language: r.Session.Locale, ExpiresAt: r.Session.ExpiresAt, ProvenAt: r.ProvedAt,
		}
	}
	return all, errorOf("export sessions", err, nil)
}

func (s *Store) ExportPasskeys(ctx context.Context, personID string) ([]export.Passkey, error) {
	rows, err := s.q.ExportPasskeys(ctx, personID)
	all := make([]export.Passkey, len(rows))
	for i, row := range rows {
		all[i] = export.Passkey{Name: row.Name, CreatedAt: row.CreatedAt, UsedAt: row.UsedAt}
	}
	return all, errorOf("export passkeys", err, nil)
}

func (s *Store) ExportBrowsers(ctx context.Context, personID string, now time.Time) ([]export.Browser, error) {
	rows, err := s.q.ExportBrowsers(ctx, sqlc.ExportBrowsersParams{PersonID: personID, At: now})
	all := make([]export.Browser, len(rows))
	for i, row := range rows {
		all[i] = export.Browser{SignedInAt: row.SignedInAt, ExpiresAt: row.ExpiresAt, WrongPasswords: int(row.Failures)}
	}
	return all, errorOf("export browsers", err, nil)
}

func (s *Store) ExportConsoleSessions(ctx context.Context, personID string, now time.Time) ([]export.ConsoleSession, error) {
	rows, err := s.q.ExportConsoleSessions(ctx, sqlc.ExportConsoleSessionsParams{PersonID: personID, At: now})
	all := make([]export.ConsoleSession, len(rows))
	for i, row := range rows {
		all[i] = export.ConsoleSession{CreatedAt: row.CreatedAt, UsedAt: row.UsedAt, ExpiresAt: row.ExpiresAt}
	}
	return all, errorOf("export console sessions", err, nil)
}

func (s *Store) ExportInvitations(ctx context.Context, personID string, now time.Time) ([]export.Invitation, error) {
	rows, err := s.q.ExportInvitations(ctx, sqlc.ExportInvitationsParams{PersonID: personID, At: now})
	all := make([]export.Invitation, len(rows))
	for i, row := range rows {
		all[i] = export.Invitation{AccountID: row.AccountID, AccountName: row.AccountName, Role: row.Role, CreatedAt: row.CreatedAt, ExpiresAt: row.ExpiresAt}
	}
	return all, errorOf("export invitations", err, nil)
}

func (s *Store) ExportReads(ctx context.Context, connectionID string, after export.Read, atMost int) ([]export.Read, error) {
	rows, err := s.q.ExportReads(ctx, sqlc.ExportReadsParams{
		ConnectionID: connectionID, AfterDay: after.Day, AfterKind: after.Kind, AtMost: int32(atMost),
	})
	var all []export.Read
	for _, row := range rows {
		if n := len(all); n == 0 || !all[n-1].Day.Equal(row.Day) || all[n-1].Kind != row.Kind {
			all = append(all, export.Read{ConnectionID: row.ConnectionID, Day: row.Day, Kind: row.Kind, Count: row.Reads, LastAt: row.LastAt})
		}
		if last := &all[len(all)-1]; row.Country != "" {
			last.From = append(last.From, connection.ReadsFrom{Country: row.Country, Count: row.ReadsFrom})
		}
	}
	return all, errorOf("export reads", err, nil)
}

func (s *Store) ExportMemberships(ctx context.Context, personID string) ([]export.Membership, error) {
	rows, err := s.q.ExportMemberships(ctx, personID)
	all := make([]export.Membership, len(rows))
	for i, row := range rows {
		all[i] = export.Membership{AccountID: row.AccountID, AccountName: row.AccountName, Role: row.Role, CreatedAt: row.CreatedAt}
	}
	return all, errorOf("export memberships", err, nil)
}

func (s *Store) AddNotice(ctx context.Context, personID string, n *mail.Notice) error {
	return errorOf("add notice", addNotice(ctx, s.q, personID, n), nil)
}
