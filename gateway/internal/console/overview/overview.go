// Package overview implements the start page of an account.
package overview

import (
	"context"
	"embed"
	"net/http"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"vitae.internal/docs"
	"vitae.internal/gateway/internal/console/apps"
	"vitae.internal/gateway/internal/console/shell"
	"vitae.internal/gateway/internal/web"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// Files contains the page's templates.
//
//go:embed templates
var Files embed.FS

type handlers struct {
	*shell.Shell
	developers authv1.DeveloperServiceClient
	usages     authv1.UsageServiceClient
	// news holds the partner announcements, newest first.
	news []docs.Entry
}

// Routes returns the route of the page.
func Routes(s *shell.Shell) ([]web.Route, error) {
	news, err := docs.News()
	h := handlers{s, authv1.NewDeveloperServiceClient(s.Auth), authv1.NewUsageServiceClient(s.Auth), news[:min(newsShown, len(news))]}
	return []web.Route{{Path: "/{$}", Get: s.Member(h.show)}}, err
}

// newsShown is the number of announcements on the page.
const newsShown = 3

// view holds the data for the page.
type view struct {
	Account  string
	Verified bool
	Plan     string
	Budget   *shell.Budget
	Errors   lastErrors
	Apps     []appRow
	// Today is the number of requests that all apps have sent today, including unmetered ones. It
	// may be smaller than the number in Budget, because usage is recorded later than the counters
	// change.
	Today int64
	// Keys are the keys that have expired or expire soon.
	Keys        []endingKey
	News        []docs.Entry
	NewsAddress string
	// Steps are the steps to the first request. It is nil once a request has been sent.
	Steps []step
}

// appRow is an app with the number of requests that it has sent today.
type appRow struct {
	apps.Row
	Today int64
}

// read holds what the page reads from the auth service.
type read struct {
	apps   []*authv1.ListedApp
	live   []*authv1.App
	keys   [][]*authv1.ApiKey // by index of live
	used   map[string]int64   // by app id
	logged bool
}

func (h handlers) show(w http.ResponseWriter, r *http.Request, v shell.Visit) error {
	body := view{
		Account: v.Member.GetAccountName(), Verified: v.Member.GetVerified(), Plan: shell.PlanTitle(v.Member.GetPlan()),
		News: h.news, NewsAddress: h.AppURL + "/docs/news",
	}
	now := h.Clock.Now().UTC()
	found, err := h.read(r.Context(), v, now, &body)
	if err != nil {
		return err
	}
	body.Keys = found.ending(now)
	for _, listed := range found.apps {
		body.Apps = append(body.Apps, appRow{apps.RowOf(listed), found.used[listed.GetApp().GetId()]})
	}
	for _, requests := range found.used {
		body.Today += requests
	}
	if !found.logged {
		if found.logged, err = h.everUsed(r.Context(), v.AccountID(), now); err != nil {
			return err
		}
	}
	body.Steps = h.steps(found)
	return h.Draw(w, r, v, shell.Page{Template: "overview", Title: "Overview", Body: body, Budget: body.Budget})
}

// read makes the page's calls to the auth service concurrently.
func (h handlers) read(ctx context.Context, v shell.Visit, now time.Time, body *view) (found read, err error) {
	account := v.AccountID()
	work, ctx := errgroup.WithContext(ctx)
	work.Go(func() error {
		body.Budget = h.Budget(ctx, v)
		return nil
	})
	work.Go(func() (err error) {
		body.Errors, err = h.lastErrors(ctx, account, now)
		return err
	})
	work.Go(func() (err error) {
		found.used, err = h.usedToday(ctx, account, now)
		return err
	})
	work.Go(func() error {
		log, err := h.usages.ListRequests(ctx, &authv1.ListRequestsRequest{AccountId: account, PageSize: 1})
		found.logged = len(log.GetRequests()) > 0
		return err
	})
	work.Go(func() error {
		listed, err := h.developers.ListApps(ctx, &authv1.ListAppsRequest{AccountId: account})
		if err != nil {
			return err
		}
		found.apps, found.live = listed.GetApps(), shell.LiveApps(listed.GetApps())
		found.keys, err = h.Keys(ctx, false, found.live)
		return err
	})
	err = work.Wait()
	return found, err
}

// usedToday returns the number of requests that each app has sent on the current UTC day.
func (h handlers) usedToday(ctx context.Context, accountID string, now time.Time) (map[string]int64, error) {
	day := now.Format(time.DateOnly)
	found, err := h.usages.ListUsage(ctx, &authv1.ListUsageRequest{
		AccountId: accountID, FromDay: day, ToDay: day, GroupBy: authv1.UsageGrouping_USAGE_GROUPING_APP,
	})
	byApp := map[string]int64{}
	for _, u := range found.GetUsage() {
		byApp[u.GetAppId()] += u.GetRequests()
	}
	return byApp, err
}

// endingKey is a key that has expired or expires soon.
type endingKey struct {
	apps.Key
	AppID, AppName string
}

// ending returns the keys that have expired or expire soon, sorted by expiry.
func (f read) ending(now time.Time) (all []endingKey) {
	for i, app := range f.live {
		for _, k := range f.keys[i] {
			if key := apps.KeyOf(k, now); key.Over || key.Soon {
				all = append(all, endingKey{key, app.GetId(), app.GetName()})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b endingKey) int { return a.Expires.Compare(b.Expires) })
	return all
}

// maxUsageDays is the maximum period of a usage query, in days.
const maxUsageDays = 92

// everUsed reports whether an account with an empty log has ever been used: whether it has usage, a
// key that was used, or a person who connected an app. Deleted keys and apps count too.
func (h handlers) everUsed(ctx context.Context, accountID string, now time.Time) (bool, error) {
	used, err := h.usages.ListUsage(ctx, &authv1.ListUsageRequest{
		AccountId: accountID, FromDay: now.AddDate(0, 0, 1-maxUsageDays).Format(time.DateOnly), ToDay: now.Format(time.DateOnly),
		GroupBy: authv1.UsageGrouping_USAGE_GROUPING_APP,
	})
	if err != nil || len(used.GetUsage()) > 0 {
		return err == nil, err
	}
	found, err := h.developers.ListApps(ctx, &authv1.ListAppsRequest{AccountId: accountID, IncludeDeleted: true})
	if err != nil {
		return false, err
	}
	var all []*authv1.App
	for _, listed := range found.GetApps() {
		if listed.GetConnections() > 0 {
			return true, nil
		}
		all = append(all, listed.GetApp())
	}
	lists, err := h.Keys(ctx, true, all)
	return slices.ContainsFunc(slices.Concat(lists...), func(k *authv1.ApiKey) bool { return k.GetLastUsedAt() != nil }), err
}

// step is one of the steps to the first request.
type step struct {
	// Done describes how the step was done. It is "" if the step has not been done yet.
	Text, Done string
	Path, Link string
	// Lines are shell commands, or "" if there are none.
	Lines string
}

// steps returns the steps to the first request, or nil if a request has already been sent.
func (h handlers) steps(found read) []step {
	if found.logged {
		return nil
	}
	all := []step{
		{Text: "Create an app", Path: shell.AppsPath + "/new", Link: "Create app"},
		{Text: "Create an API key for it", Path: shell.AppsPath, Link: "Apps"},
		{Text: "Send the first request", Path: h.AppURL + "/docs/first-app", Link: "Guide"},
	}
	if len(found.apps) > 0 {
		all[0].Done = found.apps[0].GetApp().GetName()
	}
	if len(found.apps) == 1 { // if there are several, the person chooses one
		all[1].Path, all[1].Link = shell.KeysPath(found.apps[0].GetApp().GetId()), "Create key"
	}
	if len(slices.Concat(found.keys...)) > 0 {
		all[1].Done = "done"
		all[2].Text, all[2].Lines = "Send the first request, with your key in place of YOUR_KEY", apps.Try(h.BaseURL, "YOUR_KEY", "/v1/companies")
	}
	return all
}
