package console

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/timestamppb"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// used is a backend with usage: two apps, one of them deleted, and their keys.
type used struct {
	*backend
	apps  []*authv1.ListedApp
	byApp map[string][]*authv1.ApiKey
	rows  []*authv1.Usage
	hour  []*authv1.MinuteUsage
	stats []*authv1.RouteStats
	// asks are the requests for usage.
	asks []*authv1.ListUsageRequest
}

const (
	liveKey, goneKey = "key_1", "key_2"
	today            = "2026-03-01"
)

func newUsed() *used {
	u := &used{backend: newBackend(), byApp: map[string][]*authv1.ApiKey{}}
	gone := timestamppb.New(now.Add(-24 * time.Hour))
	u.apps = []*authv1.ListedApp{
		{App: &authv1.App{Id: "app_1", Name: `<b>Web`}}, {App: &authv1.App{Id: "app_2", Name: "Old", DeletedAt: gone}},
		{App: &authv1.App{Id: "app_3", Name: "Ancient", DeletedAt: timestamppb.New(now.AddDate(-1, 0, 0))}},
	}
	u.byApp["app_1"] = []*authv1.ApiKey{{Id: liveKey, AppId: "app_1", Name: "ats"}, {Id: "key_3", AppId: "app_1", Name: "twin", Hint: "aaaa"}, {Id: "key_4", AppId: "app_1", Name: "twin", Hint: "bbbb"}}
	u.byApp["app_2"] = []*authv1.ApiKey{{Id: goneKey, AppId: "app_2", Name: "sync", DeletedAt: gone}}
	for i := range 60 {
		u.hour = append(u.hour, &authv1.MinuteUsage{Minute: timestamppb.New(now.Add(time.Duration(i-59) * time.Minute))})
	}
	return u
}

func (u *used) ListApps(_ context.Context, r *authv1.ListAppsRequest, _ ...grpc.CallOption) (*authv1.ListAppsResponse, error) {
	return &authv1.ListAppsResponse{Apps: slices.DeleteFunc(slices.Clone(u.apps), func(a *authv1.ListedApp) bool {
		return a.GetApp().GetDeletedAt() != nil && !r.GetIncludeDeleted()
	})}, nil
}

func (u *used) ListApiKeys(_ context.Context, r *authv1.ListApiKeysRequest, _ ...grpc.CallOption) (*authv1.ListApiKeysResponse, error) {
	return &authv1.ListApiKeysResponse{ApiKeys: u.byApp[r.GetAppId()]}, nil
}

// ListUsage adds up as auth does.
func (u *used) ListUsage(_ context.Context, r *authv1.ListUsageRequest, _ ...grpc.CallOption) (*authv1.ListUsageResponse, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.asks = append(u.asks, r)
	at := map[[3]string]*authv1.Usage{}
	var order [][3]string
	for _, row := range u.rows {
		key := row.GetApiKeyId()
		if row.GetDay() < r.GetFromDay() || row.GetDay() > r.GetToDay() || r.GetAppId() != "" && r.GetAppId() != row.GetAppId() ||
			r.GetApiKeyId() != "" && r.GetApiKeyId() != key && (r.GetApiKeyId() != "token" || key != "") {
			continue
		}
		who := [3]string{row.GetDay()}
		if r.GetGroupBy() != authv1.UsageGrouping_USAGE_GROUPING_STATUS {
			who[1] = row.GetAppId()
		}
		if r.GetGroupBy() == authv1.UsageGrouping_USAGE_GROUPING_KEY {
			who[2] = key
		}
		if at[who] == nil {
			at[who] = &authv1.Usage{Day: who[0], AppId: who[1], ApiKeyId: who[2]}
			order = append(order, who)
		}
		sum := sumOf([]*authv1.Usage{at[who], row})
		sum.Day, sum.AppId, sum.ApiKeyId = who[0], who[1], who[2]
		at[who] = sum
	}
	var out []*authv1.Usage
	for _, who := range order {
		out = append(out, at[who])
	}
	return &authv1.ListUsageResponse{Usage: out}, nil
}

func (u *used) ListUsageByMinute(context.Context, *authv1.ListUsageByMinuteRequest, ...grpc.CallOption) (*authv1.ListUsageByMinuteResponse, error) {
	return &authv1.ListUsageByMinuteResponse{Minutes: u.hour}, nil
}

func (u *used) ListRouteStats(context.Context, *authv1.ListRouteStatsRequest, ...grpc.CallOption) (*authv1.ListRouteStatsResponse, error) {
	return &authv1.ListRouteStatsResponse{Routes: u.stats}, nil
}

// at opens a browser at the console of the account with this usage.
func (u *used) at(t *testing.T) *browser {
	t.Helper()
	u.live["secret"] = member(owner, "dev_1")
	br := openParts(t, parts{console: u, oauth: u, credentials: u, accounts: u, developers: u, members: u, audit: u, usages: u, me: u})
	br.cookies[sessionName] = &http.Cookie{Name: sessionName, Value: "secret"}
	return br
}

// rowsOfTable gives the rows of the table with a caption, cells separated by |.
func rowsOfTable(t *testing.T, page, caption string) []string {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for table := range root.Descendants() {
		if table.Data != "table" || !strings.HasPrefix(textOf(table), caption) {
			continue
		}
		for row := range table.Descendants() {
			if row.Data != "tr" {
				continue
			}
			var cells []string
			for cell := range row.ChildNodes() {
				if cell.Data == "td" || cell.Data == "th" {
					cells = append(cells, textOf(cell))
				}
			}
			rows = append(rows, strings.Join(cells, "|"))
		}
		return rows
	}
	t.Fatalf("the page has no table %q", caption)
	return nil
}

func textOf(n *html.Node) string {
	var text strings.Builder
	for one := range n.Descendants() {
		if one.Type == html.TextNode {
			text.WriteString(one.Data)
		}
	}
	return strings.Join(strings.Fields(text.String()), " ")
}
