package cmd

import (
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/cli/internal/conntest"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// usageResponses responds to calls about usage and the request log.
func usageResponses(call conntest.Call) (proto.Message, error) {
	switch call.Request.(type) {
	case *authv1.ListUsageRequest:
		return &authv1.ListUsageResponse{Usage: []*authv1.Usage{
			{Day: "2030-01-31", AppId: "app_1", Requests: 30, Metered: 28, Failed: 9, Refused: 2, Redirected: 5, ServerFailed: 3},
			{Day: "2030-01-30", AppId: "app_9", ApiKeyId: "key_9", Requests: 1},
			{Day: "2030-01-30", AppId: "app_1", ApiKeyId: "key_1", Requests: 1200, Metered: 1200},
		}}, nil
	case *authv1.ListUsageByMinuteRequest:
		return &authv1.ListUsageByMinuteResponse{Minutes: []*authv1.MinuteUsage{
			{Minute: timestamppb.New(now)}, {Minute: noon, Requests: 12, Metered: 10, Refused: 1},
		}}, nil
	case *authv1.ListRouteStatsRequest:
		return &authv1.ListRouteStatsResponse{Routes: []*authv1.RouteStats{{
			Method: "GET", Route: "/v1/jobs/{jobId}", Requests: 1200, Failed: 30, ServerFailed: 2,
			P50: durationpb.New(1500 * time.Microsecond), P95: durationpb.New(20 * time.Millisecond),
		}}}, nil
	case *authv1.ListRefusalsRequest:
		return &authv1.ListRefusalsResponse{Refusals: []*authv1.Refusals{{Day: "2030-01-31", Limit: "minute", Requests: 7}}}, nil
	case *authv1.ListRequestsRequest:
		return &authv1.ListRequestsResponse{Requests: []*authv1.RequestEntry{
			{
				At: noon, RequestId: "req_2", AccountId: "dev_1", AppId: "app_1", ApiKeyId: "key_1", Method: "GET", Route: "/v1/jobs/{jobId}",
				Status: 404, Latency: durationpb.New(1500 * time.Microsecond), Bytes: 321, Metered: true,
				ErrorCode: "JOB_NOT_FOUND", ErrorMessage: "There is no such job.", OtherFaults: []string{"page: must be a whole number"},
			},
			{At: noon, RequestId: "req_1", AccountId: "dev_1", AppId: "app_1", ConnectionId: "con_1", Method: "GET", Route: "/v1/me", Status: 200, Latency: durationpb.New(time.Second)},
		}}, nil
	}
	return answerOfEmployers(call)
}
