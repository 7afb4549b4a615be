package expect

import (
	"net/http"
	"testing"

	"vitae.internal/e2e/internal/partner"
)

// Flat asserts a JSON answer outside the envelope that may not be stored by caches,
// and returns it. The OAuth endpoints answer so (RFC 6749 §5.1).
func Flat(t testing.TB, a partner.Answer, status int) map[string]any {
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

// FlatRefused asserts a failure in the shape of RFC 6749 §5.2.
func FlatRefused(t testing.TB, a partner.Answer, status int, code string) {
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

// Inactive asserts that introspection reports a token as inactive, and nothing else
// (RFC 7662 §2.2).
func Inactive(t testing.TB, a partner.Answer) {
	t.Helper()
	if a.Status != http.StatusOK || string(a.Body) != `{"active":false}` {
		t.Errorf("introspection says %s, want 200 {\"active\":false}", a)
	}
}
