package persondata

import (
	"context"

	"vitae.internal/services/candidate/internal/application"
	"vitae.internal/services/candidate/internal/erasure"
	"vitae.internal/services/candidate/internal/postgres/applications"
	"vitae.internal/services/candidate/internal/postgres/database"
	"vitae.internal/services/candidate/internal/postgres/sqlc"
)

func (s *Store) ResumesOf(ctx context.Context, personID string, atMost int) ([]erasure.Resume, error) {
	rows, err := s.db.Queries.ResumesOf(ctx, sqlc.ResumesOfParams{PersonID: personID, AtMost: int32(atMost)})
	all := make([]erasure.Resume, len(rows))
	for i, row := range rows {
		all[i] = erasure.Resume{ID: row.ID, Key: row.BlobKey}
	}
	return all, database.ErrorOf("read resumes of a person", err, nil)
}

func (s *Store) EraseResume(ctx context.Context, id string) error {
	return database.ErrorOf("erase resume", s.db.Queries.EraseResume(ctx, id), nil)
}

// EraseApplications changes the counts of jobs in the order of the job ids. All deletions use this
// order, so two deletions cannot deadlock.
func (s *Store) EraseApplications(ctx context.Context, personID string, atMost int) (n int, err error) {
	err = s.db.InTransaction(ctx, "erase applications", func(t database.Transaction) error {
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
			if err := applications.MoveCounts(ctx, t.Queries, row.JobID, row.AppliedAt, applications.Delta{Status: applications.All, By: -1}, applications.Delta{Status: application.Status(row.Status), By: -1}); err != nil {
				return err
			}
		}
		return nil
	})
	return n, err
}

func (s *Store) EraseProfile(ctx context.Context, personID string) error {
	return s.db.InTransaction(ctx, "erase profile", func(t database.Transaction) error {
		if err := t.Queries.EraseProfile(ctx, personID); err != nil {
			return err
		}
		return t.Queries.MakeAuditEventsNobodys(ctx, personID)
	})
}
