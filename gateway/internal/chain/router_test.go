package chain_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/chain"
)

func TestRouterFindsWhatIsServedAndNothingElse(t *testing.T) {
	fail := answer.Errors{Log: slog.New(slog.DiscardHandler)}.Write
	answer := func(name string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprintf(w, "%s %s", name, r.PathValue("token")) })
	}
	routes, err := chain.NewRouter([]chain.Route{
		{http.MethodGet, "/v1/me", fail, answer("me")},
		{http.MethodPost, "/v1/me", fail, answer("post")},
		{http.MethodGet, "/v1/links/{token}", fail, answer("link")},
		{http.MethodPost, "/oauth/token", fail, answer("token")},
	}, fail)
	if err != nil {
		t.Fatal(err)
	}
	h := chain.Outer{Listener: "test", Log: slog.New(slog.DiscardHandler), Fail: fail}.Wrap(routes)
	for _, c := range []struct {
		method, target string
		status         int
		want           string // the body, or Allow
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

func TestOneRouteServedTwiceIsAFaultOfTheTable(t *testing.T) {
	one := chain.Route{Method: http.MethodGet, Template: "/v1/me"}
	if _, err := chain.NewRouter([]chain.Route{one, one}, nil); err == nil {
		t.Error("accepted")
	}
}
