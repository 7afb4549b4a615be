package console

import (
	"context"
	"net/http"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"vitae.internal/docs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// overviewView is what a developer looks for first.
type overviewView struct {
	Account  string
	Verified bool
	Plan     string
	Budget   *budget
	Errors   lastErrors
	Apps     []overviewApp
	// Today is how many requests all apps have made in the present UTC day, those too that the
	// quota does not count. Usage comes a moment after the counters, so it may still be less.
	Today int64
	// Keys are those that have ended or end soon.
	Keys []endingKey
	News []docs.Entry
	// NewsAddress is where all news are.
	NewsAddress string
	// Steps lead to the first request; nil once all are done.
	Steps []step
}

// overviewApp is an app in the list.
type overviewApp struct {
	appRow
	// Today is how many requests it has made in the present UTC day.
	Today int64
}

// newsShown is how many news the overview shows.
const newsShown = 3

// overview is the start page of an account. Its parts are asked for at the same time.
func (c *Console) overview(w http.ResponseWriter, r *http.Request, v visit) error {
	body := overviewView{
		Account: v.account.GetAccountName(), Verified: v.account.GetVerified(), Plan: planTitle(v.account.GetPlan()),
		News: c.news[:min(newsShown, len(c.news))], NewsAddress: c.AppURL + "/docs/news",
	}
	account, now := v.account.GetAccountId(), c.Clock.Now().UTC()
	var apps []*authv1.ListedApp
	var keys appKeys
	var used map[string]int64
	var logged bool
	work, ctx := errgroup.WithContext(r.Context())
	work.Go(func() error {
		body.Budget = c.budgetOf(ctx, v)
		return nil
	})
	work.Go(func() (err error) {
		body.Errors, err = c.lastErrors(ctx, account, now)
		return err
	})
	work.Go(func() (err error) {
		used, err = c.usedToday(ctx, account, now)
		return err
	})
	work.Go(func() (err error) {
		logged, err = c.hasLogged(ctx, account)
		return err
	})
	work.Go(func() error {
		found, err := c.developers.ListApps(ctx, &authv1.ListAppsRequest{AccountId: account})
		if err != nil {
			return err
		}
		apps = found.GetApps()
		keys, err = c.keysOfApps(ctx, apps)
		return err
	})
	if err := work.Wait(); err != nil {
		return err
	}
	body.Keys = keys.ending(now)
	for _, listed := range apps {
		a := listed.GetApp()
		body.Apps = append(body.Apps, overviewApp{
			appRow{ID: a.GetId(), Name: a.GetName(), State: stateName(listed.GetState()), Connections: listed.GetConnections()}, used[a.GetId()],
		})
	}
	for _, requests := range used {
		body.Today += requests
	}
	if !logged {
		var err error
		if logged, err = c.everUsed(r.Context(), account, now); err != nil {
			return err
		}
	}
	body.Steps = c.steps(apps, keys, logged)
	return c.draw(w, r, v, answerPage{name: "overview", title: "Overview", body: body, budget: body.Budget})
}

// step is one of the steps to the first request.
type step struct {
	Text, Done string
	// Path is where it is taken, Link what that is called.
	Path, Link string
	// Lines are for a terminal; empty for a step that is taken elsewhere.
	Lines string
}

// hasLogged reports whether the log has a request of the account.
func (c *Console) hasLogged(ctx context.Context, accountID string) (bool, error) {
	log, err := c.usages.ListRequests(ctx, &authv1.ListRequestsRequest{AccountId: accountID, PageSize: 1})
	return len(log.GetRequests()) > 0, err
}

// usageAsked is how many days of usage one question covers.
const usageAsked = 92

// everUsed reports whether the account was at work before what the log still has: it has
// usage of the last months, a key of it was used, or somebody has connected an app of it.
// Deleted keys and apps count too.
func (c *Console) everUsed(ctx context.Context, accountID string, now time.Time) (bool, error) {
	used, err := c.usages.ListUsage(ctx, &authv1.ListUsageRequest{
		AccountId: accountID, FromDay: now.AddDate(0, 0, 1-usageAsked).Format(time.DateOnly), ToDay: now.Format(time.DateOnly),
		GroupBy: authv1.UsageGrouping_USAGE_GROUPING_APP,
	})
	if err != nil || len(used.GetUsage()) > 0 {
		return err == nil, err
	}
	found, err := c.developers.ListApps(ctx, &authv1.ListAppsRequest{AccountId: accountID, IncludeDeleted: true})
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
	lists, err := c.keysOf(ctx, true, all)
	for _, keys := range lists {
		if slices.ContainsFunc(keys, func(k *authv1.ApiKey) bool { return k.GetLastUsedAt() != nil }) {
			return true, err
		}
	}
	return false, err
}

// steps gives the steps to the first request of an account, nil once that was sent. What was
// done is told by the lists and the log.
func (c *Console) steps(apps []*authv1.ListedApp, keys appKeys, started bool) []step {
	if started {
		return nil
	}
	all := []step{
		{Text: "Create an app", Path: appsPath + "/new", Link: "Create app"},
		{Text: "Create an API key for it", Path: appsPath, Link: "Apps"},
		{Text: "Send the first request", Path: c.AppURL + "/docs/first-app", Link: "Guide"},
	}
	if len(apps) > 0 {
		all[0].Done = apps[0].GetApp().GetName()
	}
	if len(apps) == 1 { // of several, the person has to choose
		all[1].Path, all[1].Link = keysPath(apps[0].GetApp().GetId()), "Create key"
	}
	if keys.any() {
		all[1].Done = "done"
		all[2].Text, all[2].Lines = "Send the first request, with your key in place of YOUR_KEY", c.tryWith("YOUR_KEY", "/v1/companies")
	}
	return all
}

// usedToday gives how many requests each app has made in the present UTC day.
func (c *Console) usedToday(ctx context.Context, accountID string, now time.Time) (map[string]int64, error) {
	day := now.Format(time.DateOnly)
	found, err := c.usages.ListUsage(ctx, &authv1.ListUsageRequest{
		AccountId: accountID, FromDay: day, ToDay: day, GroupBy: authv1.UsageGrouping_USAGE_GROUPING_APP,
	})
	if err != nil {
		return nil, err
	}
	byApp := map[string]int64{}
	for _, u := range found.GetUsage() {
		byApp[u.GetAppId()] += u.GetRequests()
	}
	return byApp, nil
}
