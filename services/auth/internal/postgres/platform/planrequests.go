package platform

import (
	"context"

	"vitae.internal/pkg/audit"
	"vitae.internal/services/auth/internal/credentials/revocation"
	"vitae.internal/services/auth/internal/platform/developer"
	"vitae.internal/services/auth/internal/postgres/db"
	"vitae.internal/services/auth/internal/postgres/outbox"
	"vitae.internal/services/auth/internal/postgres/sqlc"
)

func planRequestFromRow(row sqlc.PlanRequest, accountName string) developer.PlanRequest {
	r := developer.PlanRequest{
		ID: row.ID, AccountID: row.AccountID, AccountName: accountName, Plan: developer.Plan{Name: developer.PlanName(row.Plan)},
		Reason: row.Reason, State: developer.PlanRequestState(row.State), Note: row.Note,
		CreatedAt: row.CreatedAt, CreatedBy: row.CreatedBy, DecidedAt: row.DecidedAt, DecidedBy: row.DecidedBy,
	}
	if row.PerMinute != nil && row.PerDay != nil {
		r.Plan.PerMinute, r.Plan.PerDay = *row.PerMinute, *row.PerDay
	}
	return r
}

// aboutPlan is what the audit log holds of a request for another plan.
func aboutPlan(r developer.PlanRequest) audit.About {
	return audit.About{AccountID: r.AccountID, ObjectID: r.ID, Details: planDetails(r.Plan)}
}

func (s *Accounts) AddPlanRequest(ctx context.Context, r developer.PlanRequest) error {
	perMinute, perDay := budget(r.Plan)
	err := s.DB.TxInTime(ctx, "add plan request", func(t db.Transaction) error {
		q := t.Queries
		if _, err := q.ShareOpenAccount(ctx, r.AccountID); err != nil {
			return db.ErrorOf("share account", err, developer.ErrAccountNotFound)
		}
		if err := q.AddPlanRequest(ctx, sqlc.AddPlanRequestParams{
			ID: r.ID, AccountID: r.AccountID, Plan: string(r.Plan.Name), PerMinute: perMinute, PerDay: perDay,
			Reason: r.Reason, CreatedAt: r.CreatedAt, CreatedBy: r.CreatedBy,
		}); err != nil {
			return err
		}
		return t.Record(ctx, aboutPlan(r))
	})
	if db.HasCode(err, "23505") { // unique_violation, of plan_requests_open
		return developer.ErrPlanRequestOpen
	}
	return err
}

func (s *Accounts) PlanRequests(ctx context.Context, accountID string, decidedToo bool, atMost int32) ([]developer.PlanRequest, error) {
	requests := []developer.PlanRequest{}
	switch {
	case accountID != "":
		rows, err := s.DB.Q.ListAccountPlanRequests(ctx, sqlc.ListAccountPlanRequestsParams{AccountID: accountID, OpenOnly: !decidedToo, AtMost: atMost})
		for _, row := range rows {
			requests = append(requests, planRequestFromRow(row.PlanRequest, row.AccountName))
		}
		return requests, db.ErrorOf("list plan requests", err, nil)
	case decidedToo:
		rows, err := s.DB.Q.ListPlanRequests(ctx, atMost)
		for _, row := range rows {
			requests = append(requests, planRequestFromRow(row.PlanRequest, row.AccountName))
		}
		return requests, db.ErrorOf("list plan requests", err, nil)
	default:
		rows, err := s.DB.Q.ListOpenPlanRequests(ctx, atMost)
		for _, row := range rows {
			requests = append(requests, planRequestFromRow(row.PlanRequest, row.AccountName))
		}
		return requests, db.ErrorOf("list plan requests", err, nil)
	}
}

func (s *Accounts) GrantPlanRequest(ctx context.Context, d developer.PlanDecision) (developer.PlanRequest, revocation.Entry, error) {
	var (
		granted developer.PlanRequest
		entry   revocation.Entry
	)
	err := s.DB.Tx(ctx, "grant plan request", func(t db.Transaction) (err error) {
		q := t.Queries
		if granted, err = decide(ctx, q, d, developer.PlanRequestGranted); err != nil {
			return err
		}
		perMinute, perDay := budget(granted.Plan)
		if _, err := q.SetAccountPlan(ctx, sqlc.SetAccountPlanParams{
			ID: granted.AccountID, Plan: string(granted.Plan.Name), PerMinute: perMinute, PerDay: perDay,
		}); err != nil {
			return err
		}
		if entry, err = outbox.EnqueueAccount(ctx, q, granted.AccountID, d.At); err != nil {
			return err
		}
		return t.Record(ctx, aboutPlan(granted))
	})
	return granted, entry, err
}

func (s *Accounts) RefusePlanRequest(ctx context.Context, d developer.PlanDecision) (developer.PlanRequest, error) {
	var refused developer.PlanRequest
	err := s.DB.Tx(ctx, "refuse plan request", func(t db.Transaction) (err error) {
		q := t.Queries
		if refused, err = decide(ctx, q, d, developer.PlanRequestRefused); err != nil {
			return err
		}
		return t.Record(ctx, aboutPlan(refused))
	})
	return refused, err
}

// decide decides an open request. Errors: ErrPlanRequestNotFound, ErrPlanRequestDecided.
func decide(ctx context.Context, q *sqlc.Queries, d developer.PlanDecision, state developer.PlanRequestState) (developer.PlanRequest, error) {
	if _, err := q.LockAccountOfPlanRequest(ctx, d.RequestID); err != nil {
		return developer.PlanRequest{}, db.ErrorOf("lock account of plan request", err, developer.ErrPlanRequestNotFound)
	}
	row, err := q.DecidePlanRequest(ctx, sqlc.DecidePlanRequestParams{
		ID: d.RequestID, State: string(state), Note: d.Note, At: d.At, DecidedBy: d.By,
	})
	if err != nil {
		return developer.PlanRequest{}, db.ErrorOf("decide plan request", err, developer.ErrPlanRequestDecided)
	}
	return planRequestFromRow(row.PlanRequest, row.AccountName), nil
}
