package profiles

import (
	"context"

	"vitae.internal/pkg/audit"
	"vitae.internal/services/candidate/internal/cv"
	"vitae.internal/services/candidate/internal/postgres/database"
	"vitae.internal/services/candidate/internal/postgres/sqlc"
	"vitae.internal/services/candidate/internal/profile"
)

func (s *Store) CreateCv(ctx context.Context, c profile.Cv) error {
	content, err := cv.Encode(c.Content)
	if err != nil {
		return err
	}
	params := sqlc.CreateCvParams{
		ID:        c.ID,
		PersonID:  c.PersonID,
		Title:     c.Title,
		Content:   content,
		CreatedAt: c.CreatedAt,
		UpdatedAt: c.UpdatedAt,
		MaxCvs:    profile.MaxCvs,
	}
	var created int64
	err = s.db.Change(ctx, func(q *sqlc.Queries) (_ *audit.About, err error) {
		if created, err = q.CreateCv(ctx, params); err != nil || created == 0 {
			return nil, err
		}
		return &audit.About{PersonID: c.PersonID, ObjectID: c.ID}, nil
	})
	if err != nil {
		return database.ErrorOf("create CV", err, nil)
	}
	if created == 1 {
		return nil
	}
	exists, err := s.db.Queries.ProfileExists(ctx, c.PersonID)
	if err != nil {
		return database.ErrorOf("create CV", err, nil)
	}
	if !exists {
		return profile.ErrProfileNotFound
	}
	return profile.ErrTooManyCvs
}

func (s *Store) Cv(ctx context.Context, id string) (profile.Cv, error) {
	row, err := s.db.Queries.Cv(ctx, id)
	if err != nil {
		return profile.Cv{}, database.ErrorOf("read CV", err, profile.ErrCvNotFound)
	}
	return cvFromRow(row)
}

func (s *Store) CvsOf(ctx context.Context, personID string) ([]profile.Cv, error) {
	rows, err := s.db.Queries.CvsOf(ctx, personID)
	if err != nil {
		return nil, database.ErrorOf("read CVs of a person", err, nil)
	}
	return CvsFromRows(rows)
}

func (s *Store) UpdateCv(ctx context.Context, change profile.CvChange) (profile.Cv, error) {
	params := sqlc.UpdateCvParams{ID: change.ID, UpdatedAt: change.UpdatedAt}
	if change.NewTitle {
		params.Title = &change.Title
	}
	if change.NewContent {
		content, err := cv.Encode(change.Content)
		if err != nil {
			return profile.Cv{}, err
		}
		params.Content = content
	}
	var row sqlc.Cv
	err := s.db.Change(ctx, func(q *sqlc.Queries) (_ *audit.About, err error) {
		row, err = q.UpdateCv(ctx, params)
		return &audit.About{PersonID: row.PersonID, ObjectID: change.ID}, err
	})
	if err != nil {
		return profile.Cv{}, database.ErrorOf("update CV", err, profile.ErrCvNotFound)
	}
	return cvFromRow(row)
}

func (s *Store) DeleteCv(ctx context.Context, id string) error {
	return database.ErrorOf("delete CV", s.db.Change(ctx, func(q *sqlc.Queries) (*audit.About, error) {
		personID, err := q.DeleteCv(ctx, id)
		return &audit.About{PersonID: personID, ObjectID: id}, err
	}), profile.ErrCvNotFound)
}

func (s *Store) Choice(ctx context.Context, personID string) (profile.Choice, error) {
	rows, err := s.db.Queries.Choice(ctx, personID)
	if err != nil {
		return profile.Choice{}, database.ErrorOf("list CVs", err, nil)
	}
	var choice profile.Choice
	for i, row := range rows {
		if i == 0 {
			choice.Name, choice.HasPhoto, choice.Drafts = row.Name, row.HasPhoto, row.Drafts
			if row.HasMainCv {
				choice.Cvs = append(choice.Cvs, profile.CvReference{
					ID: profile.MainCvID, Title: profile.MainCvTitle, UpdatedAt: row.ProfileUpdatedAt.UTC(),
				})
			}
		}
		if row.ID != nil {
			choice.Cvs = append(choice.Cvs, profile.CvReference{ID: *row.ID, Title: *row.Title, UpdatedAt: row.UpdatedAt.UTC()})
		}
	}
	return choice, nil
}

// CvsFromRows converts rows to CVs.
func CvsFromRows(rows []sqlc.Cv) ([]profile.Cv, error) {
	cvs := make([]profile.Cv, len(rows))
	for i, row := range rows {
		var err error
		if cvs[i], err = cvFromRow(row); err != nil {
			return nil, err
		}
	}
	return cvs, nil
}

func cvFromRow(row sqlc.Cv) (profile.Cv, error) {
	content, err := cv.Decode(row.Content)
	if err != nil {
		return profile.Cv{}, err
	}
	return profile.Cv{
		ID:        row.ID,
		PersonID:  row.PersonID,
		Title:     row.Title,
		Content:   content,
		CreatedAt: row.CreatedAt.UTC(),
		UpdatedAt: row.UpdatedAt.UTC(),
		Template:  profile.Template(row.Template),
	}, nil
}
