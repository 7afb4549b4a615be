// Package resumes stores the rows of uploaded resumes.
package resumes

import (
	"context"
	"time"

	"vitae.internal/pkg/audit"
	"vitae.internal/services/candidate/internal/inventory"
	"vitae.internal/services/candidate/internal/postgres/database"
	"vitae.internal/services/candidate/internal/postgres/sqlc"
	"vitae.internal/services/candidate/internal/profile"
	"vitae.internal/services/candidate/internal/resume"
)

var (
	_ resume.Store   = (*Store)(nil)
	_ inventory.Rows = (*Store)(nil)
)

// Store stores resumes.
type Store struct{ db *database.DB }

// New returns a Store.
func New(db *database.DB) *Store { return &Store{db} }

func (s *Store) AddResume(ctx context.Context, r resume.Resume) error {
	added, err := s.db.Queries.AddResume(ctx, sqlc.AddResumeParams{
		ID:          r.ID,
		PersonID:    r.PersonID,
		Filename:    r.Filename,
		ContentType: r.ContentType,
		Size:        int32(r.Size),
		BlobKey:     r.Key,
		CreatedAt:   r.CreatedAt,
	})
	if err != nil {
		return database.ErrorOf("add resume", err, nil)
	}
	if added == 0 {
		return profile.ErrProfileNotFound
	}
	audit.FromContext(ctx).Note(audit.About{PersonID: r.PersonID}) // FinishResume writes the audit event
	return nil
}

func (s *Store) FinishResume(ctx context.Context, id string, createdAfter time.Time) error {
	var finished int64
	err := s.db.Change(ctx, func(q *sqlc.Queries) (_ *audit.About, err error) {
		if finished, err = q.FinishResume(ctx, sqlc.FinishResumeParams{ID: id, CreatedAfter: createdAfter}); err != nil || finished == 0 {
			return nil, err
		}
		return &audit.About{ObjectID: id}, nil
	})
	if err != nil {
		return database.ErrorOf("finish resume", err, nil)
	}
	if finished == 0 {
		return resume.ErrNotFound
	}
	return nil
}

func (s *Store) Resume(ctx context.Context, id string) (resume.Resume, error) {
	row, err := s.db.Queries.Resume(ctx, id)
	if err != nil {
		return resume.Resume{}, database.ErrorOf("read resume", err, resume.ErrNotFound)
	}
	return resume.Resume{
		ID:          row.ID,
		PersonID:    row.PersonID,
		Filename:    row.Filename,
		ContentType: row.ContentType,
		Size:        int(row.Size),
		Key:         row.BlobKey,
		Ready:       row.Ready,
		CreatedAt:   row.CreatedAt.UTC(),
	}, nil
}

func (s *Store) GiveUpResumes(ctx context.Context, unfinished, unclaimed time.Time, atMost int) ([]resume.Resume, error) {
	rows, err := s.db.Queries.GiveUpResumes(ctx, sqlc.GiveUpResumesParams{UnfinishedBefore: unfinished, UnclaimedBefore: unclaimed, AtMost: int32(atMost)})
	if err != nil {
		return nil, database.ErrorOf("give up resumes", err, nil)
	}
	given := make([]resume.Resume, len(rows))
	for i, row := range rows {
		given[i] = resume.Resume{ID: row.ID, Key: row.BlobKey}
	}
	return given, nil
}

func (s *Store) DeleteResume(ctx context.Context, id string) error {
	return database.ErrorOf("delete resume", s.db.Queries.DeleteResume(ctx, id), nil)
}

func (s *Store) ReadyResumes(ctx context.Context, after string, atMost int) ([]inventory.Row, error) {
	rows, err := s.db.Queries.ReadyResumes(ctx, sqlc.ReadyResumesParams{After: after, AtMost: int32(atMost)})
	if err != nil {
		return nil, database.ErrorOf("read ready resumes", err, nil)
	}
	ready := make([]inventory.Row, len(rows))
	for i, row := range rows {
		ready[i] = inventory.Row{ID: row.ID, ApplicationID: row.ApplicationID, Key: row.BlobKey, Size: int64(row.Size)}
	}
	return ready, nil
}

func (s *Store) UnknownResumes(ctx context.Context, ids []string) ([]string, error) {
	unknown, err := s.db.Queries.UnknownResumes(ctx, ids)
	return unknown, database.ErrorOf("look for resumes", err, nil)
}
