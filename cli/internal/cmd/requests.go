package cmd

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// request is the JSON form of a request log entry. Either APIKeyID or ConnectionID is null.
type request struct {
	At           *string `json:"at"`
	RequestID    string  `json:"requestId"`
	AppID        string  `json:"appId"`
	APIKeyID     *string `json:"apiKeyId"`
	ConnectionID *string `json:"connectionId"`
	Method       string  `json:"method"`
	Route        string  `json:"route"`
	Status       int32   `json:"status"`
	LatencyMS    float64 `json:"latencyMs"`
	Bytes        int64   `json:"bytes"`
	Metered      bool    `json:"metered"`
	ErrorCode    *string `json:"errorCode"`
	ErrorMessage *string `json:"errorMessage"`
	// OtherFaults lists validation errors that the response omitted.
	OtherFaults   []string `json:"otherFaults"`
	ResourceID    *string  `json:"resourceId"`
	ClientAddress *string  `json:"clientAddress"`
	UserAgent     *string  `json:"userAgent"`
	MinuteLeft    *int32   `json:"minuteLeft"`
	DayLeft       *int32   `json:"dayLeft"`
	RefusedBy     *string  `json:"refusedBy"`
}

// logPage is the maximum number of log entries per call.
const logPage = 1000

func (a *app) requestsCommand() *cobra.Command {
	var (
		filter = &authv1.ListRequestsRequest{}
		id     string
		limit  int32
	)
	c := &cobra.Command{
		Use:   "requests ACCOUNT [--id REQUEST] [--app ID] [--key ID] [--status S] [--code CODE] [--from T --to T] [--limit N]",
		Short: "List the requests of an account in the last 30 days, newest first",
		Example: "  vitaectl requests dev_… --status 4xx --route '/v1/jobs/{jobId}'\n" +
			"  vitaectl requests dev_… --id req_…",
		RunE: a.withStack(func(ctx context.Context, s *stack, _ []string) error {
			entries, err := a.requests(ctx, s, filter, id, limit)
			if err != nil {
				return err
			}
			if a.output == "json" { // JSON output contains no names
				rows := []request{}
				for _, e := range entries {
					rows = append(rows, newRequest(e))
				}
				return a.showJSON(rows)
			}
			n, err := namesOf(ctx, s, filter.GetAccountId(), entries)
			if err != nil {
				return err
			}
			return a.show(nil, requestTable(entries, n)...)
		}),
	}
	c.Flags().StringVar(&id, "id", "", "only the request with this x-request-id")
	c.Flags().StringVar(&filter.AppId, "app", "", "only requests of this app (id)")
	c.Flags().StringVar(&filter.ApiKeyId, "key", "", `only requests with this API key (id), or "token" for tokens and links`)
	c.Flags().StringVar(&filter.Status, "status", "", "HTTP status, for example 404, or a class, for example 4xx")
	c.Flags().StringVar(&filter.ErrorCode, "code", "", "error code, for example JOB_NOT_FOUND")
	c.Flags().StringVar(&filter.Method, "method", "", "HTTP method")
	c.Flags().StringVar(&filter.Route, "route", "", "route template, for example /v1/jobs/{jobId}")
	c.Flags().StringVar(&filter.ResourceId, "resource", "", "id in the path")
	addPeriod(c, &filter.From, &filter.To)
	c.Flags().StringVar(&filter.PageToken, "page", "", "token of an earlier search that stopped, to search further back")
	c.Flags().Int32Var(&limit, "limit", 100, "maximum number of requests")
	complete(c, "status", []string{"2xx", "3xx", "4xx", "5xx", "200", "400", "401", "403", "404", "409", "422", "429", "500", "503"})
	takeAccount(c, &filter.AccountId, true)
	c.PreRunE = func(*cobra.Command, []string) error {
		if limit < 1 {
			return fmt.Errorf("--limit must be at least 1, not %d", limit)
		}
		return nil
	}
	return c
}

func requestTable(entries []*authv1.RequestEntry, n names) []string {
	var rows [][]string
	for _, e := range entries {
		row := []string{
			*jsonTime(e.GetAt()), e.GetRequestId(), strconv.Itoa(int(e.GetStatus())), dashed(e.GetErrorCode()), e.GetMethod(), oneLine(pathOf(e)),
			e.GetLatency().AsDuration().String(), count(e.GetBytes()), dashed(n.apps[e.GetAppId()]), e.GetAppId(),
		}
		if e.GetApiKeyId() == "" {
			row = append(row, "tokens and links", dashed(e.GetConnectionId()))
		} else {
			row = append(row, dashed(n.keys[e.GetApiKeyId()]), e.GetApiKeyId())
		}
		rows = append(rows, append(row, oneLine(dashed(e.GetErrorMessage()))))
	}
	return table([]string{
		"TIME", "REQUEST ID", "STATUS", "ERROR", "METHOD", "PATH", "TOOK", "BYTES", "APP", "APP ID", "KEY", "KEY OR CONNECTION ID", "MESSAGE",
	}, rows)
}

// requests reads pages until it has limit entries, the log ends, or a search stops early. In the last case,
// it prints how to continue the search.
func (a *app) requests(ctx context.Context, s *stack, req *authv1.ListRequestsRequest, id string, limit int32) (entries []*authv1.RequestEntry, err error) {
	if id != "" {
		one, err := s.usage.GetRequest(ctx, &authv1.GetRequestRequest{AccountId: req.GetAccountId(), RequestId: id})
		return []*authv1.RequestEntry{one.GetRequest()}, err
	}
	for limit > 0 {
		req.PageSize = min(limit, logPage)
		resp, err := s.usage.ListRequests(ctx, req)
		if err != nil {
			return nil, err
		}
		entries = append(entries, resp.GetRequests()...)
		limit -= int32(len(resp.GetRequests()))
		if at := jsonTime(resp.GetSearchedTo()); at != nil {
			_, err = fmt.Fprintf(a.streams.Err, "Searched back to %s. To search further back, add --page %s\n", *at, resp.GetNextPageToken())
			return entries, err
		}
		if req.PageToken = resp.GetNextPageToken(); req.PageToken == "" {
			break
		}
	}
	return entries, nil
}

func newRequest(e *authv1.RequestEntry) request {
	return request{
		At: jsonTime(e.GetAt()), RequestID: e.GetRequestId(), AppID: e.GetAppId(), APIKeyID: orNull(e.GetApiKeyId()),
		ConnectionID: orNull(e.GetConnectionId()), Method: e.GetMethod(), Route: e.GetRoute(), Status: e.GetStatus(),
		LatencyMS: float64(e.GetLatency().AsDuration()) / float64(time.Millisecond), Bytes: e.GetBytes(), Metered: e.GetMetered(),
		ErrorCode: orNull(e.GetErrorCode()), ErrorMessage: orNull(e.GetErrorMessage()), OtherFaults: append([]string{}, e.GetOtherFaults()...), ResourceID: orNull(e.GetResourceId()), ClientAddress: orNull(e.GetClientAddress()),
		UserAgent: orNull(e.GetUserAgent()), MinuteLeft: e.MinuteLeft, DayLeft: e.DayLeft, RefusedBy: orNull(e.GetRefusedBy()),
	}
}

// pathOf returns the route with the resource id in place of its parameter.
func pathOf(e *authv1.RequestEntry) string {
	before, rest, templated := strings.Cut(e.GetRoute(), "{")
	_, after, _ := strings.Cut(rest, "}")
	if !templated || e.GetResourceId() == "" {
		return e.GetRoute()
	}
	return before + e.GetResourceId() + after
}
