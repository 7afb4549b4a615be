package console

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/docs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	optionsv1 "vitae.internal/proto/gen/vitae/options/v1"
)

// watched is a backend with what the overview shows: apps with keys, usage and a log.
type watched struct {
	*backend
	mu   sync.Mutex
	apps []*authv1.ListedApp
	// deleted are the apps that were deleted.
	deleted []*authv1.ListedApp
	byApp   map[string][]*authv1.ApiKey
	rows    []*authv1.Usage
	// pastDay is a day before today that has usage; empty for none.
	pastDay string
	log     []*authv1.RequestEntry
	// searches are what the log was asked, by status.
	searches map[string]*authv1.ListRequestsRequest
}

func newWatched() *watched {
	w := &watched{backend: newBackend(), byApp: map[string][]*authv1.ApiKey{}, searches: map[string]*authv1.ListRequestsRequest{}}
	for _, id := range []string{"app_1", "app_2"} {
		w.apps = append(w.apps, &authv1.ListedApp{App: &authv1.App{Id: id, Name: "Name of " + id}, State: authv1.AppState_APP_STATE_LIVE})
	}
	return w
}

// visitor is a browser at the console in front of the backend.
func (w *watched) visitor(t *testing.T, role optionsv1.Role) *browser {
	t.Helper()
	b := openParts(t, parts{console: w, oauth: w, credentials: w, accounts: w, developers: w, members: w, audit: w, usages: w, me: w})
	return b.as(w.backend, member(role, "dev_1"))
}

func (w *watched) ListApps(_ context.Context, r *authv1.ListAppsRequest, _ ...grpc.CallOption) (*authv1.ListAppsResponse, error) {
	if r.GetIncludeDeleted() {
		return &authv1.ListAppsResponse{Apps: append(slices.Clone(w.apps), w.deleted...)}, nil
	}
	return &authv1.ListAppsResponse{Apps: w.apps}, nil
}

func (w *watched) ListApiKeys(_ context.Context, r *authv1.ListApiKeysRequest, _ ...grpc.CallOption) (*authv1.ListApiKeysResponse, error) {
	keys := slices.Clone(w.byApp[r.GetAppId()])
	return &authv1.ListApiKeysResponse{ApiKeys: slices.DeleteFunc(keys, func(k *authv1.ApiKey) bool {
		return k.GetDeletedAt() != nil && !r.GetIncludeDeleted()
	})}, nil
}

func (w *watched) ListUsage(_ context.Context, r *authv1.ListUsageRequest, _ ...grpc.CallOption) (*authv1.ListUsageResponse, error) {
	if r.GetFromDay() != "2026-03-01" || r.GetToDay() != "2026-03-01" || r.GetGroupBy() != authv1.UsageGrouping_USAGE_GROUPING_APP {
		if r.GetFromDay() > w.pastDay {
			return &authv1.ListUsageResponse{}, nil
		}
		return &authv1.ListUsageResponse{Usage: []*authv1.Usage{{Day: w.pastDay, AppId: "app_1", Requests: 1}}}, nil
	}
	return &authv1.ListUsageResponse{Usage: w.rows}, nil
}

func (w *watched) ListRequests(_ context.Context, r *authv1.ListRequestsRequest, _ ...grpc.CallOption) (*authv1.ListRequestsResponse, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.searches[r.GetStatus()] = r
	resp := &authv1.ListRequestsResponse{}
	for _, e := range w.log {
		if class := r.GetStatus(); class != "" && int32(class[0]-'0') != e.GetStatus()/100 {
			continue
		}
		if len(resp.Requests) == int(r.GetPageSize()) {
			resp.NextPageToken = "more"
			break
		}
		resp.Requests = append(resp.Requests, e)
	}
	return resp, nil
}

func entries(n int, status int32, code string) (all []*authv1.RequestEntry) {
	for range n {
		all = append(all, &authv1.RequestEntry{Status: status, ErrorCode: code})
	}
	return all
}

func keyEnding(name string, at time.Time) *authv1.ApiKey {
	return &authv1.ApiKey{Id: "key_" + name, Name: name, ExpiresAt: timestamppb.New(at)}
}

func TestTheOverviewShowsWhatADeveloperLooksForFirst(t *testing.T) {
	t.Parallel()
	w := newWatched()
	w.standing = Standing{DaySpent: 1_234}
	w.apps[0].Connections = 1_203
	w.byApp["app_1"] = []*authv1.ApiKey{keyEnding("later", now.AddDate(0, 0, 8)), keyEnding("over", now.AddDate(0, 0, -1)), {Id: "key_3", Name: "endless"}}
	w.byApp["app_2"] = []*authv1.ApiKey{keyEnding("soon", now.AddDate(0, 0, 6))}
	w.rows = []*authv1.Usage{{AppId: "app_1", Requests: 900}, {AppId: "app_2", Requests: 4_567}}
	w.log = append(append(entries(3, 401, "API_KEY_INVALID"), entries(250, 404, "JOB_NOT_FOUND")...), entries(2, 503, "UNAVAILABLE")...)
	page := body(t, w.visitor(t, owner).get("/"))
	const hour = "from=2026-03-01T11%3A00"
	wantAll(t, page,
		"1,234</strong> of 20,000 counted against the quota", "5,467 requests in all", "All requests today</th>", `width="6"`, "18,766 left", "Plan: Standard",
		`200+</strong> 4xx`, `2</strong> 5xx`, `href="/requests?`+hour+`&amp;status=4xx"`, `href="/requests?`+hour+`&amp;status=5xx"`,
		`href="/requests?error-code=JOB_NOT_FOUND&amp;`+hour+`&amp;status=404">404 JOB_NOT_FOUND</a> · 197`, "401 API_KEY_INVALID</a> · 3", "503 UNAVAILABLE</a> · 2", "Of the newest 200 of a class.",
		`>1,203</td><td class="number" data-label="All requests today">900</td>`, `>4,567</td>`,
		"over</bdi></a> of <bdi>Name of app_1", "soon</bdi></a> of <bdi>Name of app_2", appURL+"/docs/news")
	if strings.Contains(page, "later</bdi>") || strings.Contains(page, "endless</bdi>") {
		t.Error("a key is pointed out that does not end within seven days")
	}
	if strings.Index(page, "over</bdi>") > strings.Index(page, "soon</bdi>") {
		t.Error("the key that has ended stands below the other")
	}
	if strings.Contains(page, "Your first request") {
		t.Error("an account with requests is shown the steps to the first one")
	}
	if from := w.searches["5xx"].GetFrom().AsTime(); !from.Equal(now.Add(-time.Hour)) {
		t.Errorf("errors were read from %v on", from)
	}
	news, err := docs.News()
	if err != nil {
		t.Fatal(err)
	}
	for i, one := range news {
		if shown := strings.Contains(page, one.Title); shown != (i < 3) {
			t.Errorf("%q is shown: %t", one.Title, shown)
		}
	}
	if w.standings != 1 {
		t.Errorf("the counters were asked %d times", w.standings)
	}
}

func TestANewAccountSeesTheStepsToTheFirstRequestAsTheyAreTaken(t *testing.T) {
	t.Parallel()
	w := newWatched()
	apps := w.apps
	w.apps = nil
	steps := func() string {
		_, after, _ := strings.Cut(body(t, w.visitor(t, owner).get("/")), "Your first request")
		list, _, _ := strings.Cut(after, "</ol>")
		return list
	}
	for _, c := range []struct {
		take func()
		done int
		link string
	}{
		{func() {}, 0, `href="/apps/new"`},
		{func() { w.apps = apps[:1] }, 1, `href="/apps/app_1/keys"`},
		{func() { w.apps = apps }, 1, `<a href="/apps">Apps</a>`},
		{func() { w.byApp["app_1"] = []*authv1.ApiKey{{Id: "key_1", Name: "ats"}} }, 2, appURL + "/docs/"},
	} {
		c.take()
		list := steps()
		if done := strings.Count(list, "(done)"); done != c.done || !strings.Contains(list, c.link) {
			t.Errorf("%d steps are done, want %d and %s: %s", done, c.done, c.link, list)
		}
	}
	if page := body(t, w.visitor(t, optionsv1.Role_ROLE_VIEWER).get("/")); !strings.Contains(page, "Your first request") || strings.Contains(page, `href="/apps/new"`) {
		t.Error("a viewer is led to what only developers can do")
	}
	lines := "export API_KEY=YOUR_KEY\ncurl -H &#34;Authorization: Bearer $API_KEY&#34; " + baseURL + "/v1/companies"
	if list := steps(); !strings.Contains(list, lines) {
		t.Errorf("who has left the page of the key finds no lines to send: %s", list)
	}
	w.log = entries(1, 200, "")
	if list := steps(); list != "" {
		t.Errorf("the steps are still shown after the first request: %s", list)
	}
}

func TestTheStepsAreOverForGoodAfterTheFirstRequest(t *testing.T) {
	t.Parallel()
	used := &authv1.ApiKey{Id: "key_1", Name: "ats", LastUsedAt: timestamppb.New(now.AddDate(-1, 0, 0))}
	for name, history := range map[string]func(w *watched){
		"a key was used a year ago": func(w *watched) { w.byApp["app_2"] = []*authv1.ApiKey{used} },
		"such a key was deleted": func(w *watched) {
			gone := proto.CloneOf(used)
			gone.DeletedAt = timestamppb.New(now.AddDate(0, -6, 0))
			w.byApp["app_1"] = []*authv1.ApiKey{gone}
		},
		"people have connected an app": func(w *watched) { w.apps[0].Connections = 1 },
		"the app was deleted": func(w *watched) {
			w.byApp["app_9"] = []*authv1.ApiKey{used}
			w.deleted = []*authv1.ListedApp{{App: &authv1.App{Id: "app_9"}, State: authv1.AppState_APP_STATE_DELETED}}
		},
		"everybody has disconnected, and the log is empty": func(w *watched) { w.pastDay = "2026-01-10" },
		"an app has requests and no key":                   func(w *watched) { w.log = entries(1, 200, "") },
	} {
		w := newWatched()
		history(w)
		if page := body(t, w.visitor(t, owner).get("/")); strings.Contains(page, "Your first request") {
			t.Errorf("%s, and the account is told of its first request", name)
		}
	}
}

func TestTheOverviewClaimsNoFewerRequestsInAllThanCounted(t *testing.T) {
	t.Parallel()
	w := newWatched()
	w.standing = Standing{DaySpent: 10}
	w.rows = []*authv1.Usage{{AppId: "app_1", Requests: 9}} // usage has not caught up
	if page := body(t, w.visitor(t, owner).get("/")); !strings.Contains(page, "10</strong> of 20,000") || strings.Contains(page, "in all") {
		t.Error("9 requests in all are shown beside 10 that were counted")
	}
}

func TestTheOverviewIsShownWithoutTheCounters(t *testing.T) {
	t.Parallel()
	w := newWatched()
	w.standingFault = context.DeadlineExceeded
	if res := w.visitor(t, owner).get("/"); res.StatusCode != 200 || !strings.Contains(body(t, res), "The counters don’t respond right now.") {
		t.Errorf("%d", res.StatusCode)
	}
}
