package cmd

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

type usedMinute struct {
	Minute   *string `json:"minute"`
	Requests int64   `json:"requests"`
	Metered  int64   `json:"metered"`
	Refused  int64   `json:"refused"`
}

func (a *app) usageMinutesCommand() *cobra.Command {
	req := &authv1.ListUsageByMinuteRequest{}
	c := &cobra.Command{
		Use:     "minutes ACCOUNT [--minutes N] [--app ID] [--key ID]",
		Short:   "List the usage of an account in each of the last minutes, the current one last",
		Example: "  vitaectl usage minutes dev_… --minutes 10\n  vitaectl usage minutes dev_… --key key_…",
		RunE: a.withStack(func(ctx context.Context, s *stack, _ []string) error {
			resp, err := s.usage.ListUsageByMinute(ctx, req)
			if err != nil {
				return err
			}
			minutes, rows := []usedMinute{}, [][]string{}
			for _, m := range resp.GetMinutes() {
				minutes = append(minutes, usedMinute{jsonTime(m.GetMinute()), m.GetRequests(), m.GetMetered(), m.GetRefused()})
				rows = append(rows, []string{when(m.GetMinute()), count(m.GetRequests()), count(m.GetMetered()), count(m.GetRefused())})
			}
			return a.show(minutes, table([]string{"MINUTE", "REQUESTS", "METERED", "REFUSED"}, rows)...)
		}),
	}
	takeAccount(c, &req.AccountId, true)
	c.PreRunE = func(*cobra.Command, []string) error {
		if req.GetMinutes() < 1 || req.GetMinutes() > 120 {
			return fmt.Errorf("--minutes must be 1 to 120, not %d", req.GetMinutes())
		}
		return nil
	}
	c.Flags().Int32Var(&req.Minutes, "minutes", 60, "number of minutes, at most 120")
	c.Flags().StringVar(&req.AppId, "app", "", "only usage of this app (id)")
	c.Flags().StringVar(&req.ApiKeyId, "key", "", `only usage of this API key (id), or "token" for tokens and links`)
	return c
}

// usedRoute is the JSON form of the errors and latency of a route.
type usedRoute struct {
	Method       string  `json:"method"`
	Route        string  `json:"route"`
	Requests     int64   `json:"requests"`
	Failed       int64   `json:"failed"`
	ServerFailed int64   `json:"serverFailed"`
	P50MS        float64 `json:"p50Ms"`
	P95MS        float64 `json:"p95Ms"`
}

func (a *app) usageRoutesCommand() *cobra.Command {
	req := &authv1.ListRouteStatsRequest{}
	c := &cobra.Command{
		Use:   "routes ACCOUNT [--from DAY --to DAY]",
		Short: "List errors and latency of an account's requests by route",
		Long: `List errors and latency of an account's requests by route: all requests, those answered with
4xx or 5xx (failed) and with 5xx, and the 50th and 95th percentile of the latency in
milliseconds, accurate to a fifth. At most 92 days.`,
		Example: "  vitaectl usage routes dev_… --from 2030-01-01 --to 2030-01-31",
		RunE: a.withStack(func(ctx context.Context, s *stack, _ []string) error {
			resp, err := s.usage.ListRouteStats(ctx, req)
			if err != nil {
				return err
			}
			routes, rows := []usedRoute{}, [][]string{}
			for _, r := range resp.GetRoutes() {
				p50, p95 := milliseconds(r.GetP50().AsDuration()), milliseconds(r.GetP95().AsDuration())
				routes = append(routes, usedRoute{r.GetMethod(), r.GetRoute(), r.GetRequests(), r.GetFailed(), r.GetServerFailed(), p50, p95})
				rows = append(rows, []string{
					r.GetMethod(), r.GetRoute(), count(r.GetRequests()), count(r.GetFailed()), count(r.GetServerFailed()),
					strconv.FormatFloat(p50, 'f', 1, 64), strconv.FormatFloat(p95, 'f', 1, 64),
				})
			}
			return a.show(routes, table([]string{"METHOD", "ROUTE", "REQUESTS", "FAILED", "5XX", "P50 MS", "P95 MS"}, rows)...)
		}),
	}
	addDays(c, &req.FromDay, &req.ToDay)
	takeAccount(c, &req.AccountId, true)
	return c
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// refusals is the JSON form of the requests that one limit rejected in a day.
type refusals struct {
	Day      string `json:"day"`
	Limit    string `json:"limit"`
	Requests int64  `json:"requests"`
}

func (a *app) usageRefusalsCommand() *cobra.Command {
	req := &authv1.ListRefusalsRequest{}
	c := &cobra.Command{
		Use:   "refusals ACCOUNT [--from DAY --to DAY]",
		Short: "List how often each limit has refused an account's requests, by UTC day, newest first",
		Long: `List how often each limit has refused an account's requests, by UTC day, newest first, for
at most 31 days. Limits and days without refusals are omitted.`,
		Example: "  vitaectl usage refusals dev_…",
		RunE: a.withStack(func(ctx context.Context, s *stack, _ []string) error {
			resp, err := s.usage.ListRefusals(ctx, req)
			if err != nil {
				return err
			}
			listed, rows := []refusals{}, [][]string{}
			for _, r := range resp.GetRefusals() {
				listed = append(listed, refusals{r.GetDay(), r.GetLimit(), r.GetRequests()})
				rows = append(rows, []string{r.GetDay(), r.GetLimit(), count(r.GetRequests())})
			}
			return a.show(listed, table([]string{"DAY", "LIMIT", "REFUSED"}, rows)...)
		}),
	}
	addDays(c, &req.FromDay, &req.ToDay)
	takeAccount(c, &req.AccountId, true)
	return c
}
