package platform

import (
	"context"

	"vitae.internal/pkg/audit"
	"vitae.internal/services/auth/internal/credentials/revocation"
	"vitae.internal/services/auth/internal/platform/account"
	"vitae.internal/services/auth/internal/postgres/db"
	"vitae.internal/services/auth/internal/postgres/outbox"
	"vitae.internal/services/auth/internal/postgres/sqlc"
)

func planRequestFromRow(row sqlc.PlanRequest, accountName string) account.PlanRequest {
	r := account.PlanRequest{
		ID: row.ID, AccountID: row.AccountID, AccountName: accountName, Plan: account.Plan{Name: account.PlanName(row.Plan)},
		Reason: row.Reason, State: account.PlanRequestState(row.State), Note: row.Note,
		CreatedAt: row.CreatedAt, CreatedBy: row.CreatedBy, DecidedAt: row.DecidedAt, DecidedBy: row.DecidedBy,
	}
	if row.PerMinute != nil && row.PerDay != nil {
		r.Plan.PerMinute, r.Plan.PerDay = *row.PerMinute, *row.PerDay
	}
	return r
}

// aboutPlan returns the audit event for a plan request.
func aboutPlan(r account.PlanRequest) audit.About {
	return audit.About{AccountID: r.AccountID, ObjectID: r.ID, Details: planDetails(r.Plan)}
}

func (s *Accounts) AddPlanRequest(ctx context.Context, r account.PlanRequest) error {
	perMinute, perDay := budget(r.Plan)
	err := s.DB.TxInTime(ctx, "add plan request", func(t db.Transaction) error {
		q := t.Queries
		if _, err := q.ShareOpenAccount(ctx, r.AccountID); err != nil {
			return db.ErrorOf("share account", err, account.ErrNotFound)
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
		return account.ErrPlanRequestOpen
	}
	return err
}

func (s *Accounts) PlanRequests(ctx context.Context, accountID string, decidedToo bool, atMost int32) ([]account.PlanRequest, error) {
	requests := []account.PlanRequest{}
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

func (s *Accounts) GrantPlanRequest(ctx context.Context, d account.PlanDecision) (account.PlanRequest, revocation.Entry, error) {
	var (
		granted account.PlanRequest
		entry   revocation.Entry
	)
	err := s.DB.Tx(ctx, "grant plan request", func(t db.Transaction) (err error) {
		q := t.Queries
		if granted, err = decide(ctx, q, d, account.PlanRequestGranted); err != nil {
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

func (s *Accounts) RefusePlanRequest(ctx context.Context, d account.PlanDecision) (account.PlanRequest, error) {
	var refused account.PlanRequest
	err := s.DB.Tx(ctx, "refuse plan request", func(t db.Transaction) (err error) {
		q := t.Queries
		if refused, err = decide(ctx, q, d, account.PlanRequestRefused); err != nil {
			return err
		}
		return t.Record(ctx, aboutPlan(refused))
	})
	return refused, err
}

// decide records a decision on an open request. Errors: ErrPlanRequestNotFound, ErrPlanRequestDecided.
func decide(ctx context.Context, q *sqlc.Queries, d account.PlanDecision, state account.PlanRequestState) (account.PlanRequest, error) {
	if _, err := q.LockAccountOfPlanRequest(ctx, d.RequestID); err != nil {
		return account.PlanRequest{}, db.ErrorOf("lock account of plan request", err, account.ErrPlanRequestNotFound)
	}
	row, err := q.DecidePlanRequest(ctx, sqlc.DecidePlanRequestParams{
		ID: d.RequestID, State: string(state), Note: d.Note, At: d.At, DecidedBy: d.By,
	})
	if err != nil {
		return account.PlanRequest{}, db.ErrorOf("decide plan request", err, account.ErrPlanRequestDecided)
	}
	return planRequestFromRow(row.PlanRequest, row.AccountName), nil
}
