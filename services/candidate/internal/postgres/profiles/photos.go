package profiles

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"vitae.internal/services/candidate/internal/postgres/database"
	"vitae.internal/services/candidate/internal/postgres/sqlc"
	"vitae.internal/services/candidate/internal/profile"
)

func (s *Store) KeptPhoto(ctx context.Context, personID string) ([]byte, error) {
	return KeptPhoto(ctx, s.db.Queries, personID)
}

// KeptPhoto returns a person's stored picture, or nil if there is none.
func KeptPhoto(ctx context.Context, q *sqlc.Queries, personID string) ([]byte, error) {
	row, err := q.Photo(ctx, personID)
	if errors.Is(err, pgx.ErrNoRows) || err == nil && row.AvatarUrl != profile.KeptPhoto {
		return nil, nil
	}
	return row.Jpeg, database.ErrorOf("read photo", err, nil)
}

// keepPhoto stores the picture in p, or deletes the stored one if p has none. The row of the profile
// must be locked.
func keepPhoto(ctx context.Context, q *sqlc.Queries, p profile.Profile) error {
	if p.Photo == nil {
		return database.ErrorOf("drop photo", q.DropPhoto(ctx, p.ID), nil)
	}
	return database.ErrorOf("keep photo", q.KeepPhoto(ctx, sqlc.KeepPhotoParams{PersonID: p.ID, Jpeg: p.Photo}), nil)
}
