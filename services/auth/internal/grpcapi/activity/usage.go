package activity

import (
	"context"
	"math"

	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/pkg/fault"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	"vitae.internal/services/auth/internal/activity/requestlog"
	"vitae.internal/services/auth/internal/activity/usage"
)

type usageServer struct {
	authv1.UnimplementedUsageServiceServer
	usage    *usage.Service
	requests *requestlog.Service
}

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

func (s *usageServer) RecordRequests(ctx context.Context, req *authv1.RecordRequestsRequest) (*authv1.RecordRequestsResponse, error) {
	batch, err := batchFromProto(req)
	if err != nil {
		return nil, err
	}
	return &authv1.RecordRequestsResponse{}, s.usage.Record(ctx, batch)
}

func (s *usageServer) ListUsage(ctx context.Context, req *authv1.ListUsageRequest) (*authv1.ListUsageResponse, error) {
	from, to, err := daysFromProto(req)
	if err != nil {
		return nil, err
	}
	l := usage.Listing{AccountID: req.GetAccountId(), From: from, To: to, AppID: req.GetAppId(), APIKeyID: req.GetApiKeyId()}
	switch req.GetGroupBy() {
	case authv1.UsageGrouping_USAGE_GROUPING_APP:
		l.ByApp = true
	case authv1.UsageGrouping_USAGE_GROUPING_STATUS:
	default:
		l.ByApp, l.ByKey = true, true
	}
	counts, err := s.usage.List(ctx, l)
	if err != nil {
		return nil, err
	}
	resp := &authv1.ListUsageResponse{}
	for _, c := range counts {
		resp.Usage = append(resp.Usage, countToProto(c))
	}
	return resp, nil
}

func (s *usageServer) ListUsageByMinute(ctx context.Context, req *authv1.ListUsageByMinuteRequest) (*authv1.ListUsageByMinuteResponse, error) {
	minutes, err := s.usage.Minutes(ctx, req.GetAccountId(), req.GetAppId(), req.GetApiKeyId(), int(req.GetMinutes()))
	if err != nil {
		return nil, err
	}
	resp := &authv1.ListUsageByMinuteResponse{}
	for _, m := range minutes {
		resp.Minutes = append(resp.Minutes, &authv1.MinuteUsage{
			Minute: timestamppb.New(m.At), Requests: m.Requests, Metered: m.Metered, Refused: m.Refused,
		})
	}
	return resp, nil
}

func (s *usageServer) ListRouteStats(ctx context.Context, req *authv1.ListRouteStatsRequest) (*authv1.ListRouteStatsResponse, error) {
	from, to, err := daysFromProto(req)
	if err != nil {
		return nil, err
	}
	routes, err := s.usage.Routes(ctx, req.GetAccountId(), from, to)
	if err != nil {
		return nil, err
	}
	resp := &authv1.ListRouteStatsResponse{}
	for _, r := range routes {
		resp.Routes = append(resp.Routes, &authv1.RouteStats{
			Method: r.Method, Route: r.Route, Requests: r.Requests, Failed: r.Failed, ServerFailed: r.ServerFailed,
			P50: durationpb.New(r.P50), P95: durationpb.New(r.P95),
		})
	}
	return resp, nil
}

func (s *usageServer) ListRefusals(ctx context.Context, req *authv1.ListRefusalsRequest) (*authv1.ListRefusalsResponse, error) {
	from, to, err := daysFromProto(req)
	if err != nil {
		return nil, err
	}
	refusals, err := s.usage.Refused(ctx, req.GetAccountId(), from, to)
	if err != nil {
		return nil, err
	}
	resp := &authv1.ListRefusalsResponse{}
	for _, r := range refusals {
		resp.Refusals = append(resp.Refusals, &authv1.Refusals{Day: usage.FormatDay(r.Day), Limit: r.Limit, Requests: r.Requests})
	}
	return resp, nil
}

func (s *usageServer) ListRequests(ctx context.Context, req *authv1.ListRequestsRequest) (*authv1.ListRequestsResponse, error) {
	found, err := s.requests.Requests(ctx, req.GetAccountId(), filterFromProto(req), req.GetPageToken(), int(req.GetPageSize()))
	if err != nil {
		return nil, err
	}
	resp := &authv1.ListRequestsResponse{NextPageToken: found.Next}
	if !found.SearchedTo.IsZero() {
		resp.SearchedTo = timestamppb.New(found.SearchedTo)
	}
	for _, e := range found.Entries {
		resp.Requests = append(resp.Requests, entryToProto(e))
	}
	return resp, nil
}

func (s *usageServer) GetRequest(ctx context.Context, req *authv1.GetRequestRequest) (*authv1.GetRequestResponse, error) {
	e, err := s.requests.Request(ctx, req.GetAccountId(), req.GetRequestId())
	if err != nil {
		return nil, err
	}
	return &authv1.GetRequestResponse{Request: entryToProto(e)}, nil
}
