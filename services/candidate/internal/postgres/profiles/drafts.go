package profiles

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"vitae.internal/services/candidate/internal/postgres/database"
	"vitae.internal/services/candidate/internal/postgres/sqlc"
	"vitae.internal/services/candidate/internal/profile"
)

func draftFromRow(row sqlc.Draft) profile.Draft {
	return profile.Draft{
		PersonID: row.PersonID, Document: row.Document, Form: row.Form, Version: row.Version, Revision: row.Revision, SavedAt: row.SavedAt.UTC(),
	}
}

func (s *Store) Draft(ctx context.Context, personID, document string) (profile.Draft, error) {
	row, err := s.db.Queries.Draft(ctx, sqlc.DraftParams{PersonID: personID, Document: document})
	if errors.Is(err, pgx.ErrNoRows) {
		return profile.Draft{}, nil
	}
	return draftFromRow(row), database.ErrorOf("read draft", err, nil)
}

func (s *Store) DraftsOf(ctx context.Context, personID string) ([]profile.Draft, error) {
	rows, err := s.db.Queries.DraftsOf(ctx, personID)
	all := make([]profile.Draft, len(rows))
	for i, row := range rows {
		all[i] = draftFromRow(row)
	}
	return all, database.ErrorOf("read drafts", err, nil)
}

func (s *Store) SaveDraft(ctx context.Context, d profile.Draft) (revision int64, err error) {
	err = s.db.InTransaction(ctx, "save draft", func(t database.Transaction) error {
		version, err := lockVersion(ctx, t.Queries, d.PersonID, d.Document)
		if err != nil {
			return err
		}
		if version != d.Version {
			return profile.ErrVersionConflict
		}
		revision, err = t.Queries.SaveDraft(ctx, sqlc.SaveDraftParams{
			PersonID: d.PersonID, Document: d.Document, Form: d.Form, Version: d.Version, Revision: d.Revision, SavedAt: d.SavedAt,
		})
		return database.ErrorOf("save draft", err, profile.ErrVersionConflict)
	})
	return revision, err
}

// lockVersion locks a profile or a CV and returns its version.
func lockVersion(ctx context.Context, q *sqlc.Queries, personID, document string) (int64, error) {
	if document == profile.MainCvID {
		held, err := q.LockProfile(ctx, personID)
		return held.Version, database.ErrorOf("lock profile", err, profile.ErrProfileNotFound)
	}
	held, err := lockCv(ctx, q, personID, document)
	return held.Version, err
}

func (s *Store) DropDraft(ctx context.Context, d profile.Draft) error {
	_, err := s.db.Queries.DropDraft(ctx, sqlc.DropDraftParams{PersonID: d.PersonID, Document: d.Document, Revision: d.Revision})
	return database.ErrorOf("delete draft", err, nil)
}

// replaceDraft deletes the draft on which a save is based. The profile or CV must be locked, so no other
// draft can be written concurrently. It returns profile.ErrVersionConflict if the draft has a different
// revision.
func replaceDraft(ctx context.Context, q *sqlc.Queries, personID, document string, revision int64) error {
	if _, err := q.DropDraft(ctx, sqlc.DropDraftParams{PersonID: personID, Document: document, Revision: revision}); err != nil {
		return database.ErrorOf("delete draft", err, nil)
	}
	switch _, err := q.Draft(ctx, sqlc.DraftParams{PersonID: personID, Document: document}); {
	case err == nil:
		return profile.ErrVersionConflict
	case errors.Is(err, pgx.ErrNoRows):
		return nil
	default:
		return database.ErrorOf("read draft", err, nil)
	}
}
