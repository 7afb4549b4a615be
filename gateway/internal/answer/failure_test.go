package answer

import (
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"vitae.internal/pkg/errs"
)

func write(t *testing.T, err error) *httptest.ResponseRecorder {
	t.Helper()
	w := httptest.NewRecorder()
	Errors{Log: slog.New(slog.DiscardHandler)}.Write(w, httptest.NewRequest(http.MethodGet, "/", nil), err)
	return w
}

func TestCodesHaveStatusAndEnvelope(t *testing.T) {
	for code, c := range codes {
		status := c.Status
		if status >= http.StatusInternalServerError {
			continue // the message is not shown
		}
		w := write(t, errs.New(errs.Invalid, code, "Said to people.").WithRetryAfter(1500*time.Millisecond))
		meta := "null"
		if status == 429 {
			meta = `{"retryAfter":2}`
		}
		want := `{"data":null,"error":{"code":"` + code + `","message":"Said to people."},"meta":` + meta + `}`
		if w.Code != status || w.Body.String() != want {
			t.Errorf("%s: %d %s, want %d %s", code, w.Code, w.Body, status, want)
		}
		if got := w.Header().Get("Content-Type"); got != "application/json" {
			t.Errorf("%s: Content-Type %q", code, got)
		}
		if (w.Header().Get("WWW-Authenticate") != "") != (status == 401 || code == CodeOAuthScope || code == CodeAPIKeyScope) {
			t.Errorf("%s: WWW-Authenticate %q", code, w.Header().Get("WWW-Authenticate"))
		}
	}
}

func TestInternalErrorsHideCause(t *testing.T) {
	const secret = "pq: password for 10.0.0.5"
	for name, c := range map[string]struct {
		err    error
		status int
		code   string
	}{
		"plain error":           {errors.New(secret), 500, CodeInternal},
		"internal":              {errs.New(errs.Internal, "BROKEN", secret), 500, CodeInternal},
		"internal, public code": {errs.New(errs.Internal, CodeInternal, secret), 500, CodeInternal},
		"private code":          {errs.New(errs.Denied, "CALLER_NOT_ALLOWED", secret), 500, CodeInternal},
		"private code, 401":     {errs.New(errs.Unauthenticated, "PRINCIPAL_MISSING", secret), 500, CodeInternal},
		"part down":             {errs.New(errs.Unavailable, "SERVICE_UNAVAILABLE", secret), 503, CodeUnavailable},
		"queue full":            {errs.New(errs.Exhausted, "RENDER_QUEUE_FULL", secret), 503, CodeUnavailable},
	} {
		w := write(t, c.err)
		if w.Code != c.status || !strings.Contains(w.Body.String(), `"code":"`+c.code+`"`) {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
		if strings.Contains(w.Body.String(), "10.0.0.5") {
			t.Errorf("%s: the response reveals the cause: %s", name, w.Body)
		}
		if (w.Header().Get("Retry-After") != "") != (c.status == 503) {
			t.Errorf("%s: Retry-After %q", name, w.Header().Get("Retry-After"))
		}
		if !json.Valid(w.Body.Bytes()) {
			t.Errorf("%s: not JSON: %s", name, w.Body)
		}
	}
}

func TestUnauthorizedResponseHasChallenge(t *testing.T) {
	none := write(t, errs.New(errs.Unauthenticated, CodeOAuthToken, "none").WithCause(ErrNoCredential))
	if got := none.Header().Get("WWW-Authenticate"); got != `Bearer realm="vitae"` {
		t.Errorf("without a credential: %s", got)
	}
	dead := write(t, errs.New(errs.Unauthenticated, CodeOAuthToken, `dead "\x`))
	if got := dead.Header().Get("WWW-Authenticate"); got != `Bearer realm="vitae", error="invalid_token", error_description="dead x"` {
		t.Errorf("with a dead credential: %s", got)
	}
	client := write(t, errs.New(errs.Unauthenticated, CodeOAuthClient, "no"))
	if got := client.Header().Get("WWW-Authenticate"); got != `Basic realm="vitae"` {
		t.Errorf("client: %s", got)
	}
}

func TestFieldErrorBeginsWithJSONPath(t *testing.T) {
	for want, err := range map[string]error{
		"questions[2].defaultKey: must be one of a, b": errs.New(errs.Invalid, CodeInvalid, "must be one of a, b").WithField("questions[2].default_key"),
		"status: a live job must be closed first":      errs.New(errs.Precondition, CodeInvalid, "a live job must be closed first").WithField("status"),
		"The job is archived.":                         errs.New(errs.Precondition, CodeInvalid, "The job is archived."),
		"jobId: value length must be at least 1":       errs.New(errs.Invalid, "INVALID_ARGUMENT", "job_id: value length must be at least 1").WithField("job_id"),
		"content.niceToHave[0]: must not be blank":     errs.New(errs.Invalid, "ANY", "must not be blank").WithField("content.nice_to_have[0]"),
	} {
		if f := FailureOf(err); f.Status != 400 || f.Code != CodeInvalid || f.Message != want {
			t.Errorf("%v was converted to %+v", err, f)
		}
	}
	if f := FailureOf(errs.New(errs.NotFound, "JOB_NOT_FOUND", "No job.").WithField("job_id")); f.Message != "No job." {
		t.Errorf("%+v", f)
	}
}

func TestPublicCodesHaveDescriptions(t *testing.T) {
	for code, c := range codes {
		if c.Means == "" || c.Message == "" {
			t.Errorf("%s has no text for partners", code)
		}
	}
}

// row matches the code and status in a row of docs/guides/errors.md.
var row = regexp.MustCompile("(?m)^\\| `([A-Z_]+)` \\| ([0-9]{3}) \\|")

func TestPublicCodesMatchGuide(t *testing.T) {
	page, err := os.ReadFile("../../../docs/guides/errors.md")
	if err != nil {
		t.Fatal(err)
	}
	documented := map[string]int{}
	for _, m := range row.FindAllStringSubmatch(string(page), -1) {
		if _, twice := documented[m[1]]; twice {
			t.Errorf("%s is documented twice", m[1])
		}
		documented[m[1]], _ = strconv.Atoi(m[2]) // cannot fail: the pattern matches three digits
	}
	for code, c := range codes {
		if documented[code] != c.Status {
			t.Errorf("%s has status %d, but is documented with %d", code, c.Status, documented[code])
		}
	}
	for code := range documented {
		if _, known := codes[code]; !known {
			t.Errorf("%s is documented, but is not a public code", code)
		}
	}
}
