package applications

import (
	"context"
	"time"

	"vitae.internal/services/candidate/internal/application"
	"vitae.internal/services/candidate/internal/postgres/database"
	"vitae.internal/services/candidate/internal/postgres/sqlc"
)

// All is the status under which applications in all stages are counted.
const All application.Status = ""

// Delta is a change to a count.
type Delta struct {
	Status application.Status
	By     int32
}

// MoveCounts changes a job's counts, both in total and for the hour of an application. It locks the
// job's totals, so it must be the last step in a transaction.
func MoveCounts(ctx context.Context, q *sqlc.Queries, jobID string, appliedAt time.Time, deltas ...Delta) error {
	statuses, by := make([]string, len(deltas)), make([]int32, len(deltas))
	for i, d := range deltas {
		statuses[i], by[i] = string(d.Status), d.By
	}
	if err := q.MoveTotals(ctx, sqlc.MoveTotalsParams{JobID: jobID, Statuses: statuses, Deltas: by}); err != nil {
		return database.ErrorOf("move totals", err, nil)
	}
	return database.ErrorOf("move hours", q.MoveHours(ctx, sqlc.MoveHoursParams{
		JobID:    jobID,
		Hour:     appliedAt.UTC().Truncate(time.Hour),
		Statuses: statuses,
		Deltas:   by,
	}), nil)
}
