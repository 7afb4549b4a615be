package app_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestPagesUseChain(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	for target, status := range map[string]int{"/sign-in": 200, "/nothing": 404, "/static/nothing": 404} {
		r := httptest.NewRequest(http.MethodGet, target, nil)
		r.Header.Set("X-Request-Id", "forged")
		w := httptest.NewRecorder()
		s.gateway.Pages().ServeHTTP(w, r)
		if w.Code != status || !strings.HasPrefix(w.Header().Get("X-Request-Id"), "req_") {
			t.Errorf("%s: %d %v", target, w.Code, w.Header())
		}
		if policy := w.Header().Get("Content-Security-Policy"); !strings.Contains(policy, "frame-ancestors 'none'") {
			t.Errorf("%s: policy %q", target, policy)
		}
	}
	large := httptest.NewRequest(http.MethodPost, "/sign-in", strings.NewReader(strings.Repeat("x", 1<<20+1)))
	large.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	w := httptest.NewRecorder()
	s.gateway.Pages().ServeHTTP(w, large)
	if w.Code != http.StatusRequestEntityTooLarge || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") {
		t.Errorf("large body: %d %v", w.Code, w.Header())
	}
}
