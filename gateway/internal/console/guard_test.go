package console_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/gateway/internal/console"
	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	optionsv1 "vitae.internal/proto/gen/vitae/options/v1"
)

var (
	again     = regexp.MustCompile(`<a class="button primary" href="([^"]*)">Open the page again</a>`)
	parameter = regexp.MustCompile(`\{[a-z]+\}`)
)

// ids replaces the parameters in a route pattern.
var ids = strings.NewReplacer("{$}", "", "{app}", "app_1", "{key}", "key_1", "{person}", "usr_2", "{invitation}", "inv_1", "{request}", "req_0")

func routesOf(t *testing.T, b *backend) []web.Route {
	t.Helper()
	_, all, _, err := console.Routes(configOf(b, consoleURL))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// The page to which a forged form links must exist. Routes that accept only POST link to a
// different page.
func TestForgedFormLeadsToItsPage(t *testing.T) {
	t.Parallel()
	back := newBackend()
	all := routesOf(t, back)
	pages := http.NewServeMux()
	for _, route := range all {
		if route.Get != nil {
			pages.Handle(route.Path, http.NotFoundHandler())
		}
	}
	b := signIn(t, back, member(owner, "dev_1", "dev_2"))
	for _, route := range all {
		if route.Post == nil {
			continue
		}
		path := strings.ReplaceAll(ids.Replace(route.Path), "{secret}", "sec_1")
		res := b.bare(path, url.Values{"csrf": {"of another session"}})
		found := again.FindStringSubmatch(body(t, res))
		if res.StatusCode != http.StatusForbidden || found == nil {
			t.Errorf("%s: status %d, or the page has no link to the form", path, res.StatusCode)
			continue
		}
		_, page := pages.Handler(httptest.NewRequestWithContext(t.Context(), http.MethodGet, consoleURL+found[1], nil))
		if page == "" || route.Get != nil && found[1] != path {
			t.Errorf("%s leads to %s, which is not the form's page", path, found[1])
		}
	}
	if changes := back.changes(); changes != nil {
		t.Errorf("forged forms led to calls of %v", changes)
	}
}

func TestControlsDependOnTheRole(t *testing.T) {
	t.Parallel()
	controls := []string{">Create app<", ">Save changes<", ">Create key<", ">Invite<", ">Ask for another plan<"}
	for role, shown := range map[optionsv1.Role]int{owner: 5, developer: 3, viewer: 0} {
		b := signIn(t, newBackend(), member(role, "dev_1"))
		pages := b.page("/apps") + b.page("/apps/app_1") + b.page("/apps/app_1/keys") + b.page("/team") + b.page("/limits")
		wantAll(t, pages, controls[:shown]...)
		wantNone(t, pages, controls[shown:]...)
	}
}

// (behaviour: console#forms-of-the-console)
func TestRoleAndSuspensionRestrictForms(t *testing.T) {
	t.Parallel()
	develops := []string{"/apps/new", "/apps/app_1/delete", "/apps/app_1/secrets/sec_1/delete", "/apps/app_1/keys/key_1/delete"}
	for _, tc := range []struct {
		role           optionsv1.Role
		suspended      bool
		develops, owns bool
	}{
		{role: owner, develops: true, owns: true}, {role: developer, develops: true}, {role: viewer}, {role: owner, suspended: true},
	} {
		session := member(tc.role, "dev_1")
		session.Memberships[0].Suspended = tc.suspended
		b := signIn(t, newBackend(), session)
		for _, path := range append(develops, "/settings/close") {
			allowed := tc.develops && path != "/settings/close" || tc.owns
			if res := b.get(path); (res.StatusCode != http.StatusForbidden) != allowed {
				t.Errorf("%v, suspended %v: %s: status %d", tc.role, tc.suspended, path, res.StatusCode)
			}
		}
	}
}

// (behaviour: console#a-suspended-account)
func TestSuspendedAccountHasNoForms(t *testing.T) {
	t.Parallel()
	session := member(owner, "dev_1")
	of := session.Memberships[0]
	of.Suspended, of.SuspendedAt = true, timestamppb.New(now.Add(-48*time.Hour))
	b := signIn(t, newBackend(), session)
	for _, path := range []string{"/", "/apps", "/apps/app_1", "/apps/app_1/keys", "/requests", "/limits", "/team", "/audit", "/settings", "/nowhere", "/apps/new"} {
		page := b.page(path)
		wantAll(t, page, "This account has been suspended since", "27 Feb 2026, 12:00 UTC", "No reason was given. Contact Vitae to find out why.")
		for _, f := range strings.Split(page, `<form`)[1:] {
			if f, _, _ = strings.Cut(f, ">"); strings.Contains(f, `method="post"`) && !strings.Contains(f, `"/sign-out"`) {
				t.Errorf("%s has a form: %s", path, f)
			}
		}
	}
}

func TestRateLimitedPagesCallNoService(t *testing.T) {
	t.Parallel()
	back := newBackend()
	b := signIn(t, back, member(owner, "dev_1"))
	csrf, _ := hidden(b.page("/"), "csrf")
	back.tooMany, back.calls = errs.New(errs.Exhausted, "RATE_LIMIT_EXCEEDED", "Too many.").WithRetryAfter(7*time.Second), nil
	for _, route := range routesOf(t, back) {
		path := strings.ReplaceAll(ids.Replace(route.Path), "{secret}", "x")
		if route.Get == nil || path == "/sign-in" || path == "/signed-out" || strings.HasPrefix(path, "/.well-known/") {
			continue
		}
		res := b.get(path)
		if res.StatusCode != http.StatusTooManyRequests || res.Header.Get("Retry-After") != "7" || !strings.Contains(body(t, res), "Try again in 7 seconds.") {
			t.Errorf("%s: status %d, %v", path, res.StatusCode, res.Header)
		}
	}
	if len(back.calls) != 0 {
		t.Errorf("services were called: %v", back.calls)
	}
	leads(t, b.bare("/sign-out", url.Values{"csrf": {csrf}}), "/signed-out")
	if res := b.get("/signed-out"); res.StatusCode != http.StatusOK {
		t.Errorf("/signed-out: status %d", res.StatusCode)
	}
}

// gRPC can send only valid UTF-8.
func TestInvalidUTF8InURLsIsHarmless(t *testing.T) {
	t.Parallel()
	back := inUse()
	b := signIn(t, back, member(owner, "dev_1"))
	for _, route := range routesOf(t, back) {
		if route.Get == nil || route.Path == "/{$}" {
			continue
		}
		if path := parameter.ReplaceAllString(route.Path, "%ff"); path != route.Path {
			if res := b.get(path); res.StatusCode != http.StatusNotFound {
				t.Errorf("%s: status %d", path, res.StatusCode)
			}
		}
		path := parameter.ReplaceAllString(route.Path, "x") + "?app=%ff&key=%ed%a0%80&action=%ff&page=%c0%af&route=%ff&since=%ff&return=%ff"
		if res := b.get(path); res.StatusCode >= http.StatusInternalServerError {
			t.Errorf("%s: status %d", path, res.StatusCode)
		}
	}
	if back.unsendable != nil {
		t.Errorf("requests that gRPC cannot encode were sent to %v", back.unsendable)
	}
}

// (behaviour: console#failure-pages)
func TestFailurePagesKeepTheMenu(t *testing.T) {
	t.Parallel()
	back := newBackend()
	b := signIn(t, back, member(owner, "dev_1"))
	menu := func(name string, res *http.Response, status, asked int, whole bool) {
		t.Helper()
		page := body(t, res)
		if got := len(sent[*authv1.GetConsoleSessionRequest](back)); res.StatusCode != status || got != asked {
			t.Errorf("%s: status %d, auth was called %d times", name, res.StatusCode, got)
		}
		if !strings.Contains(page, `<nav aria-label="Console">`) || strings.Contains(page, "Account dev_1") != whole || strings.Contains(page, "Sign out") != whole {
			t.Errorf("%s: wrong menu: %s", name, page)
		}
		if res.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s can be cached", name)
		}
		back.calls = nil
	}
	menu("an unknown URL", b.get("/nowhere"), http.StatusNotFound, 1, true)
	menu("an unknown key", b.get("/apps/app_1/keys/key_none/delete"), http.StatusNotFound, 1, true)
	menu("a forged form", b.bare("/settings", url.Values{"csrf": {"x"}}), http.StatusForbidden, 1, true)
	back.tooMany = errs.New(errs.Exhausted, "RATE_LIMIT_EXCEEDED", "slow down").WithRetryAfter(time.Minute)
	menu("too many pages", b.get("/apps"), http.StatusTooManyRequests, 0, false)
	menu("too many unknown URLs", b.get("/nowhere"), http.StatusNotFound, 0, false)
	back.tooMany = nil
	back.fail["GetConsoleSession"] = errs.New(errs.Unavailable, "UNAVAILABLE", "down")
	menu("auth is down", b.get("/apps"), http.StatusServiceUnavailable, 1, false)
	back.fail["GetConsoleSession"] = errs.New(errs.Invalid, "INVALID_ARGUMENT", "no token")
	wantNone(t, b.page("/nowhere"), `aria-label="Console"`)
	clear(back.fail)
	clear(back.live)
	wantNone(t, b.page("/nowhere")+visit(t, back).page("/nowhere"), `aria-label="Console"`)
}

func TestMenuNamesThePersonAndAccounts(t *testing.T) {
	t.Parallel()
	b := signIn(t, newBackend(), member(owner, "dev_1", "dev_2"))
	for _, path := range []string{"/", "/apps", "/accounts/new"} {
		wantAll(t, b.page(path), "<bdi>Layla</bdi>", "<bdi>layla@vitae.example</bdi>", "Your role: owner", `href="`+appURL+`/docs"`, `<label for="account">Account</label>`)
	}
	unnamed := member(owner, "dev_1")
	unnamed.Name = ""
	if page := signIn(t, newBackend(), unnamed).page("/apps"); strings.Count(page, "layla@vitae.example") != 1 {
		t.Error("without a name, the email address is not shown exactly once")
	}
}

// (behaviour: pages#security-headers)
func TestEveryPageHasSecurityHeaders(t *testing.T) {
	t.Parallel()
	back := newBackend()
	b := signIn(t, back, member(owner, "dev_1"))
	for _, route := range routesOf(t, back) {
		path := strings.ReplaceAll(ids.Replace(route.Path), "{secret}", "sec_1")
		if route.Get == nil || path == "/sign-in" || path == "/signed-out" || strings.HasPrefix(path, "/.well-known/") {
			continue
		}
		h := b.get(path).Header
		policy := h.Get("Content-Security-Policy")
		if !strings.Contains(policy, "frame-ancestors 'none'") || !strings.Contains(policy, "script-src 'self'") || strings.Contains(policy, "unsafe") || h.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: policy %q, cache %q", path, policy, h.Get("Cache-Control"))
		}
		if got, want := strings.Contains(policy, "connect-src 'self'"), path == "/requests" || path == "/requests/req_0"; got != want {
			t.Errorf("%s may use fetch: %t", path, got)
		}
	}
}
