package chain

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"vitae.internal/gateway/internal/answer"
)

func TestRouterMatchesRoutes(t *testing.T) {
	fail := answer.Errors{Log: slog.New(slog.DiscardHandler)}.Write
	answer := func(name string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprintf(w, "%s %s", name, r.PathValue("token")) })
	}
	h, err := New(Config{Log: slog.New(slog.DiscardHandler), Usage: noUsage{}, PlatformOn: true, MaxInFlight: 10}, Listener{Name: "test", Fail: fail, Routes: []Route{
		{http.MethodGet, "/v1/me", fail, time.Minute, answer("me"), false, ""},
		{http.MethodPost, "/v1/me", fail, time.Minute, answer("post"), false, ""},
		{http.MethodGet, "/v1/links/{token}", fail, time.Minute, answer("link"), false, ""},
		{http.MethodPost, "/oauth/token", fail, time.Minute, answer("token"), false, ""},
	}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		method, target string
		status         int
		want           string // the body, or the Allow header
	}{
		{"GET", "/v1/me", 200, "me "},
		{"GET", "/v1/m%65?x=%", 200, "me "},
		{"POST", "/v1/me", 200, "post "},
		{"HEAD", "/v1/me", 200, "me "},
		{"GET", "/v1/links/abc", 200, "link abc"},
		{"GET", "/v1/links/a%20b", 200, "link a b"},
		{"GET", "/v1/links/a%2Fb", 404, ""},
		{"GET", "/v1/links/a%00", 404, ""},
		{"GET", "/v1/links/", 404, ""},
		{"GET", "/v1/links/a/b", 404, ""},
		{"GET", "/v1/me/", 404, ""},
		{"GET", "//v1/me", 404, ""},
		{"GET", "/v1/../v1/me", 404, ""},
		{"GET", "/V1/me", 404, ""},
		{"GET", "/", 404, ""},
		{"DELETE", "/v1/me", 405, "GET, HEAD, POST"},
		{"OPTIONS", "/oauth/token", 405, "POST"},
		{"GET", "/oauth/token", 405, "POST"},
		{"HEAD", "/oauth/token", 405, "POST"},
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(c.method, c.target, nil))
		got := w.Body.String()
		if c.status == 405 {
			got = w.Header().Get("Allow")
		}
		if w.Code != c.status || c.status != 404 && got != c.want {
			t.Errorf("%s %s: %d %q", c.method, c.target, w.Code, got)
		}
	}
}

func TestDuplicateRouteIsError(t *testing.T) {
	one := Route{Method: http.MethodGet, Template: "/v1/me"}
	if _, err := newRouter([]Route{one, one}, nil); err == nil {
		t.Error("newRouter accepted a duplicate route")
	}
}
