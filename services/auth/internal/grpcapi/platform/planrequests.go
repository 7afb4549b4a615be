package platform

import (
	"context"

	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/pkg/audit"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	"vitae.internal/services/auth/internal/grpcapi/convert"
	"vitae.internal/services/auth/internal/platform/account"
)

func (s *developerServer) RequestPlan(ctx context.Context, req *authv1.RequestPlanRequest) (*authv1.RequestPlanResponse, error) {
	audit.FromContext(ctx).Note(audit.About{AccountID: req.GetAccountId()})
	r, err := s.accounts.RequestPlan(ctx, account.PlanAsk{
		AccountID: req.GetAccountId(), Plan: planFromProto(req.GetPlan()), Reason: req.GetReason(), By: actorOf(ctx),
	})
	if err != nil {
		return nil, err
	}
	return &authv1.RequestPlanResponse{PlanRequest: s.planRequestToProto(r)}, nil
}

func (s *developerServer) ListPlanRequests(ctx context.Context, req *authv1.ListPlanRequestsRequest) (*authv1.ListPlanRequestsResponse, error) {
	requests, err := s.accounts.PlanRequests(ctx, req.GetAccountId(), req.GetIncludeDecided())
	if err != nil {
		return nil, err
	}
	resp := &authv1.ListPlanRequestsResponse{Plans: []*authv1.Plan{PlanToProto(s.plans.Standard), PlanToProto(s.plans.Elevated)}}
	for _, r := range requests {
		resp.PlanRequests = append(resp.PlanRequests, s.planRequestToProto(r))
	}
	return resp, nil
}

func (s *developerServer) GrantPlanRequest(ctx context.Context, req *authv1.GrantPlanRequestRequest) (*authv1.GrantPlanRequestResponse, error) {
	r, err := s.accounts.GrantPlanRequest(ctx, account.PlanDecision{RequestID: req.GetId(), Note: req.GetNote(), By: actorOf(ctx)})
	if err != nil {
		return nil, err
	}
	return &authv1.GrantPlanRequestResponse{PlanRequest: s.planRequestToProto(r)}, nil
}

func (s *developerServer) RefusePlanRequest(ctx context.Context, req *authv1.RefusePlanRequestRequest) (*authv1.RefusePlanRequestResponse, error) {
	r, err := s.accounts.RefusePlanRequest(ctx, account.PlanDecision{RequestID: req.GetId(), Note: req.GetNote(), By: actorOf(ctx)})
	if err != nil {
		return nil, err
	}
	return &authv1.RefusePlanRequestResponse{PlanRequest: s.planRequestToProto(r)}, nil
}

// planRequestToProto converts a plan request, and adds the plan's current budget.
func (s *developerServer) planRequestToProto(r account.PlanRequest) *authv1.PlanRequest {
	return &authv1.PlanRequest{
		Id: r.ID, AccountId: r.AccountID, AccountName: r.AccountName, Plan: PlanToProto(s.plans.Of(r.Plan)), Reason: r.Reason,
		State: planRequestStates.Value(string(r.State)), Note: r.Note, CreatedAt: timestamppb.New(r.CreatedAt), CreatedBy: r.CreatedBy,
		DecidedAt: convert.TimeToProto(r.DecidedAt), DecidedBy: r.DecidedBy,
	}
}
