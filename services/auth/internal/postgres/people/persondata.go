package people

import (
	"context"
	"time"

	"vitae.internal/services/auth/internal/mail"
	"vitae.internal/services/auth/internal/oauth/connection"
	"vitae.internal/services/auth/internal/people/export"
	"vitae.internal/services/auth/internal/people/person"
	"vitae.internal/services/auth/internal/people/session"
	"vitae.internal/services/auth/internal/postgres/db"
	"vitae.internal/services/auth/internal/postgres/outbox"
	"vitae.internal/services/auth/internal/postgres/sqlc"
)

// Exports reads all of a person's data.
type Exports struct{ DB *db.DB }

func (s *Exports) ExportAccount(ctx context.Context, personID string) (export.Account, error) {
	row, err := s.DB.Q.ExportAccount(ctx, personID)
	if err != nil {
		return export.Account{}, db.ErrorOf("export account", err, person.ErrNotFound)
	}
	a := export.Account{Person: PersonFromRow(row.Person), DeletionRequestedAt: row.DeletionRequestedAt, DeletionDueAt: row.DeletionDueAt}
	if row.Person.PasswordHash != "" {
		a.PasswordSetAt = &row.Person.PasswordSetAt
	}
	if row.Person.Locale != nil {
		a.Language = *row.Person.Locale
	}
	return a, nil
}

func (s *Exports) ExportConnections(ctx context.Context, personID, after string, atMost int) ([]export.Connection, error) {
	rows, err := s.DB.Q.ExportConnections(ctx, sqlc.ExportConnectionsParams{PersonID: personID, After: after, AtMost: int32(atMost)})
	if err != nil {
		return nil, db.ErrorOf("export connections", err, nil)
	}
	all := make([]export.Connection, len(rows))
	for i, row := range rows {
		c := row.Connection
		links, err := s.DB.Q.ExportLinks(ctx, c.ID)
		if err != nil {
			return nil, db.ErrorOf("export links", err, nil)
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

func (s *Exports) ExportSessions(ctx context.Context, personID string, now time.Time) ([]export.Session, error) {
	rows, err := s.DB.Q.ExportSessions(ctx, sqlc.ExportSessionsParams{PersonID: personID, At: now})
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
	return all, db.ErrorOf("export sessions", err, nil)
}

func (s *Exports) ExportPasskeys(ctx context.Context, personID string) ([]export.Passkey, error) {
	rows, err := s.DB.Q.ExportPasskeys(ctx, personID)
	all := make([]export.Passkey, len(rows))
	for i, row := range rows {
		all[i] = export.Passkey{Name: row.Name, CreatedAt: row.CreatedAt, UsedAt: row.UsedAt}
	}
	return all, db.ErrorOf("export passkeys", err, nil)
}

func (s *Exports) ExportBrowsers(ctx context.Context, personID string, now time.Time) ([]export.Browser, error) {
	rows, err := s.DB.Q.ExportBrowsers(ctx, sqlc.ExportBrowsersParams{PersonID: personID, At: now})
	all := make([]export.Browser, len(rows))
	for i, row := range rows {
		all[i] = export.Browser{SignedInAt: row.SignedInAt, ExpiresAt: row.ExpiresAt, WrongPasswords: int(row.Failures)}
	}
	return all, db.ErrorOf("export browsers", err, nil)
}

func (s *Exports) ExportConsoleSessions(ctx context.Context, personID string, now time.Time) ([]export.ConsoleSession, error) {
	rows, err := s.DB.Q.ExportConsoleSessions(ctx, sqlc.ExportConsoleSessionsParams{PersonID: personID, At: now})
	all := make([]export.ConsoleSession, len(rows))
	for i, row := range rows {
		all[i] = export.ConsoleSession{CreatedAt: row.CreatedAt, UsedAt: row.UsedAt, ExpiresAt: row.ExpiresAt}
	}
	return all, db.ErrorOf("export console sessions", err, nil)
}

func (s *Exports) ExportInvitations(ctx context.Context, personID string, now time.Time) ([]export.Invitation, error) {
	rows, err := s.DB.Q.ExportInvitations(ctx, sqlc.ExportInvitationsParams{PersonID: personID, At: now})
	all := make([]export.Invitation, len(rows))
	for i, row := range rows {
		all[i] = export.Invitation{AccountID: row.AccountID, AccountName: row.AccountName, Role: row.Role, CreatedAt: row.CreatedAt, ExpiresAt: row.ExpiresAt}
	}
	return all, db.ErrorOf("export invitations", err, nil)
}

func (s *Exports) ExportReads(ctx context.Context, connectionID string, after export.Read, atMost int) ([]export.Read, error) {
	rows, err := s.DB.Q.ExportReads(ctx, sqlc.ExportReadsParams{
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
	return all, db.ErrorOf("export reads", err, nil)
}

func (s *Exports) ExportMemberships(ctx context.Context, personID string) ([]export.Membership, error) {
	rows, err := s.DB.Q.ExportMemberships(ctx, personID)
	all := make([]export.Membership, len(rows))
	for i, row := range rows {
		all[i] = export.Membership{AccountID: row.AccountID, AccountName: row.AccountName, Role: row.Role, CreatedAt: row.CreatedAt}
	}
	return all, db.ErrorOf("export memberships", err, nil)
}

func (s *Exports) AddNotice(ctx context.Context, personID string, n *mail.Notice) error {
	return db.ErrorOf("add notice", outbox.AddNotice(ctx, s.DB.Q, personID, n), nil)
}
