package console_test

import (
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/docs"
	"vitae.internal/gateway/internal/console/shell"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// twoApps returns a backend with two apps that have no keys.
func twoApps() *backend {
	b := newBackend()
	for _, id := range []string{"app_1", "app_2"} {
		b.apps = append(b.apps, &authv1.ListedApp{App: &authv1.App{Id: id, Name: "Name of " + id}, State: authv1.AppState_APP_STATE_LIVE})
	}
	return b
}

func entries(n int, status int32, code string) (all []*authv1.RequestEntry) {
	for range n {
		all = append(all, &authv1.RequestEntry{At: timestamppb.New(now), Status: status, ErrorCode: code})
	}
	return all
}

func keyEnding(name string, at time.Time) *authv1.ApiKey {
	return &authv1.ApiKey{Id: "key_" + name, Name: name, ExpiresAt: timestamppb.New(at)}
}

func TestOverviewShowsUsageErrorsAndKeys(t *testing.T) {
	t.Parallel()
	back := twoApps()
	back.standing = shell.Standing{DaySpent: 1_234}
	back.apps[0].Connections = 1_203
	back.byApp["app_1"] = []*authv1.ApiKey{keyEnding("later", now.AddDate(0, 0, 8)), keyEnding("over", now.AddDate(0, 0, -1)), {Id: "key_3", Name: "endless"}}
	back.byApp["app_2"] = []*authv1.ApiKey{keyEnding("soon", now.AddDate(0, 0, 6))}
	back.usage = []*authv1.Usage{{Day: today, AppId: "app_1", Requests: 900}, {Day: today, AppId: "app_2", Requests: 4_567}}
	back.logged = append(append(entries(3, 401, "API_KEY_INVALID"), entries(250, 404, "JOB_NOT_FOUND")...), entries(2, 503, "UNAVAILABLE")...)
	b := signIn(t, back, member(owner, "dev_1"))
	page := b.page("/")
	const hour = "from=2026-03-01T11%3A00"
	wantAll(t, page,
		"1,234</strong> of 20,000 counted against the quota", "5,467 requests in all", `width="6"`, "18,766 left", "Plan: Standard",
		`200+</strong> 4xx`, `2</strong> 5xx`, `href="/requests?`+hour+`&amp;status=4xx"`, `href="/requests?`+hour+`&amp;status=5xx"`,
		`href="/requests?error-code=JOB_NOT_FOUND&amp;`+hour+`&amp;status=404">404 JOB_NOT_FOUND</a> · 197`, "401 API_KEY_INVALID</a> · 3", "503 UNAVAILABLE</a> · 2",
		`>1,203</td><td class="number" data-label="All requests today">900</td>`, `>4,567</td>`,
		"over</bdi></a> of <bdi>Name of app_1", "soon</bdi></a> of <bdi>Name of app_2", appURL+"/docs/news")
	wantNone(t, page, "later</bdi>", "endless</bdi>", "Your first request")
	if strings.Index(page, "over</bdi>") > strings.Index(page, "soon</bdi>") {
		t.Error("the expired key is not first")
	}
	for _, r := range sent[*authv1.ListRequestsRequest](back) {
		if from := r.GetFrom().AsTime(); r.GetStatus() != "" && !from.Equal(now.Add(-time.Hour)) {
			t.Errorf("errors were read from %v, want from one hour ago", from)
		}
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
	// Usage is recorded later than the counters change, so it can lag behind them.
	back.usage = back.usage[:1]
	wantNone(t, b.page("/"), "in all")
}

func TestFirstStepsAreTickedWhenDone(t *testing.T) {
	t.Parallel()
	back := twoApps()
	apps := back.apps
	b := signIn(t, back, member(owner, "dev_1"))
	steps := func() string {
		_, after, _ := strings.Cut(b.page("/"), "Your first request")
		list, _, _ := strings.Cut(after, "</ol>")
		return list
	}
	for _, c := range []struct {
		take func()
		done int
		link string
	}{
		{func() { back.apps = []*authv1.ListedApp{} }, 0, `href="/apps/new"`},
		{func() { back.apps = apps[:1] }, 1, `href="/apps/app_1/keys"`},
		{func() { back.apps = apps }, 1, `<a href="/apps">Apps</a>`},
		{func() { back.byApp["app_1"] = []*authv1.ApiKey{{Id: "key_1", Name: "ats"}} }, 2, appURL + "/docs/"},
	} {
		c.take()
		list := steps()
		if done := strings.Count(list, "(done)"); done != c.done || !strings.Contains(list, c.link) {
			t.Errorf("%d steps are done, want %d with the link %s: %s", done, c.done, c.link, list)
		}
	}
	wantAll(t, steps(), "export API_KEY=YOUR_KEY\ncurl -H &#34;Authorization: Bearer $API_KEY&#34; "+baseURL+"/v1/companies")
	wantNone(t, signIn(t, back, member(viewer, "dev_1")).page("/"), `href="/apps/new"`)
}

func TestFirstStepsDoNotReappear(t *testing.T) {
	t.Parallel()
	used := &authv1.ApiKey{Id: "key_1", Name: "ats", LastUsedAt: timestamppb.New(now.AddDate(-1, 0, 0))}
	for name, history := range map[string]func(*backend){
		"a key was used a year ago": func(b *backend) { b.byApp["app_2"] = []*authv1.ApiKey{used} },
		"a used key was deleted": func(b *backend) {
			gone := proto.CloneOf(used)
			gone.DeletedAt = timestamppb.New(now.AddDate(0, -6, 0))
			b.byApp["app_1"] = []*authv1.ApiKey{gone}
		},
		"people have connected an app": func(b *backend) { b.apps[0].Connections = 1 },
		"the app was deleted": func(b *backend) {
			b.byApp["app_9"] = []*authv1.ApiKey{used}
			b.apps = append(b.apps, &authv1.ListedApp{App: &authv1.App{Id: "app_9", DeletedAt: timestamppb.New(now)}, State: authv1.AppState_APP_STATE_DELETED})
		},
		"there was usage, but the log is empty": func(b *backend) { b.usage = []*authv1.Usage{{Day: "2026-01-10", AppId: "app_1", Requests: 1}} },
		"an app has requests but no key":        func(b *backend) { b.logged = entries(1, 200, "") },
	} {
		back := twoApps()
		history(back)
		if strings.Contains(signIn(t, back, member(owner, "dev_1")).page("/"), "Your first request") {
			t.Errorf("%s, but the steps are shown", name)
		}
	}
}
