package console

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// ListRequests gives pages of the log by times alone; the filters are noted.
func (b *backend) ListRequests(ctx context.Context, r *authv1.ListRequestsRequest, _ ...grpc.CallOption) (*authv1.ListRequestsResponse, error) {
	if _, err := b.session(ctx, "ListRequests"); err != nil {
		return nil, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.searches = append(b.searches, proto.CloneOf(r))
	if b.fail != nil {
		return nil, b.fail
	}
	var matching []*authv1.RequestEntry
	for _, e := range b.logged {
		if at := e.GetAt().AsTime(); (r.GetFrom() == nil || !at.Before(r.GetFrom().AsTime())) && (r.GetTo() == nil || at.Before(r.GetTo().AsTime())) {
			matching = append(matching, e)
		}
	}
	if b.stops > 0 {
		b.stops--
		return &authv1.ListRequestsResponse{NextPageToken: "0", SearchedTo: timestamppb.New(now)}, nil
	}
	begin := 0
	if r.GetPageToken() != "" {
		var err error
		if begin, err = strconv.Atoi(r.GetPageToken()); err != nil {
			return nil, errs.New(errs.Invalid, "INVALID_ARGUMENT", "no").WithViolations(errs.Violation{Field: "page_token", Description: "is not of a page"})
		}
	}
	end := min(begin+int(r.GetPageSize()), len(matching))
	resp := &authv1.ListRequestsResponse{Requests: matching[begin:end]}
	if end < len(matching) {
		resp.NextPageToken = strconv.Itoa(end)
	}
	return resp, nil
}

func (b *backend) GetRequest(ctx context.Context, r *authv1.GetRequestRequest, _ ...grpc.CallOption) (*authv1.GetRequestResponse, error) {
	if _, err := b.session(ctx, "GetRequest"); err != nil {
		return nil, err
	}
	if len(r.GetRequestId()) > 100 {
		return nil, errs.New(errs.Invalid, "INVALID_ARGUMENT", "no").WithViolations(errs.Violation{Field: "request_id", Description: "is too long"})
	}
	for _, e := range b.logged {
		if e.GetRequestId() == r.GetRequestId() && r.GetAccountId() == "dev_1" {
			return &authv1.GetRequestResponse{Request: e}, nil
		}
	}
	return nil, errs.New(errs.NotFound, "REQUEST_NOT_FOUND", "There is no such request in the log of this account.")
}

// entryOf is a request of the app that came in some time before now.
func entryOf(n int, ago time.Duration) *authv1.RequestEntry {
	return &authv1.RequestEntry{
		At: timestamppb.New(now.Add(-ago)), RequestId: fmt.Sprintf("req_%d", n), AccountId: "dev_1", AppId: "app_1", ApiKeyId: "key_1",
		Method: "GET", Route: "/v1/jobs/{jobId}/candidates", Status: 404, Latency: durationpb.New(12_345 * time.Microsecond), Bytes: 12_345,
		Metered: true, ErrorCode: "JOB_NOT_FOUND", ErrorMessage: "There is no such job.", ResourceId: "job_1", ClientAddress: "192.0.2.7", UserAgent: "curl/8.9",
		MinuteLeft: proto.Int32(299), DayLeft: proto.Int32(19_999),
	}
}

// entriesOf are n requests, a second apart, newest first.
func entriesOf(n int) []*authv1.RequestEntry {
	entries := make([]*authv1.RequestEntry, n)
	for i := range entries {
		entries[i] = entryOf(i, time.Duration(i)*time.Second)
	}
	return entries
}
