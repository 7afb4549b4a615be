package expect

import (
	"net/http"
	"testing"

	"vitae.internal/e2e/internal/partner"
)

// Flat asserts a JSON response without an envelope and with Cache-Control: no-store, as the OAuth
// endpoints send (RFC 6749 §5.1). It returns the body.
func Flat(t testing.TB, a partner.Response, status int) map[string]any {
	t.Helper()
	Identified(t, a)
	if a.Status != status {
		t.Errorf("status %d, want %d: %s", a.Status, status, a)
	}
	if got := a.Header.Get("Cache-Control"); got != "no-store" {
		t.Errorf("Cache-Control %q, want no-store", got)
	}
	return Must(a.JSON())(t)
}

// FlatRefused asserts an error response as defined by RFC 6749 §5.2.
func FlatRefused(t testing.TB, a partner.Response, status int, code string) {
	t.Helper()
	body := Flat(t, a, status)
	Keys(t, "body", body, "error", "error_description")
	if body["error"] != code {
		t.Errorf("error %v, want %s: %s", body["error"], code, a)
	}
	if description, _ := body["error_description"].(string); description == "" {
		t.Errorf("no error_description: %s", a)
	}
	Challenged(t, a)
	Harmless(t, a)
}

// Inactive asserts that introspection reports the token as inactive and discloses nothing else (RFC
// 7662 §2.2).
func Inactive(t testing.TB, a partner.Response) {
	t.Helper()
	if a.Status != http.StatusOK || string(a.Body) != `{"active":false}` {
		t.Errorf("introspection returned %s, want 200 {\"active\":false}", a)
	}
}
