package expect

import (
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"

	"vitae.internal/e2e/internal/partner"
)

// InvalidCode is the error code for invalid request values.
const InvalidCode = "PUBLIC_API_VALIDATION_ERROR"

// Must returns a function that returns v, or fails the test if err is not nil. Usage: Must(call())(t).
func Must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// requestIDs holds every X-Request-Id received so far.
var requestIDs sync.Map

// Identified asserts that a response has exactly one request id and that no earlier response had the
// same id.
func Identified(t testing.TB, a partner.Response) {
	t.Helper()
	ids := a.Header.Values("X-Request-Id")
	if len(ids) != 1 || ids[0] == "" {
		t.Errorf("x-request-id %q, want one: %s", ids, a)
		return
	}
	if _, again := requestIDs.LoadOrStore(ids[0], true); again {
		t.Errorf("x-request-id %q was used before", ids[0])
	}
}

// Envelope asserts the status and that the body is an envelope with the keys data, error and meta. It
// returns the envelope.
func Envelope(t testing.TB, a partner.Response, status int) map[string]any {
	t.Helper()
	Identified(t, a)
	if a.Status != status {
		t.Errorf("status %d, want %d: %s", a.Status, status, a)
	}
	body, err := a.JSON()
	if err != nil {
		t.Fatal(err)
	}
	Keys(t, "envelope", body, "data", "error", "meta")
	return body
}

// Success asserts a 200 response with an envelope, and returns its data.
func Success(t testing.TB, a partner.Response) map[string]any {
	t.Helper()
	return onlyData(t, a, http.StatusOK)
}

// Created asserts a 201 response with an envelope, and returns its data.
func Created(t testing.TB, a partner.Response) map[string]any {
	t.Helper()
	return onlyData(t, a, http.StatusCreated)
}

func onlyData(t testing.TB, a partner.Response, status int) map[string]any {
	t.Helper()
	body := Envelope(t, a, status)
	if body["error"] != nil || body["meta"] != nil {
		t.Errorf("error %v and meta %v, want null: %s", body["error"], body["meta"], a)
	}
	data, ok := body["data"].(map[string]any)
	if !ok {
		t.Fatalf("data is not an object: %s", a)
	}
	return data
}

// Revoked asserts a successful response to a revocation request (RFC 7009).
func Revoked(t testing.TB, a partner.Response) {
	t.Helper()
	Matches(t, "data", map[string]any{"revoked": true}, Success(t, a))
}

// Refused asserts an error response with an envelope.
func Refused(t testing.TB, a partner.Response, status int, code string) {
	t.Helper()
	body := Envelope(t, a, status)
	if body["data"] != nil || body["meta"] != nil {
		t.Errorf("data %v and meta %v, want null", body["data"], body["meta"])
	}
	failure, ok := body["error"].(map[string]any)
	if !ok {
		t.Fatalf("error is not an object: %s", a)
	}
	Keys(t, "error", failure, "code", "message")
	if failure["code"] != code {
		t.Errorf("code %v, want %s", failure["code"], code)
	}
	if message, _ := failure["message"].(string); message == "" {
		t.Errorf("no message: %s", a)
	}
	Challenged(t, a)
	Harmless(t, a)
}

// Message asserts the exact message of an error.
func Message(t testing.TB, a partner.Response, message string) {
	t.Helper()
	if !strings.Contains(string(a.Body), `"message":"`+message+`"`) {
		t.Errorf("%s, want the message %q", a, message)
	}
}

// Invalid asserts a 400 response whose message names the field path, or has any text if path is empty.
func Invalid(t testing.TB, a partner.Response, path string) {
	t.Helper()
	if path != "" {
		path += ":"
	}
	InvalidAt(t, a, path)
}

// InvalidAt asserts a 400 response whose message begins with prefix.
func InvalidAt(t testing.TB, a partner.Response, prefix string) {
	t.Helper()
	Refused(t, a, http.StatusBadRequest, InvalidCode)
	message, _ := At(Must(a.JSON())(t), "error", "message").(string)
	if !strings.HasPrefix(message, prefix) {
		t.Errorf("the message is %q, want the prefix %q", message, prefix)
	}
}

// Challenged asserts that a 401 response has a WWW-Authenticate header with a Bearer or Basic
// challenge.
func Challenged(t testing.TB, a partner.Response) {
	t.Helper()
	challenge := a.Header.Get("WWW-Authenticate")
	if a.Status == http.StatusUnauthorized && !strings.HasPrefix(challenge, "Bearer") && !strings.HasPrefix(challenge, "Basic") {
		t.Errorf("401 with WWW-Authenticate %q", challenge)
	}
}

// internals matches internal details that a response must not contain.
var internals = regexp.MustCompile(`goroutine |\.go:\d|SELECT |INSERT |SQLSTATE|pgx|postgres|redis|127\.0\.0\.1:|rpc error`)

// Harmless asserts that an error response reveals no internals
// (behaviour: errors#no-internals-in-errors).
func Harmless(t testing.TB, a partner.Response) {
	t.Helper()
	if found := internals.Find(a.Body); found != nil {
		t.Errorf("the response contains %q: %s", found, a)
	}
}
