package usage

import (
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/gateway/internal/chain"
	"vitae.internal/pkg/id"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// newBatch builds the message for a batch. It returns nil if there is nothing to report.
func newBatch(entries []chain.Record, counts map[row]tally) *authv1.RecordRequestsRequest {
	if len(entries) == 0 && len(counts) == 0 {
		return nil
	}
	b := &authv1.RecordRequestsRequest{
		BatchId: id.New("bat"),
		Entries: make([]*authv1.RequestEntry, len(entries)),
		Counts:  make([]*authv1.AccountUsage, 0, len(counts)),
	}
	for i, e := range entries {
		b.Entries[i] = &authv1.RequestEntry{
			At: timestamppb.New(e.At), RequestId: e.RequestID, AccountId: e.AccountID, AppId: e.AppID,
			ApiKeyId: e.APIKeyID, ConnectionId: e.ConnectionID, Method: e.Method, Route: e.Route, Reads: e.Reads,
			Status: int32(e.Status), Latency: durationpb.New(e.Latency), Bytes: e.Bytes, Metered: metered(e),
			ErrorCode: e.Code, ErrorMessage: e.Message, OtherFaults: e.OtherFaults, ResourceId: e.ResourceID, ClientAddress: e.ClientAddress, UserAgent: e.UserAgent,
			RefusedBy: e.Limits.RefusedBy,
		}
		if e.Limits.Known {
			b.Entries[i].MinuteLeft, b.Entries[i].DayLeft = &entries[i].Limits.MinuteLeft, &entries[i].Limits.DayLeft
		}
	}
	for at, t := range counts {
		b.Counts = append(b.Counts, &authv1.AccountUsage{AccountId: at.accountID, Usage: &authv1.Usage{
			Day: dayName(at.day), AppId: at.appID, ApiKeyId: at.apiKeyID,
			Requests: t.requests, Metered: t.metered, Failed: t.failed,
			Refused: t.refused, Redirected: t.redirected, ServerFailed: t.serverFailed,
		}})
	}
	return b
}
