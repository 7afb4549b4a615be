package grpcapi

import (
	"context"
	"math"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	"vitae.internal/services/auth/internal/usage"
)

// Usage serves UsageService.
type Usage struct {
	authv1.UnimplementedUsageServiceServer
	Usage *usage.Usage
}

// GetSpent implements authv1.UsageServiceServer.
func (u *Usage) GetSpent(ctx context.Context, req *authv1.GetSpentRequest) (*authv1.GetSpentResponse, error) {
	day, err := usage.ParseDay(req.GetDay(), "day")
	if err != nil {
		return nil, err
	}
	spent, err := u.Usage.Spent(ctx, req.GetAccountId(), day)
	if err != nil {
		return nil, err
	}
	return &authv1.GetSpentResponse{Requests: int32(min(spent, math.MaxInt32))}, nil
}

// RecordRequests implements authv1.UsageServiceServer.
func (u *Usage) RecordRequests(ctx context.Context, req *authv1.RecordRequestsRequest) (*authv1.RecordRequestsResponse, error) {
	b := usage.Batch{ID: req.GetBatchId(), Entries: make([]usage.Entry, len(req.GetEntries())), Counts: make([]usage.Count, len(req.GetCounts()))}
	for i, c := range req.GetCounts() {
		var err error
		if b.Counts[i], err = toCount(c); err != nil {
			return nil, err
		}
	}
	for i, e := range req.GetEntries() {
		b.Entries[i] = toEntry(e)
	}
	return &authv1.RecordRequestsResponse{}, u.Usage.Record(ctx, b)
}

func toCount(a *authv1.AccountUsage) (usage.Count, error) {
	c := a.GetUsage()
	day, err := usage.ParseDay(c.GetDay(), "counts.usage.day")
	return usage.Count{
		AccountID: a.GetAccountId(), Day: day, AppID: c.GetAppId(), APIKeyID: c.GetApiKeyId(),
		Requests: c.GetRequests(), Metered: c.GetMetered(), Failed: c.GetFailed(),
	}, err
}

func toEntry(e *authv1.RequestEntry) usage.Entry {
	return usage.Entry{
		At: e.GetAt().AsTime(), RequestID: e.GetRequestId(), AccountID: e.GetAccountId(), AppID: e.GetAppId(),
		APIKeyID: e.GetApiKeyId(), ConnectionID: e.GetConnectionId(), Method: e.GetMethod(), Route: e.GetRoute(),
		Status: e.GetStatus(), Latency: e.GetLatency().AsDuration(), Bytes: e.GetBytes(), Metered: e.GetMetered(),
	}
}

// ListUsage implements authv1.UsageServiceServer.
func (u *Usage) ListUsage(ctx context.Context, req *authv1.ListUsageRequest) (*authv1.ListUsageResponse, error) {
	from, err := optionalDay(req.GetFromDay(), "from_day")
	if err != nil {
		return nil, err
	}
	to, err := optionalDay(req.GetToDay(), "to_day")
	if err != nil {
		return nil, err
	}
	counts, err := u.Usage.List(ctx, req.GetAccountId(), from, to)
	if err != nil {
		return nil, err
	}
	resp := &authv1.ListUsageResponse{}
	for _, c := range counts {
		resp.Usage = append(resp.Usage, &authv1.Usage{
			Day: usage.FormatDay(c.Day), AppId: c.AppID, ApiKeyId: c.APIKeyID,
			Requests: c.Requests, Metered: c.Metered, Failed: c.Failed,
		})
	}
	return resp, nil
}

// optionalDay gives the zero time for none.
func optionalDay(s, field string) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	return usage.ParseDay(s, field)
}

// ListRequests implements authv1.UsageServiceServer.
func (u *Usage) ListRequests(ctx context.Context, req *authv1.ListRequestsRequest) (*authv1.ListRequestsResponse, error) {
	entries, next, err := u.Usage.Requests(ctx, req.GetAccountId(), req.GetAppId(), req.GetPageToken(), int(req.GetPageSize()))
	if err != nil {
		return nil, err
	}
	resp := &authv1.ListRequestsResponse{NextPageToken: next}
	for _, e := range entries {
		resp.Requests = append(resp.Requests, fromEntry(e))
	}
	return resp, nil
}

func fromEntry(e usage.Entry) *authv1.RequestEntry {
	return &authv1.RequestEntry{
		At: timestamppb.New(e.At), RequestId: e.RequestID, AccountId: e.AccountID, AppId: e.AppID,
		ApiKeyId: e.APIKeyID, ConnectionId: e.ConnectionID, Method: e.Method, Route: e.Route,
		Status: e.Status, Latency: durationpb.New(e.Latency), Bytes: e.Bytes, Metered: e.Metered,
	}
}
