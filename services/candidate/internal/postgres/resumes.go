package postgres

import (
	"context"
	"time"

	"vitae.internal/pkg/audit"
	"vitae.internal/services/candidate/internal/inventory"
	"vitae.internal/services/candidate/internal/postgres/sqlc"
	"vitae.internal/services/candidate/internal/profile"
	"vitae.internal/services/candidate/internal/resume"
)

var (
	_ resume.Store   = (*Store)(nil)
	_ inventory.Rows = (*Store)(nil)
)

func (s *Store) AddResume(ctx context.Context, r resume.Resume) error {
	added, err := s.q.AddResume(ctx, sqlc.AddResumeParams{
		ID:          r.ID,
		PersonID:    r.PersonID,
		Filename:    r.Filename,
		ContentType: r.ContentType,
		Size:        int32(r.Size),
		BlobKey:     r.Key,
		CreatedAt:   r.CreatedAt,
	})
	if err != nil {
		return errorOf("add resume", err, nil)
	}
	if added == 0 {
		return profile.ErrProfileNotFound
	}
	audit.FromContext(ctx).Note(audit.About{PersonID: r.PersonID}) // the event comes when the resume is complete
	return nil
}

func (s *Store) FinishResume(ctx context.Context, id string, createdAfter time.Time) error {
	var finished int64
	err := s.changed(ctx, func(q *sqlc.Queries) (_ *audit.About, err error) {
		if finished, err = q.FinishResume(ctx, sqlc.FinishResumeParams{ID: id, CreatedAfter: createdAfter}); err != nil || finished == 0 {
			return nil, err
		}
		return &audit.About{ObjectID: id}, nil
	})
	if err != nil {
		return errorOf("finish resume", err, nil)
	}
	if finished == 0 {
		return resume.ErrNotFound
	}
	return nil
}

func (s *Store) Resume(ctx context.Context, id string) (resume.Resume, error) {
	row, err := s.q.Resume(ctx, id)
	if err != nil {
		return resume.Resume{}, errorOf("read resume", err, resume.ErrNotFound)
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
	rows, err := s.q.GiveUpResumes(ctx, sqlc.GiveUpResumesParams{UnfinishedBefore: unfinished, UnclaimedBefore: unclaimed, AtMost: int32(atMost)})
	if err != nil {
		return nil, errorOf("give up resumes", err, nil)
	}
	given := make([]resume.Resume, len(rows))
	for i, row := range rows {
		given[i] = resume.Resume{ID: row.ID, Key: row.BlobKey}
	}
	return given, nil
}

func (s *Store) DeleteResume(ctx context.Context, id string) error {
	return errorOf("delete resume", s.q.DeleteResume(ctx, id), nil)
}

func (s *Store) ReadyResumes(ctx context.Context, after string, atMost int) ([]inventory.Row, error) {
	rows, err := s.q.ReadyResumes(ctx, sqlc.ReadyResumesParams{After: after, AtMost: int32(atMost)})
	if err != nil {
		return nil, errorOf("read ready resumes", err, nil)
	}
	ready := make([]inventory.Row, len(rows))
	for i, row := range rows {
		ready[i] = inventory.Row{ID: row.ID, ApplicationID: row.ApplicationID, Key: row.BlobKey, Size: int64(row.Size)}
	}
	return ready, nil
}

func (s *Store) UnknownResumes(ctx context.Context, ids []string) ([]string, error) {
	unknown, err := s.q.UnknownResumes(ctx, ids)
	return unknown, errorOf("look for resumes", err, nil)
}
