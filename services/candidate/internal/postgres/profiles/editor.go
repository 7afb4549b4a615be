package profiles

import (
	"context"

	"vitae.internal/pkg/audit"
	"vitae.internal/services/candidate/internal/cv"
	"vitae.internal/services/candidate/internal/postgres/database"
	"vitae.internal/services/candidate/internal/postgres/sqlc"
	"vitae.internal/services/candidate/internal/profile"
)

func (s *Store) ProfileVersion(ctx context.Context, personID string) (int64, error) {
	version, err := s.db.Queries.ProfileVersion(ctx, personID)
	return version, database.ErrorOf("read version of profile", err, profile.ErrProfileNotFound)
}

func (s *Store) SaveProfile(ctx context.Context, p profile.Profile, fields []profile.Field, from profile.From) (saved int64, err error) {
	err = s.db.InTransaction(ctx, "save profile", func(t database.Transaction) error {
		before, err := lockVersion(ctx, t.Queries, p.ID, profile.MainCvID)
		if err != nil {
			return err
		}
		if from.Version != profile.AnyVersion {
			if before != from.Version {
				return profile.ErrVersionConflict
			}
			if err := replaceDraft(ctx, t.Queries, p.ID, profile.MainCvID, from.Draft); err != nil {
				return err
			}
		}
		if _, err := updateProfile(ctx, t, p, fields); err != nil {
			return err
		}
		if saved, err = t.Queries.ProfileVersion(ctx, p.ID); err != nil {
			return database.ErrorOf("read version of profile", err, nil)
		}
		if from.Version != profile.AnyVersion {
			return nil
		}
		// Drafts do not contain the photo, so a new photo does not make a draft outdated.
		return database.ErrorOf("carry draft", t.Queries.CarryDraft(ctx, sqlc.CarryDraftParams{
			PersonID: p.ID, Document: profile.MainCvID, Version: before, NewVersion: saved,
		}), nil)
	})
	return saved, err
}

func (s *Store) OwnCv(ctx context.Context, personID, cvID string) (profile.Cv, int64, error) {
	row, err := s.db.Queries.Cv(ctx, cvID)
	if err != nil {
		return profile.Cv{}, 0, database.ErrorOf("read CV", err, profile.ErrCvNotFound)
	}
	if row.PersonID != personID {
		return profile.Cv{}, 0, profile.ErrCvNotFound
	}
	found, err := cvFromRow(row)
	return found, row.Version, err
}

func (s *Store) SaveCv(ctx context.Context, c profile.Cv, from profile.From) (saved int64, err error) {
	content, err := cv.Encode(c.Content)
	if err != nil {
		return 0, err
	}
	err = s.db.InTransaction(ctx, "save CV", func(t database.Transaction) error {
		held, err := lockCv(ctx, t.Queries, c.PersonID, c.ID)
		if err != nil {
			return err
		}
		if held.Version != from.Version {
			return profile.ErrVersionConflict
		}
		if err := replaceDraft(ctx, t.Queries, c.PersonID, c.ID, from.Draft); err != nil {
			return err
		}
		row, err := t.Queries.UpdateCv(ctx, sqlc.UpdateCvParams{ID: c.ID, Title: &c.Title, Content: content, UpdatedAt: c.UpdatedAt})
		if err != nil {
			return database.ErrorOf("update CV", err, nil)
		}
		saved = row.Version
		return t.Record(ctx, audit.About{PersonID: c.PersonID, ObjectID: c.ID})
	})
	return saved, err
}

func (s *Store) DeleteOwnCv(ctx context.Context, personID, cvID string) error {
	return s.db.InTransaction(ctx, "delete own CV", func(t database.Transaction) error {
		if _, err := lockCv(ctx, t.Queries, personID, cvID); err != nil {
			return err
		}
		if _, err := t.Queries.DeleteCv(ctx, cvID); err != nil {
			return database.ErrorOf("delete CV", err, nil)
		}
		return t.Record(ctx, audit.About{PersonID: personID, ObjectID: cvID})
	})
}

// MakeMain locks the CV before the profile. Deleting a CV locks them in the same order, so the two cannot
// deadlock.
func (s *Store) MakeMain(ctx context.Context, cvID string, kept profile.Cv, become func(main, chosen *cv.Content) *cv.Content) error {
	return s.db.InTransaction(ctx, "make main CV", func(t database.Transaction) error {
		row, err := lockCv(ctx, t.Queries, kept.PersonID, cvID)
		if err != nil {
			return err
		}
		held, err := t.Queries.LockProfile(ctx, kept.PersonID)
		if err != nil {
			return database.ErrorOf("lock profile", err, nil)
		}
		main, err := cv.Decode(held.Content)
		if err != nil {
			return err
		}
		chosen, err := cvFromRow(row)
		if err != nil {
			return err
		}
		if held.HasMainCv {
			kept.Content = main
			kept.Template = profile.Template(held.CvTemplate)
			if err := keepMain(ctx, t, kept); err != nil {
				return err
			}
		}
		p := profile.Profile{Person: profile.Person{ID: kept.PersonID, UpdatedAt: kept.UpdatedAt}, Content: become(main, chosen.Content)}
		p.HasMainCv = cv.HasCV(p.Content)
		if _, err = updateProfile(ctx, t, p, []profile.Field{profile.FieldContent}); err != nil {
			return err
		}
		_, err = t.Queries.ChooseMainTemplate(ctx, sqlc.ChooseMainTemplateParams{PersonID: kept.PersonID, Template: row.Template})
		return database.ErrorOf("keep the template", err, nil)
	})
}

// keepMain stores the previous main CV as a separate CV.
func keepMain(ctx context.Context, t database.Transaction, kept profile.Cv) error {
	content, err := cv.Encode(kept.Content)
	if err != nil {
		return err
	}
	created, err := t.Queries.CreateCv(ctx, sqlc.CreateCvParams{
		ID: kept.ID, PersonID: kept.PersonID, Title: kept.Title, Content: content,
		CreatedAt: kept.CreatedAt, UpdatedAt: kept.UpdatedAt, MaxCvs: profile.MaxCvs,
	})
	if err != nil {
		return database.ErrorOf("keep main CV", err, nil)
	}
	if created == 0 {
		return profile.ErrTooManyCvs
	}
	if _, err := t.Queries.ChooseTemplate(ctx, sqlc.ChooseTemplateParams{PersonID: kept.PersonID, ID: kept.ID, Template: string(kept.Template)}); err != nil {
		return database.ErrorOf("keep the template", err, nil)
	}
	return t.Record(ctx, audit.About{Action: audit.CVCreate, PersonID: kept.PersonID, Object: audit.Object{Type: "cv", ID: kept.ID}})
}

// lockCv locks and returns one of a person's CVs. It returns profile.ErrCvNotFound if the person has no such
// CV.
func lockCv(ctx context.Context, q *sqlc.Queries, personID, cvID string) (sqlc.Cv, error) {
	row, err := q.LockCv(ctx, sqlc.LockCvParams{ID: cvID, PersonID: personID})
	return row, database.ErrorOf("lock CV", err, profile.ErrCvNotFound)
}
