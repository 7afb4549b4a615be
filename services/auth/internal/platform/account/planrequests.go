package account

import (
	"context"
	"time"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/fault"
	"vitae.internal/pkg/id"
	"vitae.internal/services/auth/internal/credentials/revocation"
)

// Errors returned for plan requests.
var (
	ErrPlanRequestNotFound = errs.New(errs.NotFound, "PLAN_REQUEST_NOT_FOUND", "There is no such plan request.")
	ErrPlanRequestDecided  = errs.New(errs.Precondition, "PLAN_REQUEST_DECIDED", "The request has already been decided.")
	ErrPlanRequestOpen     = errs.New(errs.Precondition, "PLAN_REQUEST_OPEN", "The account already has an open plan request.")
	ErrPlanInForce         = errs.New(errs.Precondition, "PLAN_IN_FORCE", "The account already has this plan.")
)

// PlanRequestState is the state of a plan request, named as in the PlanRequestState enum of the .proto file.
type PlanRequestState string

// The states.
const (
	PlanRequestOpen    PlanRequestState = "open"
	PlanRequestGranted PlanRequestState = "granted"
	PlanRequestRefused PlanRequestState = "refused"
)

// PlanRequest is an account's request for a different plan.
type PlanRequest struct {
	ID, AccountID, AccountName string
	Plan                       Plan
	Reason                     string
	State                      PlanRequestState
	// Note is the operators' comment on their decision.
	Note      string
	CreatedAt time.Time
	CreatedBy string
	// DecidedAt is nil and DecidedBy is empty while the request is open.
	DecidedAt *time.Time
	DecidedBy string
}

// maxPlanRequests is the maximum number of requests in one list.
const maxPlanRequests = 500

// maxReason is the maximum length of a reason or note in characters, as in the .proto file.
const maxReason = 2000

// PlanAsk is a plan request that is to be created.
type PlanAsk struct {
	AccountID string
	Plan      Plan
	Reason    string
	// By is the person who makes the request.
	By string
}

// RequestPlan asks the operators for a different plan. If two members make requests for an account concurrently,
// only one succeeds. Errors: ErrNotFound, ErrPlanInForce, ErrPlanRequestOpen; Invalid, with all invalid fields.
func (s *Service) RequestPlan(ctx context.Context, ask PlanAsk) (PlanRequest, error) {
	faults := fault.Argument()
	checkPlan(faults, ask.Plan)
	if faults.Text("reason", ask.Reason, maxReason) {
		faults.NotBlank("reason", ask.Reason)
	}
	if err := faults.Err(); err != nil {
		return PlanRequest{}, err
	}
	a, err := s.Account(ctx, ask.AccountID)
	if err != nil {
		return PlanRequest{}, err
	}
	if ask.Plan.Name != Custom {
		ask.Plan.PerMinute, ask.Plan.PerDay = 0, 0
	}
	if a.Plan == ask.Plan {
		return PlanRequest{}, ErrPlanInForce
	}
	r := PlanRequest{
		ID: id.New("plr"), AccountID: a.ID, AccountName: a.Name, Plan: ask.Plan, Reason: ask.Reason,
		State: PlanRequestOpen, CreatedAt: s.clock.Now(), CreatedBy: ask.By,
	}
	return r, s.store.AddPlanRequest(ctx, r)
}

// PlanRequests lists at most maxPlanRequests plan requests of an account, newest first. If the id is empty, it lists
// requests of all accounts. Errors: ErrNotFound.
func (s *Service) PlanRequests(ctx context.Context, accountID string, decidedToo bool) ([]PlanRequest, error) {
	if accountID != "" {
		if _, err := s.Account(ctx, accountID); err != nil {
			return nil, err
		}
		audit.FromContext(ctx).Note(audit.About{AccountID: accountID})
	}
	return s.store.PlanRequests(ctx, accountID, decidedToo, maxPlanRequests)
}

// PlanDecision is a decision on a plan request.
type PlanDecision struct {
	RequestID string
	// Note is shown to the account's members.
	Note string
	// By is the operator who decides.
	By string
	At time.Time
}

// GrantPlanRequest sets the account's plan to the requested one. When it returns, every
// gateway replica uses the new plan. Errors: ErrPlanRequestNotFound, ErrPlanRequestDecided.
func (s *Service) GrantPlanRequest(ctx context.Context, d PlanDecision) (PlanRequest, error) {
	return s.decide(ctx, d, func(ctx context.Context, d PlanDecision) (PlanRequest, revocation.Entry, error) {
		return s.store.GrantPlanRequest(ctx, d)
	})
}

// RefusePlanRequest rejects a plan request. Errors: ErrPlanRequestNotFound, ErrPlanRequestDecided.
func (s *Service) RefusePlanRequest(ctx context.Context, d PlanDecision) (PlanRequest, error) {
	return s.decide(ctx, d, func(ctx context.Context, d PlanDecision) (PlanRequest, revocation.Entry, error) {
		r, err := s.store.RefusePlanRequest(ctx, d)
		return r, revocation.Entry{}, err
	})
}

func (s *Service) decide(ctx context.Context, d PlanDecision, store func(context.Context, PlanDecision) (PlanRequest, revocation.Entry, error)) (PlanRequest, error) {
	faults := fault.Argument()
	faults.Text("note", d.Note, maxReason)
	if err := faults.Err(); err != nil {
		return PlanRequest{}, err
	}
	if !fault.IsStorable(d.RequestID) {
		return PlanRequest{}, ErrPlanRequestNotFound
	}
	d.At = s.clock.Now()
	r, entry, err := store(ctx, d)
	if err != nil {
		return PlanRequest{}, err
	}
	return r, s.revocations.Publish(ctx, entry)
}
