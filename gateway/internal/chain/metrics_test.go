package chain

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"vitae.internal/gateway/internal/answer"
	"vitae.internal/pkg/testkit/metrics"
)

// metered returns a handler with a single route, which responds with the status in the path.
func metered(t testing.TB, name string) http.Handler {
	t.Helper()
	fail := answer.Errors{Log: slog.New(slog.DiscardHandler)}.Write
	h, err := New(Config{Log: slog.New(slog.DiscardHandler), Usage: noUsage{}, PlatformOn: true, MaxInFlight: 10}, Listener{Name: name, Fail: fail, Routes: []Route{{
		Method: http.MethodGet, Template: "/{status}", Fail: fail, Timeout: time.Minute,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			status, _ := strconv.Atoi(r.PathValue("status"))
			w.WriteHeader(status)
		}),
	}}})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func wantMetric(t *testing.T, want float64, name string, labels ...string) {
	t.Helper()
	if got, there := metrics.Value(t, name, labels...); !there || got != want {
		t.Errorf("%s %v: %v, exists %t, want %v", name, labels, got, there, want)
	}
}

func TestRequestMetricsExistFromStart(t *testing.T) {
	listener := t.Name()
	h := metered(t, listener)
	for _, status := range []string{"200", "401", "404", "429", "500", "503"} {
		wantMetric(t, 0, "vitae_http_requests_total", "listener", listener, "route", "/{status}", "method", "GET", "status", status)
	}
	wantMetric(t, 0, "vitae_http_request_duration_seconds", "listener", listener, "route", "/{status}", "method", "GET", "class", "2xx")
	wantMetric(t, 0, "vitae_http_turned_away_total", "listener", listener)

	for _, request := range []string{"GET /200", "GET /200", "HEAD /200", "GET /503", "GET /404", "GET /507", "GET /a/b", "BREW /200"} {
		method, path, _ := strings.Cut(request, " ")
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(method, path, nil))
	}
	route := []string{"listener", listener, "route", "/{status}"}
	of := func(more ...string) []string { return append(route[:len(route):len(route)], more...) }
	wantMetric(t, 2, "vitae_http_requests_total", of("method", "GET", "status", "200")...)
	wantMetric(t, 1, "vitae_http_requests_total", of("method", "HEAD", "status", "200")...)
	wantMetric(t, 1, "vitae_http_requests_total", of("method", "GET", "status", "507")...)
	wantMetric(t, 1, "vitae_http_requests_total", of("method", "_OTHER", "status", "405")...)
	wantMetric(t, 1, "vitae_http_requests_total", "listener", listener, "route", unmatched, "method", "GET", "status", "404")
	// Rejections have separate classes, so that they do not make responses look faster than they
	// are.
	wantMetric(t, 2, "vitae_http_request_duration_seconds", of("method", "GET", "class", "2xx")...)
	wantMetric(t, 1, "vitae_http_request_duration_seconds", of("method", "GET", "class", "4xx")...)
	wantMetric(t, 2, "vitae_http_request_duration_seconds", of("method", "GET", "class", "5xx")...)
}

func TestClientDisconnectIsNotCountedAsError(t *testing.T) {
	listener := t.Name()
	h := metered(t, listener)
	for _, path := range []string{"/503", "/200"} {
		left, leave := context.WithCancel(t.Context())
		leave()
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, path, nil).WithContext(left))
	}
	for status, want := range map[string]float64{"499": 1, "503": 0, "200": 1} {
		wantMetric(t, want, "vitae_http_requests_total", "listener", listener, "route", "/{status}", "method", "GET", "status", status)
	}
}

func TestCountingDoesNotAllocate(t *testing.T) {
	m := newMeter(t.Name(), []Served{{http.MethodGet, "/v1/me"}})
	if n := testing.AllocsPerRun(100, func() { m.count("/v1/me", http.MethodGet, http.StatusOK, time.Millisecond) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkCount(b *testing.B) {
	m := newMeter(b.Name(), []Served{{http.MethodGet, "/v1/me"}})
	b.ReportAllocs()
	for b.Loop() {
		m.count("/v1/me", http.MethodGet, http.StatusOK, time.Millisecond)
	}
}
