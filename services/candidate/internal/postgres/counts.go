package postgres

import (
	"context"
	"time"

	"vitae.internal/services/candidate/internal/application"
	"vitae.internal/services/candidate/internal/postgres/sqlc"
)

// all is the status under which applications of every stage are counted.
const all application.Status = ""

// delta is a change to a count.
type delta struct {
	status application.Status
	by     int32
}

// move changes the counts of a job, in total and for the hour of an application. It
// locks the rows of the job's totals until the transaction ends, so it is the last step
// of a transaction.
func move(ctx context.Context, q *sqlc.Queries, jobID string, appliedAt time.Time, deltas ...delta) error {
	statuses, by := make([]string, len(deltas)), make([]int32, len(deltas))
	for i, d := range deltas {
		statuses[i], by[i] = string(d.status), d.by
	}
	if err := q.MoveTotals(ctx, sqlc.MoveTotalsParams{JobID: jobID, Statuses: statuses, Deltas: by}); err != nil {
		return errorOf("move totals", err, nil)
	}
	return errorOf("move hours", q.MoveHours(ctx, sqlc.MoveHoursParams{
		JobID:    jobID,
		Hour:     hourOf(appliedAt),
		Statuses: statuses,
		Deltas:   by,
	}), nil)
}

// hourOf is the start of the hour of t, in UTC.
func hourOf(t time.Time) time.Time { return t.UTC().Truncate(time.Hour) }
