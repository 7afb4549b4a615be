package web_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
)

// The apps page lists every name in full.
func TestTooLargePageReturnsError(t *testing.T) {
	t.Parallel()
	c, handler := newConsole(t)
	b := newBrowser(t, handler)
	b.signIn("dev@example.com")
	c.apps = []string{strings.Repeat("x", 4<<20)}
	b.shows(b.get("/apps"), http.StatusOK, strings.Repeat("X", 4<<20))
	c.apps = []string{strings.Repeat("x", 17<<20)}
	got := b.get("/apps")
	b.shows(got, http.StatusInternalServerError)
	if got.Body.Len() > 32<<10 {
		t.Errorf("the error page has %d bytes", got.Body.Len())
	}
}

func TestRenderingStopsWithRequest(t *testing.T) {
	t.Parallel()
	c, handler := newConsole(t)
	b := newBrowser(t, handler)
	b.signIn("dev@example.com")
	c.apps = make([]string, 100_000)
	ctx, end := context.WithCancel(t.Context())
	end()
	if got := b.send(http.MethodGet, "/apps", nil, func(r *http.Request) { *r = *r.WithContext(ctx) }); got.Code != http.StatusServiceUnavailable {
		t.Errorf("status %d with %d bytes", got.Code, got.Body.Len())
	}
}
