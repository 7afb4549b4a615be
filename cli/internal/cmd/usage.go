package cmd

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// used is the JSON form of a row of usage. AppID is empty in a row that is not by app.
// APIKeyID is null for the requests that were made with tokens and links of the app, and in a
// row that is not by key. The names are null where none is known.
type used struct {
	Day          string  `json:"day"`
	AppID        string  `json:"appId"`
	AppName      *string `json:"appName"`
	APIKeyID     *string `json:"apiKeyId"`
	APIKeyName   *string `json:"apiKeyName"`
	Requests     int64   `json:"requests"`
	Metered      int64   `json:"metered"`
	Failed       int64   `json:"failed"`
	Refused      int64   `json:"refused"`
	Redirected   int64   `json:"redirected"`
	ServerFailed int64   `json:"serverFailed"`
}

func newUsed(u *authv1.Usage, n names) used {
	return used{
		Day: u.GetDay(), AppID: u.GetAppId(), AppName: orNull(n.apps[u.GetAppId()]), APIKeyID: orNull(u.GetApiKeyId()),
		APIKeyName: orNull(n.keys[u.GetApiKeyId()]), Requests: u.GetRequests(), Metered: u.GetMetered(), Failed: u.GetFailed(),
		Refused: u.GetRefused(), Redirected: u.GetRedirected(), ServerFailed: u.GetServerFailed(),
	}
}

func (a *app) usageCommand() *cobra.Command {
	var from, to dayFlag
	by := groupingFlag{authv1.UsageGrouping_USAGE_GROUPING_KEY}
	req := &authv1.ListUsageRequest{}
	c := &cobra.Command{
		Use:   "usage ACCOUNT [--by app|key|status] [--from DAY --to DAY] [--app ID] [--key ID]",
		Short: "List what an account has used, by UTC day, app and key, newest first",
		Long: `List what an account has used, by UTC day, app and key, newest day first: requests
that were answered, those of them that were spent of the account's budget (metered),
those that were answered with 4xx or 5xx (failed), and those of the failed ones that a
limit refused (refused). At most 92 days. With "--by status", a day is one row.`,
		Example: "  vitaectl usage dev_… --by app --from 2030-01-01 --to 2030-01-31\n" +
			"  vitaectl usage minutes dev_…\n" +
			"  vitaectl usage routes dev_… --from 2030-01-01",
		Args: cobra.ExactArgs(1),
		RunE: a.withStack(func(ctx context.Context, s *stack, args []string) error {
			req.AccountId, req.FromDay, req.ToDay, req.GroupBy = args[0], string(from), string(to), by.grouping
			resp, err := s.usage.ListUsage(ctx, req)
			if err != nil {
				return err
			}
			n, err := namesOf(ctx, s, args[0], resp.GetUsage())
			if err != nil {
				return err
			}
			rows := []used{}
			for _, u := range resp.GetUsage() {
				rows = append(rows, newUsed(u, n))
			}
			return a.show(rows, usageTable(rows, by.grouping)...)
		}),
	}
	c.Flags().Var(&by, "by", "what a row is: app, key or status")
	complete(c, "by", groupingNames)
	c.Flags().StringVar(&req.AppId, "app", "", "id of an app, to list its usage alone")
	c.Flags().StringVar(&req.ApiKeyId, "key", "", `id of an API key, or "token" for tokens and links`)
	addDays(c, &from, &to)
	c.AddCommand(a.usageMinutesCommand(), a.usageRoutesCommand(), a.usageRefusalsCommand())
	return c
}

// addDays gives a command the flags of a range of days.
func addDays(c *cobra.Command, from, to *dayFlag) {
	c.Flags().Var(from, "from", "first day, YYYY-MM-DD (default 29 days before the last)")
	c.Flags().Var(to, "to", "last day, YYYY-MM-DD (default today)")
}

// usageTable is the usage for people to read.
func usageTable(rows []used, by authv1.UsageGrouping) []string {
	headings := []string{"DAY"}
	switch by {
	case authv1.UsageGrouping_USAGE_GROUPING_STATUS:
		headings = append(headings, "REQUESTS", "METERED", "2XX", "3XX", "4XX", "REFUSED", "5XX")
	case authv1.UsageGrouping_USAGE_GROUPING_APP:
		headings = append(headings, "APP", "APP ID", "REQUESTS", "METERED", "FAILED", "REFUSED")
	default:
		headings = append(headings, "APP", "APP ID", "KEY", "KEY ID", "REQUESTS", "METERED", "FAILED", "REFUSED")
	}
	var lines [][]string
	for _, u := range rows {
		line := []string{u.Day}
		if by == authv1.UsageGrouping_USAGE_GROUPING_STATUS {
			// A refused request is one of the failed, and has a column of its own.
			lines = append(lines, append(line, count(u.Requests), count(u.Metered), count(u.Requests-u.Failed-u.Redirected), count(u.Redirected),
				count(u.Failed-u.ServerFailed-u.Refused), count(u.Refused), count(u.ServerFailed)))
			continue
		}
		line = append(line, orDash(u.AppName), u.AppID)
		if by != authv1.UsageGrouping_USAGE_GROUPING_APP {
			if u.APIKeyID == nil {
				line = append(line, "tokens and links", "-")
			} else {
				line = append(line, orDash(u.APIKeyName), *u.APIKeyID)
			}
		}
		lines = append(lines, append(line, count(u.Requests), count(u.Metered), count(u.Failed), count(u.Refused)))
	}
	return table(headings, lines)
}

func count(n int64) string { return strconv.FormatInt(n, 10) }

// orDash gives a name for a column.
func orDash(name *string) string {
	if name == nil {
		return "-"
	}
	return oneLine(*name)
}

// dashed gives a text for a column.
func dashed(text string) string { return orDash(orNull(text)) }

// names are the names of apps and keys by their ids.
type names struct{ apps, keys map[string]string }

// counted is what an app has done, with one of its keys or without.
type counted interface {
	GetAppId() string
	GetApiKeyId() string
}

// namesOf reads the names of what the rows are about, also of what was deleted. It asks for
// the keys of an app only if a row is by one of them.
func namesOf[R counted](ctx context.Context, s *stack, account string, rows []R) (names, error) {
	n := names{apps: map[string]string{}, keys: map[string]string{}}
	withKeys := map[string]bool{}
	for _, u := range rows {
		if u.GetAppId() != "" {
			withKeys[u.GetAppId()] = withKeys[u.GetAppId()] || u.GetApiKeyId() != ""
		}
	}
	if len(withKeys) == 0 {
		return n, nil
	}
	apps, err := s.Developers.ListApps(ctx, &authv1.ListAppsRequest{AccountId: account, IncludeDeleted: true})
	if err != nil {
		return n, err
	}
	for _, listed := range apps.GetApps() {
		app := listed.GetApp()
		n.apps[app.GetId()] = app.GetName()
		if !withKeys[app.GetId()] {
			continue
		}
		keys, err := s.Developers.ListApiKeys(ctx, &authv1.ListApiKeysRequest{AppId: app.GetId(), IncludeDeleted: true})
		if err != nil {
			return n, err
		}
		for _, k := range keys.GetApiKeys() {
			n.keys[k.GetId()] = k.GetName()
		}
	}
	return n, nil
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
