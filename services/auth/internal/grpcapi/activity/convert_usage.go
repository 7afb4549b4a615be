package activity

import (
	"fmt"
	"strings"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/pkg/fault"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	"vitae.internal/services/auth/internal/activity/requestlog"
	"vitae.internal/services/auth/internal/activity/usage"
)

// dayFromProto parses a day. If the day is invalid, it adds a validation error to faults.
func dayFromProto(faults *fault.List, path, s string) time.Time {
	day, err := usage.ParseDay(s)
	if err != nil {
		faults.Add(path, "must be a day, YYYY-MM-DD")
	}
	return day
}

// optionalDayFromProto is like dayFromProto, but returns the zero time for an empty string.
func optionalDayFromProto(faults *fault.List, path, s string) time.Time {
	if s == "" {
		return time.Time{}
	}
	return dayFromProto(faults, path, s)
}

// daysFromProto parses the first and last day of a listing. An empty string becomes the zero time.
func daysFromProto(req interface {
	GetFromDay() string
	GetToDay() string
},
) (from, to time.Time, err error) {
	faults := fault.Argument()
	from = optionalDayFromProto(faults, "from_day", req.GetFromDay())
	to = optionalDayFromProto(faults, "to_day", req.GetToDay())
	return from, to, faults.Err()
}

func filterFromProto(r *authv1.ListRequestsRequest) requestlog.Filter {
	f := requestlog.Filter{
		AppID: r.GetAppId(), APIKeyID: r.GetApiKeyId(), Status: r.GetStatus(), ErrorCode: r.GetErrorCode(),
		Method: r.GetMethod(), Route: r.GetRoute(), ResourceID: r.GetResourceId(),
	}
	if r.GetFrom() != nil {
		f.From = r.GetFrom().AsTime()
	}
	if r.GetTo() != nil {
		f.To = r.GetTo().AsTime()
	}
	return f
}

// batchFromProto parses a batch. Its error names every count that has no valid day.
func batchFromProto(r *authv1.RecordRequestsRequest) (usage.Batch, error) {
	b := usage.Batch{
		ID:      r.GetBatchId(),
		Counts:  make([]usage.Count, len(r.GetCounts())),
		Entries: make([]requestlog.Entry, len(r.GetEntries())),
	}
	faults := fault.Argument()
	for i, a := range r.GetCounts() {
		c := a.GetUsage()
		day, err := usage.ParseDay(c.GetDay())
		if err != nil {
			faults.Add(fmt.Sprintf("counts[%d].usage.day", i), "must be a day, YYYY-MM-DD")
		}
		b.Counts[i] = usage.Count{
			AccountID: a.GetAccountId(), Day: day, AppID: c.GetAppId(), APIKeyID: c.GetApiKeyId(),
			Requests: c.GetRequests(), Metered: c.GetMetered(), Failed: c.GetFailed(),
			Refused: c.GetRefused(), Redirected: c.GetRedirected(), ServerFailed: c.GetServerFailed(),
		}
	}
	for i, e := range r.GetEntries() {
		b.Entries[i] = requestlog.Entry{
			At: e.GetAt().AsTime(), RequestID: e.GetRequestId(), AccountID: e.GetAccountId(), AppID: e.GetAppId(),
			APIKeyID: e.GetApiKeyId(), ConnectionID: e.GetConnectionId(), Method: e.GetMethod(), Route: e.GetRoute(),
			Status: e.GetStatus(), Latency: e.GetLatency().AsDuration(), Bytes: e.GetBytes(), Metered: e.GetMetered(),
			ErrorCode: e.GetErrorCode(), ResourceID: e.GetResourceId(), ClientAddress: e.GetClientAddress(), UserAgent: e.GetUserAgent(),
			MinuteLeft: leftFromProto(e.MinuteLeft), DayLeft: leftFromProto(e.DayLeft), RefusedBy: e.GetRefusedBy(),
			ErrorMessage: e.GetErrorMessage(), OtherFaults: strings.Join(e.GetOtherFaults(), "\n"), Reads: e.GetReads(),
		}
	}
	return b, faults.Err()
}

func leftFromProto(left *int32) int32 {
	if left == nil {
		return requestlog.Unknown
	}
	return *left
}

func leftToProto(left int32) *int32 {
	if left == requestlog.Unknown {
		return nil
	}
	return &left
}

func countToProto(c usage.Count) *authv1.Usage {
	return &authv1.Usage{
		Day: usage.FormatDay(c.Day), AppId: c.AppID, ApiKeyId: c.APIKeyID,
		Requests: c.Requests, Metered: c.Metered, Failed: c.Failed,
		Refused: c.Refused, Redirected: c.Redirected, ServerFailed: c.ServerFailed,
	}
}

// linesOf splits a string into the lines that batchFromProto joined.
func linesOf(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

func entryToProto(e requestlog.Entry) *authv1.RequestEntry {
	return &authv1.RequestEntry{
		At: timestamppb.New(e.At), RequestId: e.RequestID, AccountId: e.AccountID, AppId: e.AppID,
		ApiKeyId: e.APIKeyID, ConnectionId: e.ConnectionID, Method: e.Method, Route: e.Route,
		Status: e.Status, Latency: durationpb.New(e.Latency), Bytes: e.Bytes, Metered: e.Metered,
		ErrorCode: e.ErrorCode, ResourceId: e.ResourceID, ClientAddress: e.ClientAddress, UserAgent: e.UserAgent,
		MinuteLeft: leftToProto(e.MinuteLeft), DayLeft: leftToProto(e.DayLeft), RefusedBy: e.RefusedBy,
		ErrorMessage: e.ErrorMessage, OtherFaults: linesOf(e.OtherFaults),
	}
}
