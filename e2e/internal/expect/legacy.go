package expect

import (
	"net/http"
	"testing"

	"vitae.internal/e2e/internal/partner"
)

// LegacySuccess asserts a 200 response with the legacy interface's envelope, and returns its data.
func LegacySuccess(t testing.TB, a partner.Response) map[string]any {
	t.Helper()
	Identified(t, a)
	body := Must(a.JSON())(t)
	Keys(t, "envelope", body, "success", "data")
	data, ok := body["data"].(map[string]any)
	if a.Status != http.StatusOK || body["success"] != true || !ok {
		t.Fatalf("not a success: %s", a)
	}
	return data
}

// LegacyRefused asserts an error response with the legacy interface's envelope.
func LegacyRefused(t testing.TB, a partner.Response, status int, code string) {
	t.Helper()
	Identified(t, a)
	body := Must(a.JSON())(t)
	Keys(t, "envelope", body, "success", "message", "code")
	if message, _ := body["message"].(string); a.Status != status || body["success"] != false || body["code"] != code || message == "" {
		t.Errorf("%s, want %d %s", a, status, code)
	}
	if a.Header.Get("Cache-Control") != "no-store" || a.Header.Get("Content-Type") != "application/json" {
		t.Errorf("%s: headers %v", code, a.Header)
	}
	Challenged(t, a)
	Harmless(t, a)
}
