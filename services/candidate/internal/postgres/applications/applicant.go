package applications

import (
	"context"

	"vitae.internal/services/candidate/internal/applicant"
	"vitae.internal/services/candidate/internal/application"
	"vitae.internal/services/candidate/internal/postgres/database"
	"vitae.internal/services/candidate/internal/postgres/sqlc"
)

func (s *Store) ByPerson(ctx context.Context, personID, after string, limit int32) ([]applicant.Made, error) {
	rows, err := s.db.Queries.ApplicationsOfPerson(ctx, sqlc.ApplicationsOfPersonParams{PersonID: personID, After: after, Size: limit})
	made := make([]applicant.Made, len(rows))
	for i, row := range rows {
		made[i] = applicant.Made{
			ID: row.ID, JobID: row.JobID, Status: application.Status(row.Status), AppliedAt: row.AppliedAt.UTC(), UpdatedAt: row.UpdatedAt.UTC(),
			CvTitle: textOf(row.CvTitle), Filename: textOf(row.Filename),
		}
		for at, status := range row.HistoryStatus {
			made[i].History = append(made[i].History, application.Change{Status: application.Status(status), At: row.HistoryAt[at].UTC()})
		}
	}
	return made, database.ErrorOf("list a person's applications", err, nil)
}

// textOf returns the value of a column, or "" for null.
func textOf(column *string) string {
	if column == nil {
		return ""
	}
	return *column
}
