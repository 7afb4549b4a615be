package applications

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"vitae.internal/services/candidate/internal/application"
	"vitae.internal/services/candidate/internal/cv"
	"vitae.internal/services/candidate/internal/detail"
	"vitae.internal/services/candidate/internal/postgres/database"
	"vitae.internal/services/candidate/internal/postgres/profiles"
	"vitae.internal/services/candidate/internal/postgres/sqlc"
	"vitae.internal/services/candidate/internal/profile"
)

func (s *Store) Detail(ctx context.Context, appID, id string) (detail.Stored, error) {
	row, err := s.db.Queries.ApplicationDetail(ctx, sqlc.ApplicationDetailParams{ID: id, AppID: appID})
	if errors.Is(err, pgx.ErrNoRows) {
		return detail.Stored{}, s.whyNone(ctx, id)
	}
	if err != nil {
		return detail.Stored{}, database.ErrorOf("read application", err, nil)
	}
	return detailFromRow(row)
}

// whyNone returns the error for an app that got no row, because either the application does not
// exist or the app does not manage its company.
func (s *Store) whyNone(ctx context.Context, id string) error {
	exists, err := s.db.Queries.ApplicationExists(ctx, id)
	switch {
	case err != nil:
		return database.ErrorOf("read application", err, nil)
	case exists:
		return application.ErrNotManaged
	}
	return application.ErrApplicationNotFound
}

func detailFromRow(row sqlc.ApplicationDetailRow) (detail.Stored, error) {
	a, err := FromRow(row.Application)
	if err != nil {
		return detail.Stored{}, err
	}
	content, err := cv.Decode(row.Content)
	if err != nil {
		return detail.Stored{}, err
	}
	stored := detail.Stored{
		Row: application.Row{
			Application: a,
			Candidate: application.Candidate{
				PersonID: a.PersonID, Name: row.Name, Username: row.Username,
				Email: row.Email, Headline: row.Headline, HasPhoto: row.HasPhoto,
			},
		},
		CoverLetter: row.CoverLetter,
		Main: detail.Main{
			Content: content, IsCv: row.HasMainCv,
			CreatedAt: row.ProfileCreatedAt.UTC(), UpdatedAt: row.ProfileUpdatedAt.UTC(),
		},
	}
	if a.Cv != nil {
		stored.Frozen = &application.FrozenCv{CvReference: *a.Cv, CreatedAt: row.CvCreatedAt.UTC()}
		if stored.Frozen.Content, err = cv.Decode(row.CvContent); err != nil {
			return detail.Stored{}, err
		}
	}
	if row.BlobKey != nil {
		stored.Resume = &detail.File{Key: *row.BlobKey, Filename: *row.Filename}
	}
	return stored, nil
}

func (s *Store) Others(ctx context.Context, personID, except string, maxBytes int64) ([]profile.Cv, error) {
	rows, err := s.db.Queries.OtherCvs(ctx, sqlc.OtherCvsParams{PersonID: personID, ExceptID: except, MaxBytes: maxBytes})
	if err != nil {
		return nil, database.ErrorOf("read other CVs", err, nil)
	}
	return profiles.CvsFromRows(rows)
}
