package cmd

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// request is the JSON form of an entry of the request log. One of APIKeyID and
// ConnectionID is null.
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
}

// logPage is the greatest number of entries that one call gives.
const logPage = 1000

func (a *app) requestsCommand() *cobra.Command {
	var (
		appID string
		limit int32
	)
	c := &cobra.Command{
		Use:   "requests ACCOUNT [--app ID] [--limit N]",
		Short: "List the requests of an account in the last 30 days, newest first",
		RunE: a.withStack(func(ctx context.Context, s *stack, args []string) error {
			entries, err := s.requests(ctx, args[0], appID, limit)
			if err != nil {
				return err
			}
			rows, lines := []request{}, []string{}
			for _, e := range entries {
				rows = append(rows, newRequest(e))
				lines = append(lines, fmt.Sprintf("%s  %s  %d  %s %s  %s  %d bytes  %s",
					*moment(e.GetAt()), e.GetRequestId(), e.GetStatus(), e.GetMethod(), e.GetRoute(),
					e.GetLatency().AsDuration(), e.GetBytes(), cmp.Or(e.GetApiKeyId(), e.GetConnectionId())))
			}
			return a.show(rows, lines...)
		}),
	}
	c.Flags().StringVar(&appID, "app", "", "id of an app, to list its requests alone")
	c.Flags().Int32Var(&limit, "limit", 100, "how many to list at most")
	c.Args = func(c *cobra.Command, args []string) error {
		if limit < 1 {
			return fmt.Errorf("--limit must be at least 1, not %d", limit)
		}
		return cobra.ExactArgs(1)(c, args)
	}
	return c
}

// requests reads page after page until it has limit entries, or there are no more.
func (s *stack) requests(ctx context.Context, account, appID string, limit int32) (entries []*authv1.RequestEntry, err error) {
	req := &authv1.ListRequestsRequest{AccountId: account, AppId: appID}
	for limit > 0 {
		req.PageSize = min(limit, logPage)
		resp, err := s.usage.ListRequests(ctx, req)
		if err != nil {
			return nil, err
		}
		entries = append(entries, resp.GetRequests()...)
		limit -= int32(len(resp.GetRequests()))
		if req.PageToken = resp.GetNextPageToken(); req.PageToken == "" {
			break
		}
	}
	return entries, nil
}

func newRequest(e *authv1.RequestEntry) request {
	return request{
		At: moment(e.GetAt()), RequestID: e.GetRequestId(), AppID: e.GetAppId(), APIKeyID: orNull(e.GetApiKeyId()),
		ConnectionID: orNull(e.GetConnectionId()), Method: e.GetMethod(), Route: e.GetRoute(), Status: e.GetStatus(),
		LatencyMS: float64(e.GetLatency().AsDuration()) / float64(time.Millisecond), Bytes: e.GetBytes(), Metered: e.GetMetered(),
	}
}
