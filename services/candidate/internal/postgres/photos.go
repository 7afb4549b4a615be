package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"vitae.internal/services/candidate/internal/photo"
	"vitae.internal/services/candidate/internal/postgres/sqlc"
	"vitae.internal/services/candidate/internal/profile"
)

var _ photo.Store = (*Store)(nil)

func (s *Store) Photo(ctx context.Context, personID string) (photo.Stored, error) {
	row, err := s.q.Photo(ctx, personID)
	if err != nil {
		return photo.Stored{}, errorOf("read photo", err, photo.ErrNotFound)
	}
	return photo.Stored{Address: row.AvatarUrl, JPEG: row.Jpeg}, nil
}

func (s *Store) KeptPhoto(ctx context.Context, personID string) ([]byte, error) {
	return keptPhoto(ctx, s.q, personID)
}

// keptPhoto gives the picture that is kept for a person, nil if there is none.
func keptPhoto(ctx context.Context, q *sqlc.Queries, personID string) ([]byte, error) {
	row, err := q.Photo(ctx, personID)
	if errors.Is(err, pgx.ErrNoRows) || err == nil && row.AvatarUrl != profile.KeptPhoto {
		return nil, nil
	}
	return row.Jpeg, errorOf("read photo", err, nil)
}

// keepPhoto writes the picture that belongs to the avatar_url of p, or removes the one
// that no longer does. Call it with the profile's row locked.
func keepPhoto(ctx context.Context, q *sqlc.Queries, p profile.Profile) error {
	if p.Photo == nil {
		return errorOf("drop photo", q.DropPhoto(ctx, p.ID), nil)
	}
	return errorOf("keep photo", q.KeepPhoto(ctx, sqlc.KeepPhotoParams{PersonID: p.ID, Jpeg: p.Photo}), nil)
}
