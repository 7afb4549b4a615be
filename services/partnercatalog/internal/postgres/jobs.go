package postgres

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/postgres"
	"vitae.internal/services/partnercatalog/internal/company"
	"vitae.internal/services/partnercatalog/internal/job"
	"vitae.internal/services/partnercatalog/internal/postgres/sqlc"
)

var (
	_ job.Store    = (*Store)(nil)
	_ job.KeyStore = (*Store)(nil)
)

func (s *Store) CreateJob(ctx context.Context, appID string, j job.Job, key job.Key) (job.Created, error) {
	params, err := rowFromJob(j)
	if err != nil {
		return job.Created{}, err
	}
	params.AppID, params.Key = appID, string(key)
	for {
		var row sqlc.CreateJobRow
		err := s.changed(ctx, func(q *sqlc.Queries) (_ *audit.About, err error) {
			if row, err = q.CreateJob(ctx, params); err != nil || !row.Made {
				return nil, err
			}
			return &audit.About{AppID: appID, ObjectID: j.ID, Details: map[string]string{audit.Status: string(j.Status)}}, nil
		})
		switch {
		case err != nil:
			return job.Created{}, errorOf("create job", err, nil)
		case !row.Managed:
			return job.Created{}, company.ErrNotManaged
		case row.Made:
			return job.Created{Job: j}, nil
		}
		// The key is already pinned to a job. If PinnedJob does not find the job, the clean-up job
		// has just deleted the expired key, and the next iteration can pin it.
		pinned, err := s.PinnedJob(ctx, appID, j.CompanyID, key)
		if err != nil {
			return job.Created{}, err
		}
		if pinned != nil {
			return job.Created{Job: *pinned, Replayed: true}, nil
		}
	}
}

func (s *Store) PinnedJob(ctx context.Context, appID, companyID string, key job.Key) (*job.Job, error) {
	row, err := s.q.PinnedJob(ctx, sqlc.PinnedJobParams{AppID: appID, CompanyID: companyID, Key: string(key)})
	if errors.Is(err, pgx.ErrNoRows) {
		managed, err := s.q.CompanyIsManaged(ctx, sqlc.CompanyIsManagedParams{AppID: appID, ID: companyID})
		if err == nil && !managed {
			err = company.ErrNotManaged
		}
		return nil, errorOf("look up company", err, nil)
	}
	if err != nil {
		return nil, errorOf("look up idempotency key", err, nil)
	}
	if err := postgres.Confirm(ctx, s.pool); err != nil {
		return nil, errorOf("confirm a repeated create", err, nil)
	}
	j, err := jobFromRow(row.Job)
	return &j, err
}

func (s *Store) Job(ctx context.Context, appID, jobID string) (job.Job, error) {
	posting, err := s.Posting(ctx, jobID)
	if err == nil && posting.AppID != appID {
		err = company.ErrNotManaged
	}
	if err != nil {
		return job.Job{}, err
	}
	return posting.Job, nil
}

func (s *Store) Posting(ctx context.Context, jobID string) (job.Posting, error) {
	row, err := s.q.JobByID(ctx, jobID)
	if err != nil {
		return job.Posting{}, errorOf("read job", err, job.ErrNotFound)
	}
	j, err := jobFromRow(row.Job)
	return job.Posting{Job: j, AppID: row.AppID}, err
}

func (s *Store) Owner(ctx context.Context, jobID string) (job.Owner, error) {
	row, err := s.q.JobOwner(ctx, jobID)
	return job.Owner{CompanyID: row.CompanyID, AppID: row.AppID}, errorOf("read the owner of a job", err, job.ErrNotFound)
}

func (s *Store) EditJob(ctx context.Context, appID, jobID string, change func(*job.Job) error) (job.Job, error) {
	return s.changeJob(ctx, appID, jobID, change, func(q *sqlc.Queries, j job.Job) error {
		params, err := editFromJob(j)
		if err != nil {
			return err
		}
		return q.EditJob(ctx, params)
	})
}

func (s *Store) MoveJob(ctx context.Context, appID, jobID string, change func(*job.Job) error) (job.Job, error) {
	return s.changeJob(ctx, appID, jobID, change, func(q *sqlc.Queries, j job.Job) error {
		return q.MoveJob(ctx, sqlc.MoveJobParams{ID: j.ID, Status: string(j.Status), PostedAt: j.PostedAt, UpdatedAt: j.UpdatedAt})
	})
}

// changeJob locks a job, changes it and stores the change, all in one transaction.
func (s *Store) changeJob(ctx context.Context, appID, jobID string, change func(*job.Job) error, keep func(*sqlc.Queries, job.Job) error) (job.Job, error) {
	var j job.Job
	err := s.tx(ctx, "change job", func(t transaction) error {
		q := t.Queries
		row, err := q.LockJob(ctx, jobID)
		if err != nil {
			return errorOf("lock job", err, job.ErrNotFound)
		}
		if row.AppID != appID {
			return company.ErrNotManaged
		}
		if j, err = jobFromRow(row.Job); err != nil {
			return err
		}
		if err := change(&j); err != nil {
			return err
		}
		if err := keep(q, j); err != nil {
			return err
		}
		return t.Record(ctx, audit.About{AppID: appID, ObjectID: j.ID, Details: map[string]string{audit.Status: string(j.Status)}})
	})
	if err != nil {
		return job.Job{}, err
	}
	return j, nil
}

func (s *Store) RecordApplications(ctx context.Context, counts map[string]int32) error {
	ids := slices.Sorted(maps.Keys(counts))
	inOrder := make([]int32, len(ids))
	for i, id := range ids {
		inOrder[i] = counts[id]
	}
	return errorOf("record application counts", s.q.RecordApplications(ctx, sqlc.RecordApplicationsParams{Ids: ids, Counts: inOrder}), nil)
}

func (s *Store) DeleteKeys(ctx context.Context, before time.Time, atMost int32) (int64, error) {
	n, err := s.q.DeleteJobKeys(ctx, sqlc.DeleteJobKeysParams{Before: before, AtMost: atMost})
	return n, errorOf("delete idempotency keys", err, nil)
}
