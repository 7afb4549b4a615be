package cmd

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

func (a *app) planRequestsCommand() *cobra.Command {
	return group("plan-requests", "Decide on requests for another plan",
		a.planRequestsListCommand(), a.planRequestsGrantCommand(), a.planRequestsRefuseCommand())
}

type planRequest struct {
	ID          string  `json:"id"`
	AccountID   string  `json:"accountId"`
	AccountName string  `json:"accountName"`
	Plan        plan    `json:"plan"`
	Reason      string  `json:"reason"`
	State       string  `json:"state"`
	Note        string  `json:"note"`
	CreatedAt   *string `json:"createdAt"`
	CreatedBy   string  `json:"createdBy"`
	DecidedAt   *string `json:"decidedAt"`
	DecidedBy   *string `json:"decidedBy"`
}

var planRequestStates = map[authv1.PlanRequestState]string{
	authv1.PlanRequestState_PLAN_REQUEST_STATE_OPEN:    "open",
	authv1.PlanRequestState_PLAN_REQUEST_STATE_GRANTED: "granted",
	authv1.PlanRequestState_PLAN_REQUEST_STATE_REFUSED: "refused",
}

func newPlanRequest(r *authv1.PlanRequest) planRequest {
	return planRequest{
		ID: r.GetId(), AccountID: r.GetAccountId(), AccountName: r.GetAccountName(), Plan: newPlan(r.GetPlan()), Reason: r.GetReason(),
		State: planRequestStates[r.GetState()], Note: r.GetNote(), CreatedAt: jsonTime(r.GetCreatedAt()), CreatedBy: r.GetCreatedBy(),
		DecidedAt: jsonTime(r.GetDecidedAt()), DecidedBy: orNull(r.GetDecidedBy()),
	}
}

func (a *app) planRequestsListCommand() *cobra.Command {
	req := &authv1.ListPlanRequestsRequest{}
	c := &cobra.Command{
		Use:     "list [ACCOUNT] [--all]",
		Short:   "List the open requests for another plan, newest first",
		Example: "  vitaectl plan-requests list\n  vitaectl plan-requests list dev_… --all",
		RunE: a.withStack(func(ctx context.Context, s *stack, _ []string) error {
			resp, err := s.Developers.ListPlanRequests(ctx, req)
			if err != nil {
				return err
			}
			requests, rows := []planRequest{}, [][]string{}
			for _, r := range resp.GetPlanRequests() {
				one := newPlanRequest(r)
				requests = append(requests, one)
				rows = append(rows, []string{one.ID, one.AccountName, one.AccountID, one.Plan.String(), one.State, when(r.GetCreatedAt()), oneLine(one.Reason)})
			}
			if len(rows) == 0 {
				return a.show(requests, noPlanRequests(req))
			}
			return a.show(requests, table([]string{"ID", "ACCOUNT", "ACCOUNT ID", "PLAN", "STATE", "ASKED", "REASON"}, rows)...)
		}),
	}
	takeAccount(c, &req.AccountId, false)
	c.Flags().BoolVar(&req.IncludeDecided, "all", false, "list decided requests too")
	return c
}

// noPlanRequests returns the message for an empty list, which must not look like a failure.
func noPlanRequests(req *authv1.ListPlanRequestsRequest) string {
	what := "No open requests for another plan"
	if req.GetIncludeDecided() {
		what = "No requests for another plan"
	}
	if req.GetAccountId() != "" {
		what += " of " + req.GetAccountId()
	}
	return what + "."
}

func (a *app) planRequestsGrantCommand() *cobra.Command {
	req := &authv1.GrantPlanRequestRequest{}
	c := &cobra.Command{
		Use:     "grant ID [--note TEXT]",
		Short:   "Grant a request: the account has the plan from now on",
		Example: `  vitaectl plan-requests grant plr_… --note "Welcome to Elevated."`,
		Args:    cobra.ExactArgs(1),
		RunE: a.withStack(func(ctx context.Context, s *stack, args []string) error {
			req.Id = args[0]
			resp, err := s.Developers.GrantPlanRequest(ctx, req)
			if err != nil {
				return err
			}
			return a.showDecision(resp.GetPlanRequest(), "now has the plan")
		}),
	}
	c.Flags().StringVar(&req.Note, "note", "", "note for the account")
	return c
}

func (a *app) planRequestsRefuseCommand() *cobra.Command {
	req := &authv1.RefusePlanRequestRequest{}
	c := &cobra.Command{
		Use:     "refuse ID [--note TEXT]",
		Short:   "Refuse a request for another plan",
		Example: `  vitaectl plan-requests refuse plr_… --note "Go live with Standard first."`,
		Args:    cobra.ExactArgs(1),
		RunE: a.withStack(func(ctx context.Context, s *stack, args []string) error {
			req.Id = args[0]
			resp, err := s.Developers.RefusePlanRequest(ctx, req)
			if err != nil {
				return err
			}
			return a.showDecision(resp.GetPlanRequest(), "keeps its plan; the request was for")
		}),
	}
	c.Flags().StringVar(&req.Note, "note", "", "reason, for the account")
	return c
}

func (a *app) showDecision(r *authv1.PlanRequest, what string) error {
	one := newPlanRequest(r)
	return a.show(one, fmt.Sprintf("%s (%s) %s: %s", one.AccountName, one.AccountID, what, one.Plan))
}
