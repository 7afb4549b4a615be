package oauth

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"vitae.internal/pkg/audit"
	"vitae.internal/services/auth/internal/credentials/revocation"
	"vitae.internal/services/auth/internal/oauth/authorize"
	"vitae.internal/services/auth/internal/oauth/connection"
	"vitae.internal/services/auth/internal/oauth/scope"
	"vitae.internal/services/auth/internal/people/session"
	"vitae.internal/services/auth/internal/postgres/db"
	"vitae.internal/services/auth/internal/postgres/outbox"
	"vitae.internal/services/auth/internal/postgres/platform"
	"vitae.internal/services/auth/internal/postgres/sqlc"
)

// Consent implements authorize.Store. It locks the app. A concurrent change to the app therefore either waits for
// this consent, or has been committed and is taken into account by the check.
func (s *Grants) Consent(ctx context.Context, c authorize.Consent, now time.Time) (revocation.Entry, error) {
	var entry revocation.Entry
	err := s.DB.TxInTime(ctx, "consent", func(t db.Transaction) error {
		q := t.Queries
		kept, err := q.KeepApp(ctx, c.AppID)
		if err != nil {
			return db.ErrorOf("keep app", err, authorize.ErrAppChanged)
		}
		if err := c.StillAllowed(platform.AppFromRow(kept.App)); err != nil {
			return err
		}
		before, err := endLost(ctx, q, c, kept.App, now)
		if err != nil {
			return err
		}
		if c.Keep {
			if !before.Allows(c.Scopes) {
				return authorize.ErrConsentNeeded
			}
			c.Scopes = c.Scopes.And(before.Granted)
			if err := keepConsent(ctx, t, c, before, kept.App, now); err != nil {
				return err
			}
			entry, err = enqueueConsent(ctx, q, before, before, now)
			return err
		}
		put, err := q.PutConnection(ctx, sqlc.PutConnectionParams{
			ID: c.ConnectionID, PersonID: c.PersonID, AppID: c.AppID, Legacy: c.Legacy, GrantedScopes: db.List(c.Scopes),
			ScopesVersion: kept.App.ScopesVersion, DeclinedScopes: db.List(c.Declined), CvID: c.CvID, SharePhoto: c.SharePhoto, CreatedAt: now,
		})
		if err != nil {
			return err
		}
		if err := issueCode(ctx, q, c, put.Connection.ID, kept.App, now); err != nil {
			return err
		}
		if err := putLink(ctx, q, put.Connection.ID, c, now); err != nil {
			return err
		}
		if err := outbox.AddNotice(ctx, q, c.PersonID, c.Notice(before, connectionFromRow(put.Connection, kept.App))); err != nil {
			return err
		}
		if err := t.Record(ctx, aboutConnection(put.Connection, kept.App, db.ScopeDetails(c.Scopes))); err != nil || put.Created {
			return err
		}
		entry, err = enqueueConsent(ctx, q, before, connectionFromRow(put.Connection, kept.App), now)
		return err
	})
	return entry, err
}

// keepConsent issues a code for a connection that remains unchanged. If the app requests the CV and the connection
// shares it, but the durable link has ended together with earlier tokens, keepConsent also creates a new link.
func keepConsent(ctx context.Context, t db.Transaction, c authorize.Consent, live connection.Connection, app sqlc.App, now time.Time) error {
	if err := issueCode(ctx, t.Queries, c, live.ID, app, now); err != nil {
		return err
	}
	if c.SharesCV() {
		if err := putLink(ctx, t.Queries, live.ID, c, now); err != nil {
			return err
		}
	}
	details := db.ScopeDetails(c.Scopes)
	details[audit.Kept] = "yes"
	return t.Record(ctx, audit.About{
		By: audit.ByPerson(c.PersonID), PersonID: c.PersonID, AppID: c.AppID, AccountID: app.AccountID, ObjectID: live.ID, Details: details,
	})
}

// issueCode stores the authorization code for a consent. Errors: session.ErrEnded.
func issueCode(ctx context.Context, q *sqlc.Queries, c authorize.Consent, connectionID string, app sqlc.App, now time.Time) error {
	issued, err := q.IssueCode(ctx, sqlc.IssueCodeParams{
		Hash: c.CodeHash[:], AppID: c.AppID, ConnectionID: connectionID, RedirectUri: c.RedirectURI,
		CodeChallenge: c.CodeChallenge, Scopes: db.List(c.Scopes), CreatedAt: now, ExpiresAt: c.CodeExpiresAt,
		OfConsole: app.IsConsole, SessionHash: c.Session[:],
	})
	if err == nil && issued == 0 {
		err = session.ErrEnded
	}
	return err
}

// endLost locks and returns the existing consent that is about to be replaced, if there is one. If the app has lost
// the scope for the photo URL or the durable link, endLost ends it, so that the new consent doesn't make it work
// again (behaviour: apps#a-scope-that-an-app-loses).
func endLost(ctx context.Context, q *sqlc.Queries, c authorize.Consent, app sqlc.App, now time.Time) (connection.Connection, error) {
	row, err := q.LockConsent(ctx, sqlc.LockConsentParams{PersonID: c.PersonID, AppID: c.AppID, Legacy: c.Legacy})
	if errors.Is(err, pgx.ErrNoRows) {
		return connection.Connection{}, nil
	}
	if err != nil {
		return connection.Connection{}, err
	}
	before := connectionFromRow(row.Connection, app)
	if before.EndsAt != nil && !before.EndsAt.After(now) { // the connection has reached its end date, but the job has not ended the row yet
		return connection.Connection{}, endConnections(ctx, q, []string{before.ID}, now)
	}
	granted := shownUnlessPaused(row.Connection)
	held := platform.HeldScopes(granted, row.Connection.ScopesVersion, app)
	if granted.SharesCV() && !held.SharesCV() {
		if err := q.EndLinks(ctx, sqlc.EndLinksParams{ConnectionID: before.ID, At: now}); err != nil {
			return before, err
		}
	}
	if granted.ShowsPhoto() && !held.ShowsPhoto() {
		return before, q.EndPhotoAddress(ctx, before.ID)
	}
	return before, nil
}

// shownUnlessPaused returns the scopes that would be in force if the connection were not paused. A consent ends the
// pause.
func shownUnlessPaused(c sqlc.Connection) scope.Set {
	return slices.DeleteFunc(scope.Stored(c.GrantedScopes), func(s string) bool {
		return slices.Contains(c.Withheld, s) || !c.CvSharing && (s == scope.CVRead || s == scope.CVContact)
	})
}

// enqueueConsent writes an entry for the session records of a connection that a new consent has updated. If the
// consent is unchanged, it returns the pending entry of an earlier change, or the zero entry if there is none.
func enqueueConsent(ctx context.Context, q *sqlc.Queries, before, after connection.Connection, now time.Time) (revocation.Entry, error) {
	if after.SameConsent(before) {
		row, err := q.PendingConnectionRevocation(ctx, sqlc.PendingConnectionRevocationParams{ConnectionID: after.ID, PersonID: after.PersonID})
		return outbox.PendingEntry(row.RevocationEntry, err, nil)
	}
	return outbox.EnqueueConnection(ctx, q, after.App.AccountID, after.ID, now)
}

// putLink creates or ends the durable link as the consent requires.
func putLink(ctx context.Context, q *sqlc.Queries, connectionID string, c authorize.Consent, now time.Time) error {
	if !c.SharesCV() {
		return q.EndLinks(ctx, sqlc.EndLinksParams{ConnectionID: connectionID, At: now})
	}
	return q.MakeLink(ctx, sqlc.MakeLinkParams{ID: c.LinkID, Hash: c.LinkHash[:], ConnectionID: connectionID, At: now})
}
