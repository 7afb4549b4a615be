package console

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func TestAPageThatFollowsTheLogIsToldOfNewRequestsOnce(t *testing.T) {
	t.Parallel()
	back := newBackend()
	back.logged = entriesOf(30)
	b := signedIn(t, back, member(viewer, "dev_1"))
	page := body(t, b.get("/requests?status=4xx"))
	if !strings.Contains(page, `data-from="/requests/newest?status=4xx"`) || !strings.Contains(page, `data-since="2026-03-01T12:00:00.000000Z"`) {
		t.Fatal("the page does not say where newer requests are")
	}
	ask := func(tag string) *http.Response {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, consoleURL+"/requests/newest?status=4xx&since="+stamp(now), nil)
		r.Header.Set("If-None-Match", tag)
		return b.send(r)
	}
	first := ask("")
	rows := body(t, first)
	if first.StatusCode != http.StatusOK || strings.Contains(rows, "<html") || !strings.Contains(rows, `data-id="req_0"`) || strings.Contains(rows, `data-id="req_11"`) || strings.Contains(rows, "data-whole") {
		t.Errorf("%d: %s", first.StatusCode, rows)
	}
	search := back.searches[len(back.searches)-1]
	if search.GetStatus() != "4xx" || !search.GetFrom().AsTime().Equal(now.Add(-lateness)) {
		t.Errorf("asked for %v", search)
	}
	tag := first.Header.Get("ETag")
	if res := ask(tag); res.StatusCode != http.StatusNotModified || body(t, res) != "" {
		t.Errorf("%d although nothing is new", res.StatusCode)
	}
	back.logged = append(entriesOf(1), back.logged...)
	back.logged[0].RequestId = "req_new"
	if res := ask(tag); res.StatusCode != http.StatusOK || !strings.Contains(body(t, res), `data-id="req_new"`) {
		t.Errorf("%d, the new request is not told", res.StatusCode)
	}
}

func TestAPageThatIsFarBehindGetsTheNewestInPlaceOfWhatItShows(t *testing.T) {
	t.Parallel()
	back := newBackend()
	back.logged = entriesOf(newestAtMost + 1)
	b := signedIn(t, back, member(viewer, "dev_1"))
	rows := body(t, b.get("/requests/newest?since="+stamp(now.Add(-time.Hour))))
	if got := strings.Count(rows, "<tr"); got != newestAtMost || !strings.Contains(rows, `data-whole="/requests?page=200"`) {
		t.Errorf("%d rows: %.200s", got, rows)
	}
}

func TestAPageOfOlderRequestsDoesNotFollow(t *testing.T) {
	t.Parallel()
	back := newBackend()
	back.logged = entriesOf(60)
	b := signedIn(t, back, member(viewer, "dev_1"))
	for path, want := range map[string]bool{"/requests": true, "/requests?from=2026-01-01": true, "/requests?page=50": false, "/requests?to=2026-03-01": false} {
		if got := strings.Contains(body(t, b.get(path)), `id="follow"`); got != want {
			t.Errorf("%s follows: %v", path, got)
		}
	}
}

func TestFollowingEndsWithTheSession(t *testing.T) {
	t.Parallel()
	back := newBackend()
	b := signedIn(t, back, member(viewer, "dev_1"))
	delete(back.live, "secret")
	if res := b.get("/requests/newest"); res.StatusCode != http.StatusSeeOther {
		t.Errorf("%d", res.StatusCode)
	}
}

func TestOnlyTheRequestLogMayAskTheConsole(t *testing.T) {
	t.Parallel()
	b := signedIn(t, newBackend(), member(viewer, "dev_1"))
	for path, want := range map[string]bool{"/requests": true, "/audit": false, "/apps": false} {
		policy := b.get(path).Header.Get("Content-Security-Policy")
		if got := strings.Contains(policy, "connect-src 'self'"); got != want || strings.Contains(policy, "unsafe") {
			t.Errorf("%s: %s", path, policy)
		}
	}
}
