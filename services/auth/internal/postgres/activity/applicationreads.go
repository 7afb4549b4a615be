package activity

import (
	"context"
	"time"

	"vitae.internal/services/auth/internal/activity/usage"
	"vitae.internal/services/auth/internal/postgres/db"
	"vitae.internal/services/auth/internal/postgres/sqlc"
)

func addApplicationReads(ctx context.Context, q *sqlc.Queries, days []usage.ApplicationReadDay) error {
	if len(days) == 0 {
		return nil
	}
	var p sqlc.AddApplicationReadsParams
	for _, r := range days {
		p.ApplicationIds = append(p.ApplicationIds, r.ApplicationID)
		p.AppIds = append(p.AppIds, r.AppID)
		p.Days = append(p.Days, r.Day)
		p.Reads = append(p.Reads, r.Reads)
		p.LastAts = append(p.LastAts, r.Latest)
	}
	return q.AddApplicationReads(ctx, p)
}

func (s *Usage) ApplicationReads(ctx context.Context, applicationIDs []string, since time.Time) ([]usage.ApplicationRead, error) {
	rows, err := s.DB.Q.ListApplicationReads(ctx, sqlc.ListApplicationReadsParams{ApplicationIds: applicationIDs, Since: since})
	reads := make([]usage.ApplicationRead, len(rows))
	for i, r := range rows {
		reads[i] = usage.ApplicationRead{ApplicationID: r.ApplicationID, AppName: r.AppName, Day: r.Day, Count: r.Reads, Latest: r.LastAt}
	}
	return reads, db.ErrorOf("list reads of applications", err, nil)
}

func (s *Usage) DeleteApplicationReads(ctx context.Context, before time.Time, atMost int32) (int64, error) {
	n, err := s.DB.Q.DeleteApplicationReads(ctx, sqlc.DeleteApplicationReadsParams{Before: before, AtMost: atMost})
	return n, db.ErrorOf("delete reads of applications", err, nil)
}
