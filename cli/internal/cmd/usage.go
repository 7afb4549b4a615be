package cmd

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// used is the JSON form of a row of usage. AppID is empty unless rows are grouped by app or key.
// APIKeyID is null for requests with tokens and links, and unless rows are grouped by key. Names
// are null if unknown.
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
	by := authv1.UsageGrouping_USAGE_GROUPING_KEY
	req := &authv1.ListUsageRequest{}
	c := &cobra.Command{
		Use:   "usage ACCOUNT [--by app|key|status] [--app ID] [--key ID] [--from DAY --to DAY]",
		Short: "List the usage of an account by UTC day, app and key, newest first",
		Long: `List the usage of an account by UTC day, app and key, newest day first: answered requests,
those counted against the account's limits (metered), those answered with 4xx or 5xx
(failed), and the failed ones that a limit refused (refused). At most 92 days. With
"--by status", each row is a day.`,
		Example: "  vitaectl usage dev_… --by app --from 2030-01-01 --to 2030-01-31\n" +
			"  vitaectl usage minutes dev_…\n" +
			"  vitaectl usage routes dev_… --from 2030-01-01",
		RunE: a.withStack(func(ctx context.Context, s *stack, _ []string) error {
			req.GroupBy = by
			resp, err := s.usage.ListUsage(ctx, req)
			if err != nil {
				return err
			}
			n, err := namesOf(ctx, s, req.GetAccountId(), resp.GetUsage())
			if err != nil {
				return err
			}
			rows := []used{}
			for _, u := range resp.GetUsage() {
				rows = append(rows, newUsed(u, n))
			}
			return a.show(rows, usageTable(rows, by)...)
		}),
	}
	c.Flags().Var(&parsedFlag{kind: "grouping", text: "key", parse: func(s string) error {
		at := slices.Index(groupingNames, s)
		if at < 0 {
			return errors.New("must be " + strings.Join(groupingNames, ", "))
		}
		by = authv1.UsageGrouping(at + 1)
		return nil
	}}, "by", "how rows are grouped: app, key or status")
	complete(c, "by", groupingNames)
	c.Flags().StringVar(&req.AppId, "app", "", "only usage of this app (id)")
	c.Flags().StringVar(&req.ApiKeyId, "key", "", `only usage of this API key (id), or "token" for tokens and links`)
	addDays(c, &req.FromDay, &req.ToDay)
	takeAccount(c, &req.AccountId, true)
	c.AddCommand(a.usageMinutesCommand(), a.usageRoutesCommand(), a.usageRefusalsCommand())
	return c
}

// groupingNames are the values of --by, in the order of the enum.
var groupingNames = []string{"app", "key", "status"}

// addDays adds the flags for a range of days.
func addDays(c *cobra.Command, from, to *string) {
	addDay(c, from, "from", "first UTC day, YYYY-MM-DD (default 29 days before the last)")
	addDay(c, to, "to", "last UTC day (default today)")
}

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
			// Rejected requests also count as failed, but have a separate column.
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

func orDash(name *string) string {
	if name == nil {
		return "-"
	}
	return oneLine(*name)
}

// dashed replaces an empty string with a dash.
func dashed(text string) string { return orDash(orNull(text)) }

// names holds the names of apps and keys by id.
type names struct{ apps, keys map[string]string }

// counted is a row about an app and possibly one of its keys.
type counted interface {
	GetAppId() string
	GetApiKeyId() string
}

// namesOf reads the names of the apps and keys in rows, including deleted ones. It reads the keys
// of an app only if a row has one of them.
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

// orNull returns nil for an empty string.
func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
