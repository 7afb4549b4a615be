package cmd

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// used is the JSON form of a row of usage. APIKeyID is null for the requests that were
// made with tokens and links of the app.
type used struct {
	Day      string  `json:"day"`
	AppID    string  `json:"appId"`
	APIKeyID *string `json:"apiKeyId"`
	Requests int64   `json:"requests"`
	Metered  int64   `json:"metered"`
	Failed   int64   `json:"failed"`
	Refused  int64   `json:"refused"`
}

func (a *app) usageCommand() *cobra.Command {
	var (
		from, to   dayFlag
		app, keyID string
	)
	c := &cobra.Command{
		Use:   "usage ACCOUNT [--from DAY --to DAY] [--app ID] [--key ID]",
		Short: "List what an account has used, by UTC day, app and key, newest first",
		Long: `List what an account has used, by UTC day, app and key, newest day first: requests
that were answered, those of them that were spent of the account's budget (metered),
those that were answered with 4xx or 5xx (failed), and those of the failed ones that a
limit refused (refused). At most 92 days.`,
		Args: cobra.ExactArgs(1),
		RunE: a.withStack(func(ctx context.Context, s *stack, args []string) error {
			resp, err := s.usage.ListUsage(ctx, &authv1.ListUsageRequest{
				AccountId: args[0], FromDay: string(from), ToDay: string(to), AppId: app, ApiKeyId: keyID,
			})
			if err != nil {
				return err
			}
			rows, lines := []used{}, []string{}
			for _, u := range resp.GetUsage() {
				rows = append(rows, used{
					Day: u.GetDay(), AppID: u.GetAppId(), APIKeyID: orNull(u.GetApiKeyId()),
					Requests: u.GetRequests(), Metered: u.GetMetered(), Failed: u.GetFailed(), Refused: u.GetRefused(),
				})
				by := u.GetApiKeyId()
				if by == "" {
					by = "tokens and links"
				}
				lines = append(lines, fmt.Sprintf("%s  %s  %s  %d requests, %d metered, %d failed, %d refused",
					u.GetDay(), u.GetAppId(), by, u.GetRequests(), u.GetMetered(), u.GetFailed(), u.GetRefused()))
			}
			return a.show(rows, lines...)
		}),
	}
	c.Flags().StringVar(&app, "app", "", "id of an app, to list its usage alone")
	c.Flags().StringVar(&keyID, "key", "", `id of an API key, or "token" for tokens and links`)
	c.Flags().Var(&from, "from", "first day, YYYY-MM-DD (default 29 days before the last)")
	c.Flags().Var(&to, "to", "last day, YYYY-MM-DD (default today)")
	return c
}

// dayFlag reads a day, so that a malformed day is an error of usage.
type dayFlag string

// Set implements pflag.Value.
func (f *dayFlag) Set(s string) error {
	if _, err := time.Parse(time.DateOnly, s); err != nil {
		return errors.New("must be a day, for example 2030-01-31")
	}
	*f = dayFlag(s)
	return nil
}

// Type implements pflag.Value.
func (f *dayFlag) Type() string { return "day" }

// String implements pflag.Value.
func (f *dayFlag) String() string { return string(*f) }

// orNull gives a text for JSON, nil if it is empty.
func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
