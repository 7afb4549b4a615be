package applications

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"vitae.internal/services/candidate/internal/application"
	"vitae.internal/services/candidate/internal/postgres/database"
	"vitae.internal/services/candidate/internal/postgres/sqlc"
)

// shallow is the maximum offset at which it is fastest to let Postgres skip rows in the index. For
// larger offsets, it is faster to find the hour of the page first.
const shallow = 1000

// endOfTime is later than any application.
var endOfTime = time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)

func (s *Store) List(ctx context.Context, f application.Filter, p application.Page) (application.List, error) {
	if f.Query != "" {
		return s.search(ctx, f, p)
	}
	before, skip := endOfTime, p.Offset
	if p.Offset > shallow {
		hour, err := s.db.Queries.HourOfOffset(ctx, sqlc.HourOfOffsetParams{JobID: f.JobID, Status: string(f.Status), Skipped: p.Offset})
		if errors.Is(err, pgx.ErrNoRows) {
			return s.pastTheEnd(ctx, f)
		}
		if err != nil {
			return application.List{}, database.ErrorOf("find page", err, nil)
		}
		before, skip = hour.Hour.Add(time.Hour), p.Offset-hour.Later
	}
	rows, err := s.page(ctx, f, before, skip, p.Size)
	if err != nil {
		return application.List{}, database.ErrorOf("list applications", err, nil)
	}
	if len(rows) == 0 {
		return s.pastTheEnd(ctx, f)
	}
	list := application.List{Total: rows[0].Total}
	for _, row := range rows {
		listed, err := listedFromRow(sqlc.LockApplicationRow{
			Application: row.Application, Name: row.Name, Username: row.Username,
			Email: row.Email, Headline: row.Headline, HasPhoto: row.HasPhoto,
		})
		if err != nil {
			return application.List{}, err
		}
		list.Rows = append(list.Rows, listed)
	}
	return list, nil
}

// page reads size rows from the applications before the given time, after skipping skip of them.
func (s *Store) page(ctx context.Context, f application.Filter, before time.Time, skip int64, size int32) ([]sqlc.ApplicationsRow, error) {
	if f.Status == "" {
		return s.db.Queries.Applications(ctx, sqlc.ApplicationsParams{
			JobID: f.JobID, Before: before, Skip: skip, Size: size,
		})
	}
	rows, err := s.db.Queries.ApplicationsInStage(ctx, sqlc.ApplicationsInStageParams{
		JobID: f.JobID, Status: string(f.Status), Before: before, Skip: skip, Size: size,
	})
	same := make([]sqlc.ApplicationsRow, len(rows))
	for i, row := range rows {
		same[i] = sqlc.ApplicationsRow(row)
	}
	return same, err
}

// pastTheEnd returns a list with the total but without rows.
func (s *Store) pastTheEnd(ctx context.Context, f application.Filter) (application.List, error) {
	total, err := s.db.Queries.Total(ctx, sqlc.TotalParams{JobID: f.JobID, Status: string(f.Status)})
	return application.List{Total: total}, database.ErrorOf("count applications", err, nil)
}
