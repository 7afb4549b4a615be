// Package usage implements the pages about an account's usage and limits.
package usage

import (
	"context"
	"embed"
	"net/http"
	"time"

	"golang.org/x/sync/errgroup"

	"vitae.internal/gateway/internal/console/plot"
	"vitae.internal/gateway/internal/console/shell"
	"vitae.internal/gateway/internal/web"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// Files contains the templates and styles of the pages.
//
//go:embed templates static
var Files embed.FS

type handlers struct {
	*shell.Shell
	developers authv1.DeveloperServiceClient
	usages     authv1.UsageServiceClient
}

// Routes returns the routes of the pages.
func Routes(s *shell.Shell) []web.Route {
	h := handlers{s, authv1.NewDeveloperServiceClient(s.Auth), authv1.NewUsageServiceClient(s.Auth)}
	requestPlan := s.Member(s.Once(shell.LimitsPath, h.requestPlan))
	return []web.Route{
		{Path: shell.UsagePath, Get: s.Member(h.show)},
		{Path: shell.UsagePath + ".csv", Get: s.Member(h.dayFile)},
		{Path: shell.UsagePath + "/minutes.csv", Get: s.Member(h.minuteFile)},
		{Path: shell.UsagePath + "/routes.csv", Get: s.Member(h.routeFile)},
		{Path: shell.LimitsPath, Get: s.Member(h.limits), Post: s.Whole(shell.Fields{"per-minute", "per-day", "reason", shell.FormField}, requestPlan)},
	}
}

// view holds the data for the usage page.
type view struct {
	form
	Figures []figure
	Days    plot.Drawing
	Table   dayTable
	Hour    plot.Drawing
	Minutes []minuteRow
	Routes  []routeRow
	// From and To are the first and last day.
	From, To time.Time
	// Download, DownloadMinutes and DownloadRoutes are the URLs of the CSV files.
	Download, DownloadMinutes, DownloadRoutes string
	// None reports whether there were no requests.
	None bool
}

// figure is a total with an explanation.
type figure struct{ Name, Value, Note string }

// read holds what the page reads from the auth service.
type read struct {
	plan    *authv1.Plan
	names   *shell.Catalog
	usage   []*authv1.Usage
	minutes []*authv1.MinuteUsage
	routes  []*authv1.RouteStats
}

func (h handlers) show(w http.ResponseWriter, r *http.Request, v shell.Visit) error {
	q, err := readQuery(r.URL.Query(), h.Clock.Now())
	if err != nil {
		return err
	}
	found, err := h.read(r.Context(), v.AccountID(), &q)
	if err != nil {
		return err
	}
	body := view{
		form: formFor(q, found.names), From: q.first, To: q.last,
		Download: q.address(".csv"), DownloadMinutes: q.address("/minutes.csv"), DownloadRoutes: q.address("/routes.csv"),
	}
	days := newDayCounts(q, found.usage, found.names)
	body.Figures, body.None = figures(days.total), days.total.GetRequests() == 0
	body.Table = days.table()
	if body.Days, err = days.plot(found.plan, h.Clock.Now()); err != nil {
		return err
	}
	if body.Hour, err = hourPlot(found.minutes, found.plan); err != nil {
		return err
	}
	body.Minutes, body.Routes = minuteRows(found.minutes), routeRows(found.routes)
	return h.Draw(w, r, v, shell.Page{Template: "usage", Title: "Usage", Body: body})
}

// read makes the page's calls to the auth service. It removes the key from the query if the key
// belongs to a different app, because the form still submits the key after the person has selected
// a different app.
func (h handlers) read(ctx context.Context, account string, q *query) (found read, err error) {
	if found.names, err = h.Catalog(ctx, account, q.first, q.app); err != nil {
		return found, err
	}
	if q.app != "" && q.key != "" && q.key != shell.AnyToken && found.names.Key(q.key).GetAppId() != q.app {
		q.key = ""
	}
	calls, ctx := errgroup.WithContext(ctx)
	calls.Go(func() error {
		resp, err := h.developers.GetAccount(ctx, &authv1.GetAccountRequest{Id: account})
		found.plan = resp.GetAccount().GetPlan()
		return err
	})
	calls.Go(func() error {
		resp, err := h.usages.ListUsage(ctx, q.listUsage(account, q.by.grouping))
		found.usage = resp.GetUsage()
		return err
	})
	calls.Go(func() error {
		resp, err := h.usages.ListUsageByMinute(ctx, q.listMinutes(account))
		found.minutes = resp.GetMinutes()
		return err
	})
	calls.Go(func() error {
		resp, err := h.usages.ListRouteStats(ctx, q.listRoutes(account))
		found.routes = resp.GetRoutes()
		return err
	})
	err = calls.Wait()
	return found, err
}

// figures returns the totals shown on the page.
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
