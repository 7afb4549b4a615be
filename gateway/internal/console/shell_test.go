package console

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

func TestEveryPageSaysWhoIsSignedInAndLeadsToTheDocumentationAndAnotherAccount(t *testing.T) {
	t.Parallel()
	b := signedIn(t, newBackend(), member(owner, "dev_1", "dev_2"))
	for _, path := range []string{"/", "/apps", "/team", "/accounts/new"} {
		wantAll(t, body(t, b.get(path)), "<bdi>Layla</bdi>", "<bdi>layla@vitae.example</bdi>", "Your role: owner",
			`href="`+appURL+`/docs"`, `href="/accounts/new"`, `<label for="account">Account</label>`, `<button type="submit">Switch</button>`)
	}
	unnamed := member(owner, "dev_1")
	unnamed.Name = ""
	page := body(t, signedIn(t, newBackend(), unnamed).get("/apps"))
	if strings.Count(page, "layla@vitae.example") != 1 {
		t.Error("without a name the address is not shown once in its place")
	}
	if page := body(t, signedIn(t, newBackend(), member(owner)).get("/accounts/new")); strings.Contains(page, `aria-label="Console"`) {
		t.Error("who has no account is shown a menu about one")
	}
}

// quietAuth counts who is asked for, and answers a fault if it has one.
type quietAuth struct {
	*backend
	asked int
	fault error
}

func (q *quietAuth) GetConsoleSession(ctx context.Context, r *authv1.GetConsoleSessionRequest, o ...grpc.CallOption) (*authv1.GetConsoleSessionResponse, error) {
	q.asked++
	if q.fault != nil {
		return nil, q.fault
	}
	return q.backend.GetConsoleSession(ctx, r, o...)
}

// (behaviour: console#failure-pages)
func TestFailurePagesKeepTheMenuAndAskWhoItIsOnce(t *testing.T) {
	t.Parallel()
	back := newBackend()
	q := &quietAuth{backend: back}
	p := partsOf(back)
	p.console = q
	b := openParts(t, p).as(back, member(owner, "dev_1"))
	menu := func(name string, res *http.Response, status, asked int, whole bool) {
		t.Helper()
		page := body(t, res)
		if res.StatusCode != status || q.asked != asked {
			t.Errorf("%s: %d, auth was asked %d times", name, res.StatusCode, q.asked)
		}
		if !strings.Contains(page, `<nav aria-label="Console">`) || strings.Contains(page, "Account dev_1") != whole || strings.Contains(page, "Sign out") != whole {
			t.Errorf("%s: the menu: %s", name, page)
		}
		q.asked = 0
	}
	menu("an unknown address", b.get("/nowhere"), http.StatusNotFound, 1, true)
	menu("an unknown request", b.get("/apps/app_1/keys/key_none/delete"), http.StatusNotFound, 1, true)
	menu("a forged form", b.bare("/settings", url.Values{"csrf": {"x"}}), http.StatusForbidden, 1, true)
	back.overPages = errs.New(errs.Exhausted, "RATE_LIMIT_EXCEEDED", "slow down").WithRetryAfter(time.Minute)
	menu("too many pages", b.get("/apps"), http.StatusTooManyRequests, 0, false)
	menu("too many unknown addresses", b.get("/nowhere"), http.StatusNotFound, 0, false)
	back.overPages = nil
	q.fault = errs.New(errs.Unavailable, "UNAVAILABLE", "down")
	menu("auth is down", b.get("/apps"), http.StatusServiceUnavailable, 1, false)
	q.fault = nil
	back.live = map[string]*authv1.GetConsoleSessionResponse{}
	for name, b := range map[string]*browser{"nobody": openParts(t, p), "an ended session": b} {
		if page := body(t, b.get("/nowhere")); strings.Contains(page, `aria-label="Console"`) {
			t.Errorf("%s is shown a menu", name)
		}
	}
	q.fault = errs.New(errs.Invalid, "INVALID_ARGUMENT", "no token")
	if page := body(t, b.get("/nowhere")); strings.Contains(page, `aria-label="Console"`) {
		t.Error("a browser with what is no token of a session is shown a menu")
	}
}

// With the menu, a failure page says who is signed in.
func TestNoCacheKeepsAFailurePage(t *testing.T) {
	t.Parallel()
	b := signedIn(t, newBackend(), member(owner, "dev_1"))
	for _, path := range []string{"/nowhere", "/static/nothing.css", "/apps/app_1/keys/key_none/delete", "/sign-out"} {
		res := b.get(path)
		if page := body(t, res); res.StatusCode < 400 || !strings.Contains(page, "<bdi>Layla</bdi>") || res.Header.Get("Cache-Control") != "no-store" || !strings.Contains(res.Header.Get("Vary"), "Cookie") {
			t.Errorf("%s: %d, %v", path, res.StatusCode, res.Header)
		}
	}
}

// (behaviour: console#a-suspended-account)
func TestEveryPageOfASuspendedAccountSaysSinceWhenAndWhy(t *testing.T) {
	t.Parallel()
	session := member(owner, "dev_1")
	session.Memberships[0].Suspended = true
	session.Memberships[0].SuspendedAt = timestamppb.New(now.Add(-48 * time.Hour))
	session.Memberships[0].SuspensionReason = "Mail to <b>applicants</b>.\nWrite to us."
	b := signedIn(t, newBackend(), session)
	pages := []string{"/", "/apps", "/apps/app_1", "/apps/app_1/keys", "/requests", "/limits", "/team", "/audit", "/settings", "/nowhere", "/apps/new", "/settings/close"}
	for _, path := range pages {
		page := body(t, b.get(path))
		wantAll(t, page, "This account is suspended since", "27 Feb 2026, 12:00 UTC", "Mail to &lt;b&gt;applicants&lt;/b&gt;.\nWrite to us.")
		for _, f := range strings.Split(page, `<form`)[1:] {
			f, _, _ = strings.Cut(f, ">")
			if strings.Contains(f, `method="post"`) && !strings.Contains(f, `"/sign-out"`) {
				t.Errorf("%s has a form: %s", path, f)
			}
		}
	}
	session.Memberships[0].SuspensionReason = ""
	wantAll(t, body(t, b.get("/apps")), "No reason was given.")
}
