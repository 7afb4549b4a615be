package expect

import (
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"

	"vitae.internal/e2e/internal/partner"
)

// InvalidCode is the error code of a request whose values are refused.
const InvalidCode = "PUBLIC_API_VALIDATION_ERROR"

// Must unwraps a result, or ends the test: Must(call())(t).
func Must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// requestIDs holds every x-request-id that was seen.
var requestIDs sync.Map

// Identified asserts that an answer carries one request id, which no answer before
// had.
func Identified(t testing.TB, a partner.Answer) {
	t.Helper()
	ids := a.Header.Values("X-Request-Id")
	if len(ids) != 1 || ids[0] == "" {
		t.Errorf("x-request-id %q, want one: %s", ids, a)
		return
	}
	if _, again := requestIDs.LoadOrStore(ids[0], true); again {
		t.Errorf("x-request-id %q was given before", ids[0])
	}
}

// Envelope asserts a status and the three keys of an envelope, and returns it.
func Envelope(t testing.TB, a partner.Answer, status int) map[string]any {
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

// Success asserts a 200 in the envelope and returns its data.
func Success(t testing.TB, a partner.Answer) map[string]any {
	t.Helper()
	return dataAlone(t, a, http.StatusOK)
}

// Created asserts a 201 in the envelope and returns its data.
func Created(t testing.TB, a partner.Answer) map[string]any {
	t.Helper()
	return dataAlone(t, a, http.StatusCreated)
}

func dataAlone(t testing.TB, a partner.Answer, status int) map[string]any {
	t.Helper()
	body := Envelope(t, a, status)
	if body["error"] != nil || body["meta"] != nil {
		t.Errorf("error %v and meta %v, want null: %s", body["error"], body["meta"], a)
	}
	data, ok := body["data"].(map[string]any)
	if !ok {
		t.Fatalf("data is no object: %s", a)
	}
	return data
}

// Revoked asserts the answer of a revocation (RFC 7009).
func Revoked(t testing.TB, a partner.Answer) {
	t.Helper()
	Matches(t, "data", map[string]any{"revoked": true}, Success(t, a))
}

// Refused asserts a failure in the envelope.
func Refused(t testing.TB, a partner.Answer, status int, code string) {
	t.Helper()
	body := Envelope(t, a, status)
	if body["data"] != nil || body["meta"] != nil {
		t.Errorf("data %v and meta %v, want null", body["data"], body["meta"])
	}
	failure, ok := body["error"].(map[string]any)
	if !ok {
		t.Fatalf("error is no object: %s", a)
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

// Message asserts the whole message of an error.
func Message(t testing.TB, a partner.Answer, message string) {
	t.Helper()
	if !strings.Contains(string(a.Body), `"message":"`+message+`"`) {
		t.Errorf("%s, want the message %q", a, message)
	}
}

// Invalid asserts a 400 whose message names a path of the request, or any message if
// path is empty.
func Invalid(t testing.TB, a partner.Answer, path string) {
	t.Helper()
	if path != "" {
		path += ":"
	}
	InvalidAt(t, a, path)
}

// InvalidAt asserts a 400 whose message begins with a prefix.
func InvalidAt(t testing.TB, a partner.Answer, prefix string) {
	t.Helper()
	Refused(t, a, http.StatusBadRequest, InvalidCode)
	message, _ := At(Must(a.JSON())(t), "error", "message").(string)
	if !strings.HasPrefix(message, prefix) {
		t.Errorf("the message is %q, want it to name %q", message, prefix)
	}
}

// Challenged asserts that a 401 says how to authenticate.
func Challenged(t testing.TB, a partner.Answer) {
	t.Helper()
	challenge := a.Header.Get("WWW-Authenticate")
	if a.Status == http.StatusUnauthorized && !strings.HasPrefix(challenge, "Bearer") && !strings.HasPrefix(challenge, "Basic") {
		t.Errorf("401 with WWW-Authenticate %q", challenge)
	}
}

// inward matches what an answer must never show.
var inward = regexp.MustCompile(`goroutine |\.go:\d|SELECT |INSERT |SQLSTATE|pgx|postgres|redis|127\.0\.0\.1:|rpc error`)

// Harmless asserts that an error shows nothing of how the system works inside
// (behaviour: errors#no-internals-in-errors).
func Harmless(t testing.TB, a partner.Answer) {
	t.Helper()
	if found := inward.Find(a.Body); found != nil {
		t.Errorf("the answer shows %q: %s", found, a)
	}
}
