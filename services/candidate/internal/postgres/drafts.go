package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"vitae.internal/services/candidate/internal/postgres/sqlc"
	"vitae.internal/services/candidate/internal/profile"
)

func draftFromRow(row sqlc.Draft) profile.Draft {
	return profile.Draft{
		PersonID: row.PersonID, Document: row.Document, Form: row.Form, Version: row.Version, Revision: row.Revision, SavedAt: row.SavedAt.UTC(),
	}
}

func (s *Store) Draft(ctx context.Context, personID, document string) (profile.Draft, error) {
	row, err := s.q.Draft(ctx, sqlc.DraftParams{PersonID: personID, Document: document})
	if errors.Is(err, pgx.ErrNoRows) {
		return profile.Draft{}, nil
	}
	return draftFromRow(row), errorOf("read draft", err, nil)
}

func (s *Store) DraftsOf(ctx context.Context, personID string) ([]profile.Draft, error) {
	rows, err := s.q.DraftsOf(ctx, personID)
	all := make([]profile.Draft, len(rows))
	for i, row := range rows {
		all[i] = draftFromRow(row)
	}
	return all, errorOf("read drafts", err, nil)
}

func (s *Store) SaveDraft(ctx context.Context, d profile.Draft) (revision int64, err error) {
	err = s.tx(ctx, "save draft", func(t transaction) error {
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
		return errorOf("save draft", err, profile.ErrVersionConflict)
	})
	return revision, err
}

// lockVersion returns the version of a profile or a CV, which holds until the transaction ends.
func lockVersion(ctx context.Context, q *sqlc.Queries, personID, document string) (int64, error) {
	if document == profile.MainCvID {
		held, err := q.LockProfile(ctx, personID)
		return held.Version, errorOf("lock profile", err, profile.ErrProfileNotFound)
	}
	held, err := lockCv(ctx, q, personID, document)
	return held.Version, err
}

func (s *Store) DropDraft(ctx context.Context, d profile.Draft) error {
	_, err := s.q.DropDraft(ctx, sqlc.DropDraftParams{PersonID: d.PersonID, Document: d.Document, Revision: d.Revision})
	return errorOf("delete draft", err, nil)
}

// replaceDraft deletes the draft that a save was made from. The profile or CV is locked, so no other
// draft is written in the meantime. Errors: profile.ErrVersionConflict if there is a draft of another revision.
func replaceDraft(ctx context.Context, q *sqlc.Queries, personID, document string, revision int64) error {
	if _, err := q.DropDraft(ctx, sqlc.DropDraftParams{PersonID: personID, Document: document, Revision: revision}); err != nil {
		return errorOf("delete draft", err, nil)
	}
	switch _, err := q.Draft(ctx, sqlc.DraftParams{PersonID: personID, Document: document}); {
	case err == nil:
		return profile.ErrVersionConflict
	case errors.Is(err, pgx.ErrNoRows):
		return nil
	default:
		return errorOf("read draft", err, nil)
	}
}
