package grpcapi

import (
	"context"
	"math"

	"vitae.internal/pkg/fault"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	"vitae.internal/services/auth/internal/usage"
)

type usageServer struct {
	authv1.UnimplementedUsageServiceServer
	usage *usage.Service
}

// GetSpent implements authv1.UsageServiceServer.
func (s *usageServer) GetSpent(ctx context.Context, req *authv1.GetSpentRequest) (*authv1.GetSpentResponse, error) {
	faults := fault.Argument()
	day := dayFromProto(faults, "day", req.GetDay())
	if err := faults.Err(); err != nil {
		return nil, err
	}
	spent, err := s.usage.Spent(ctx, req.GetAccountId(), day)
	if err != nil {
		return nil, err
	}
	return &authv1.GetSpentResponse{Requests: int32(min(spent, math.MaxInt32))}, nil
}

// RecordRequests implements authv1.UsageServiceServer.
func (s *usageServer) RecordRequests(ctx context.Context, req *authv1.RecordRequestsRequest) (*authv1.RecordRequestsResponse, error) {
	batch, err := batchFromProto(req)
	if err != nil {
		return nil, err
	}
	return &authv1.RecordRequestsResponse{}, s.usage.Record(ctx, batch)
}

// ListUsage implements authv1.UsageServiceServer.
func (s *usageServer) ListUsage(ctx context.Context, req *authv1.ListUsageRequest) (*authv1.ListUsageResponse, error) {
	faults := fault.Argument()
	from := optionalDayFromProto(faults, "from_day", req.GetFromDay())
	to := optionalDayFromProto(faults, "to_day", req.GetToDay())
	if err := faults.Err(); err != nil {
		return nil, err
	}
	counts, err := s.usage.List(ctx, req.GetAccountId(), from, to)
	if err != nil {
		return nil, err
	}
	resp := &authv1.ListUsageResponse{}
	for _, c := range counts {
		resp.Usage = append(resp.Usage, countToProto(c))
	}
	return resp, nil
}

// ListRequests implements authv1.UsageServiceServer.
func (s *usageServer) ListRequests(ctx context.Context, req *authv1.ListRequestsRequest) (*authv1.ListRequestsResponse, error) {
	entries, next, err := s.usage.Requests(ctx, req.GetAccountId(), req.GetAppId(), req.GetPageToken(), int(req.GetPageSize()))
	if err != nil {
		return nil, err
	}
	resp := &authv1.ListRequestsResponse{NextPageToken: next}
	for _, e := range entries {
		resp.Requests = append(resp.Requests, entryToProto(e))
	}
	return resp, nil
}
