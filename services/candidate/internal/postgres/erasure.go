package postgres

import (
	"context"

	"vitae.internal/services/candidate/internal/application"
	"vitae.internal/services/candidate/internal/erasure"
	"vitae.internal/services/candidate/internal/postgres/sqlc"
)

var _ erasure.Store = (*Store)(nil)

func (s *Store) ResumesOf(ctx context.Context, personID string, atMost int) ([]erasure.Resume, error) {
	rows, err := s.q.ResumesOf(ctx, sqlc.ResumesOfParams{PersonID: personID, AtMost: int32(atMost)})
	all := make([]erasure.Resume, len(rows))
	for i, row := range rows {
		all[i] = erasure.Resume{ID: row.ID, Key: row.BlobKey}
	}
	return all, errorOf("read resumes of a person", err, nil)
}

func (s *Store) EraseResume(ctx context.Context, id string) error {
	return errorOf("erase resume", s.q.EraseResume(ctx, id), nil)
}

// EraseApplications implements erasure.Store. It goes through the jobs in the order of their ids, as
// every other deletion does, so that no two wait for each other's counts.
func (s *Store) EraseApplications(ctx context.Context, personID string, atMost int) (n int, err error) {
	err = s.tx(ctx, "erase applications", func(t transaction) error {
		rows, err := t.Queries.LockApplicationsOf(ctx, sqlc.LockApplicationsOfParams{PersonID: personID, AtMost: int32(atMost)})
		if err != nil {
			return err
		}
		n = len(rows)
		for _, row := range rows {
			if err := t.Queries.EraseApplication(ctx, row.ID); err != nil {
				return err
			}
		}
		for _, row := range rows {
			if err := move(ctx, t.Queries, row.JobID, row.AppliedAt, delta{all, -1}, delta{application.Status(row.Status), -1}); err != nil {
				return err
			}
		}
		return nil
	})
	return n, err
}

func (s *Store) EraseProfile(ctx context.Context, personID string) error {
	return s.tx(ctx, "erase profile", func(t transaction) error {
		if err := t.Queries.EraseProfile(ctx, personID); err != nil {
			return err
		}
		return t.Queries.MakeAuditEventsNobodys(ctx, personID)
	})
}
