package e2e_test

import (
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"vitae.internal/e2e/internal/partner"
)

// must unwraps a result, or ends the test.
func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// seenRequestIDs holds every x-request-id of the run.
var seenRequestIDs sync.Map

// identified asserts that an answer carries a request id that no other had.
func identified(t testing.TB, a partner.Answer) {
	t.Helper()
	ids := a.Header.Values("X-Request-Id")
	if len(ids) != 1 || ids[0] == "" {
		t.Errorf("x-request-id %q, want one: %s", ids, a)
		return
	}
	if _, again := seenRequestIDs.LoadOrStore(ids[0], true); again {
		t.Errorf("x-request-id %q was given before", ids[0])
	}
}

// envelope asserts the three keys of an envelope and gives them.
func envelope(t testing.TB, a partner.Answer, status int) map[string]any {
	t.Helper()
	identified(t, a)
	if a.Status != status {
		t.Errorf("status %d, want %d: %s", a.Status, status, a)
	}
	body, err := a.JSON()
	if err != nil {
		t.Fatal(err)
	}
	hasKeys(t, "envelope", body, "data", "error", "meta")
	return body
}

// success asserts a 200 in the envelope and gives its data.
func success(t testing.TB, a partner.Answer) map[string]any {
	t.Helper()
	body := envelope(t, a, http.StatusOK)
	if body["error"] != nil || body["meta"] != nil {
		t.Errorf("error %v and meta %v, want null: %s", body["error"], body["meta"], a)
	}
	data, ok := body["data"].(map[string]any)
	if !ok {
		t.Fatalf("data is no object: %s", a)
	}
	return data
}

// refused asserts a failure in the envelope.
func refused(t testing.TB, a partner.Answer, status int, code string) {
	t.Helper()
	body := envelope(t, a, status)
	if body["data"] != nil || body["meta"] != nil {
		t.Errorf("data %v and meta %v, want null", body["data"], body["meta"])
	}
	failure, ok := body["error"].(map[string]any)
	if !ok {
		t.Fatalf("error is no object: %s", a)
	}
	hasKeys(t, "error", failure, "code", "message")
	if failure["code"] != code {
		t.Errorf("code %v, want %s", failure["code"], code)
	}
	if message, _ := failure["message"].(string); message == "" {
		t.Errorf("no message: %s", a)
	}
	challenged(t, a)
	harmless(t, a)
}

// told asserts an error's message.
func told(t testing.TB, a partner.Answer, message string) {
	t.Helper()
	if !strings.Contains(string(a.Body), `"message":"`+message+`"`) {
		t.Errorf("%s, want the message %q", a, message)
	}
}

// flatRefused asserts a failure in the flat shape of RFC 6749 §5.2.
func flatRefused(t testing.TB, a partner.Answer, status int, code string) {
	t.Helper()
	body := flat(t, a, status)
	hasKeys(t, "body", body, "error", "error_description")
	if body["error"] != code {
		t.Errorf("error %v, want %s: %s", body["error"], code, a)
	}
	if description, _ := body["error_description"].(string); description == "" {
		t.Errorf("no error_description: %s", a)
	}
	challenged(t, a)
	harmless(t, a)
}

// flat asserts an uncacheable JSON answer outside the envelope and gives it.
func flat(t testing.TB, a partner.Answer, status int) map[string]any {
	t.Helper()
	identified(t, a)
	if a.Status != status {
		t.Errorf("status %d, want %d: %s", a.Status, status, a)
	}
	if got := a.Header.Get("Cache-Control"); got != "no-store" {
		t.Errorf("Cache-Control %q, want no-store", got)
	}
	return must(a.JSON())(t)
}

// inactive asserts that introspection says nothing but that.
func inactive(t testing.TB, a partner.Answer) {
	t.Helper()
	if a.Status != http.StatusOK || string(a.Body) != `{"active":false}` {
		t.Errorf("introspection says %s, want 200 {\"active\":false}", a)
	}
}

// challenged asserts that a 401 says how to authenticate.
func challenged(t testing.TB, a partner.Answer) {
	t.Helper()
	challenge := a.Header.Get("WWW-Authenticate")
	if a.Status == http.StatusUnauthorized && !strings.HasPrefix(challenge, "Bearer") && !strings.HasPrefix(challenge, "Basic") {
		t.Errorf("401 with WWW-Authenticate %q", challenge)
	}
}

// inward matches what must never go outside.
var inward = regexp.MustCompile(`goroutine |\.go:\d|SELECT |INSERT |SQLSTATE|pgx|postgres|redis|127\.0\.0\.1:|rpc error`)

// harmless asserts that an error answer shows nothing of the inside (decision 8).
func harmless(t testing.TB, a partner.Answer) {
	t.Helper()
	if found := inward.Find(a.Body); found != nil {
		t.Errorf("the answer shows %q: %s", found, a)
	}
}

func hasKeys(t testing.TB, what string, got map[string]any, want ...string) {
	t.Helper()
	have := slices.Sorted(maps.Keys(got))
	slices.Sort(want)
	if !slices.Equal(have, want) {
		t.Errorf("%s has keys %v, want exactly %v", what, have, want)
	}
}

// at is the value below keys, nil when there is none.
func at(v any, keys ...string) any {
	for _, k := range keys {
		m, _ := v.(map[string]any)
		v = m[k]
	}
	return v
}

// matcher is a wanted value that is not known beforehand; it says what is wrong.
type matcher func(any) error

var timestampForm = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`)

// timestamp matches the one form of timestamps.
var timestamp matcher = func(v any) error {
	if s, ok := v.(string); !ok || !timestampForm.MatchString(s) {
		return fmt.Errorf("%v is no UTC timestamp with three decimals", v)
	}
	return nil
}

// identifier matches a non-empty string.
var identifier matcher = func(v any) error {
	if s, ok := v.(string); !ok || s == "" {
		return fmt.Errorf("%v is no identifier", v)
	}
	return nil
}

// matches asserts that got is want: the same keys, values, and nulls, where a
// matcher in want stands for any value it takes.
func matches(t testing.TB, path string, want, got any) {
	t.Helper()
	switch want := want.(type) {
	case matcher:
		if err := want(got); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	case map[string]any:
		have, ok := got.(map[string]any)
		if !ok {
			t.Errorf("%s: %v, want an object", path, got)
			return
		}
		hasKeys(t, path, have, slices.Collect(maps.Keys(want))...)
		for k := range want {
			matches(t, path+"."+k, want[k], have[k])
		}
	case []any:
		have, ok := got.([]any)
		if !ok || len(have) != len(want) {
			t.Errorf("%s: %v, want a list of %d", path, got, len(want))
			return
		}
		for i := range want {
			matches(t, fmt.Sprintf("%s[%d]", path, i), want[i], have[i])
		}
	default:
		if want != got {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	}
}
