package console

import (
	"context"
	"net/http"
	"time"

	"golang.org/x/sync/errgroup"

	"vitae.internal/gateway/internal/console/plot"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

const usagePath = "/usage"

// usageView is the page of an account's usage.
type usageView struct {
	usageForm
	Figures []figure
	Days    plot.Drawing
	Table   dayTable
	Hour    plot.Drawing
	Minutes []minuteRow
	Routes  []routeRow
	// From and To are the first and the last day.
	From, To time.Time
	// Download and the others are the addresses of the same as files.
	Download, DownloadMinutes, DownloadRoutes string
	// None says that there was no request at all.
	None bool
}

// figure is a number that people look for first.
type figure struct{ Name, Value, Note string }

// usageData is what the page is made of, as auth tells it.
type usageData struct {
	plan    *authv1.Plan
	names   *catalog
	usage   []*authv1.Usage
	minutes []*authv1.MinuteUsage
	routes  []*authv1.RouteStats
}

// usage shows what the account has used.
func (c *Console) usage(w http.ResponseWriter, r *http.Request, v visit) error {
	q, err := readUsageQuery(r.URL.Query(), c.Clock.Now())
	if err != nil {
		return err
	}
	account := v.account.GetAccountId()
	data, err := c.readUsage(r.Context(), account, &q)
	if err != nil {
		return err
	}
	body := usageView{
		usageForm: formForUsage(q, data.names), From: q.first, To: q.last,
		Download: q.address(".csv"), DownloadMinutes: q.address("/minutes.csv"), DownloadRoutes: q.address("/routes.csv"),
	}
	days := newDayCounts(q, data.usage, data.names)
	body.Figures, body.None = figures(days.total), days.total.GetRequests() == 0
	body.Table = days.table()
	if body.Days, err = days.plot(data.plan, c.Clock.Now()); err != nil {
		return err
	}
	if body.Hour, err = hourPlot(data.minutes, data.plan); err != nil {
		return err
	}
	body.Minutes, body.Routes = minuteRows(data.minutes), routeRows(data.routes)
	return c.draw(w, r, v, answerPage{name: "usage", title: "Usage", body: body})
}

// readUsage asks auth for everything at once. A key that does not belong to the chosen app
// leaves the query: a form in which somebody changes the app still sends the key.
func (c *Console) readUsage(ctx context.Context, account string, q *usageQuery) (usageData, error) {
	var data usageData
	var err error
	if data.names, err = c.readCatalog(ctx, account, q.first, q.app); err != nil {
		return data, err
	}
	if q.app != "" && q.key != "" && q.key != anyToken && data.names.appOf(q.key) != q.app {
		q.key = ""
	}
	calls, ctx := errgroup.WithContext(ctx)
	calls.Go(func() error {
		found, err := c.developers.GetAccount(ctx, &authv1.GetAccountRequest{Id: account})
		data.plan = found.GetAccount().GetPlan()
		return err
	})
	calls.Go(func() error {
		found, err := c.usages.ListUsage(ctx, q.listUsage(account, q.by.grouping))
		data.usage = found.GetUsage()
		return err
	})
	calls.Go(func() error {
		found, err := c.usages.ListUsageByMinute(ctx, q.listMinutes(account))
		data.minutes = found.GetMinutes()
		return err
	})
	calls.Go(func() error {
		found, err := c.usages.ListRouteStats(ctx, q.listRoutes(account))
		data.routes = found.GetRoutes()
		return err
	})
	return data, calls.Wait()
}

// figures are the sums of the page.
func figures(total *authv1.Usage) []figure {
	share := func(n int64) string {
		if total.GetRequests() == 0 {
			return ""
		}
		return percent(n, total.GetRequests()) + " of all"
	}
	return []figure{
		{"Requests", plot.Grouped(total.GetRequests()), ""},
		{"Metered", plot.Grouped(total.GetMetered()), share(total.GetMetered())},
		{"Failed", plot.Grouped(total.GetFailed()), share(total.GetFailed())},
		{"Refused by a limit", plot.Grouped(total.GetRefused()), share(total.GetRefused())},
	}
}
