package profiles

import (
	"context"

	"vitae.internal/pkg/audit"
	"vitae.internal/services/candidate/internal/postgres/database"
	"vitae.internal/services/candidate/internal/postgres/sqlc"
	"vitae.internal/services/candidate/internal/profile"
)

func (s *Store) Documents(ctx context.Context, personID string) ([]profile.Document, error) {
	rows, err := s.db.Queries.Documents(ctx, personID)
	if err != nil {
		return nil, database.ErrorOf("list documents", err, nil)
	}
	var documents []profile.Document
	for i, row := range rows {
		if i == 0 && row.HasMainCv {
			documents = append(documents, profile.Document{
				CvReference: profile.CvReference{ID: profile.MainCvID, Title: profile.MainCvTitle, UpdatedAt: row.ProfileUpdatedAt.UTC()},
				Template:    profile.Template(row.CvTemplate),
			})
		}
		if row.ID != nil {
			documents = append(documents, profile.Document{
				CvReference: profile.CvReference{ID: *row.ID, Title: *row.Title, UpdatedAt: row.UpdatedAt.UTC()},
				Template:    profile.Template(*row.Template),
			})
		}
	}
	return documents, nil
}

func (s *Store) ChooseTemplate(ctx context.Context, personID, cvID string, t profile.Template) error {
	return database.ErrorOf("choose template", s.db.Change(ctx, func(q *sqlc.Queries) (_ *audit.About, err error) {
		var chosen int64
		if cvID == profile.MainCvID {
			chosen, err = q.ChooseMainTemplate(ctx, sqlc.ChooseMainTemplateParams{PersonID: personID, Template: string(t)})
		} else {
			chosen, err = q.ChooseTemplate(ctx, sqlc.ChooseTemplateParams{PersonID: personID, ID: cvID, Template: string(t)})
		}
		if err == nil && chosen == 0 {
			err = profile.ErrCvNotFound
		}
		return &audit.About{By: audit.ByPerson(personID), PersonID: personID, ObjectID: cvID}, err
	}), nil)
}
