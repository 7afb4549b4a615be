package chain

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"vitae.internal/gateway/internal/answer"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/fault"
)

type oneRecord struct{ last Record }

func (o *oneRecord) Record(r Record) { o.last = r }

// recorded returns the record of a request that fails with err, and the response.
func recorded(t *testing.T, err error) (Record, string) {
	t.Helper()
	var kept oneRecord
	log := slog.New(slog.DiscardHandler)
	h, fault := New(Config{Log: log, Usage: &kept, PlatformOn: true, MaxInFlight: 10}, Listener{
		Name: "test", Fail: answer.Errors{Log: log}.Write, Timeout: time.Minute,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			ExchangeOf(r.Context()).Caller = Caller{AccountID: "dev_1", AppID: "app_1"}
			Fail(w, r, err)
		}),
	})
	if fault != nil {
		t.Fatal(fault)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/v1/companies", nil))
	return kept.last, w.Body.String()
}

// (behaviour: usage#messages-of-errors)
func TestRejectedGrantRecordsReason(t *testing.T) {
	t.Parallel()
	err := errs.New(errs.Invalid, "OAUTH_INVALID_GRANT", "The grant is invalid.").WithViolations(errs.Violation{Description: "The code has expired."})
	got, sent := recorded(t, err)
	if got.Message != "The code has expired." || got.OtherFaults != nil || strings.Contains(sent, "expired") || !strings.Contains(sent, "The grant is invalid.") {
		t.Errorf("recorded %+v for the response %s", got, sent)
	}
}

func TestRecordHasMessageAndOtherErrors(t *testing.T) {
	t.Parallel()
	faults := fault.Validation()
	faults.Add("name", "must not be blank")
	faults.Add("employee_count", "is required")
	faults.Add(`socials["x"]`, "must be a link")
	got, sent := recorded(t, faults.Err())
	if got.Code != fault.CodeValidation || got.Message != "name: must not be blank" || !strings.Contains(sent, got.Message) {
		t.Errorf("recorded %q %q for the response %s", got.Code, got.Message, sent)
	}
	if want := []string{"employeeCount: is required", `socials["x"]: must be a link`}; !slices.Equal(got.OtherFaults, want) || strings.Contains(sent, "employeeCount") {
		t.Errorf("other faults %q for the response %s", got.OtherFaults, sent)
	}
	secret := fault.Argument()
	secret.Add("name", "must not be blank")
	secret.Add("hidden", "is ours")
	e, _ := errs.As(secret.Err())
	e.Kind = errs.Internal
	if got, _ := recorded(t, e); got.Message != "Internal error." || got.OtherFaults != nil {
		t.Errorf("for an internal error: %q %q", got.Message, got.OtherFaults)
	}
}

func TestRecordedMessageIsMasked(t *testing.T) {
	t.Parallel()
	for sent, want := range map[string]string{
		"":                        "",
		"There is no such job.":   "There is no such job.",
		"name: must not be blank": "name: must not be blank",
		"salary.min: must be between -1000000000000 and 1000000000000": "salary.min: must be between -1000000000000 and 1000000000000",
		`socials["aisha@vitae.example"]: must be a link`:               `socials["…"]: must be a link`,
		`["+971 (50) 123-4567"]: must not be there twice`:              `["…"]: must not be there twice`,
		"784199012345678: must not be there twice":                     "…: must not be there twice",
		"eyJ" + strings.Repeat("aB3_", 15) + ": is unknown":            "…: is unknown",
		"svc_sk_" + strings.Repeat("a", 43) + ": is unknown":           "svc_sk_: is unknown",
		"a\x00\nb\xff":                        "ab",
		strings.Repeat("ع", 149) + "abc":      strings.Repeat("ع", 148) + "…",
		strings.Repeat("ع", 149) + "ab":       strings.Repeat("ع", 149) + "ab",
		"a" + strings.Repeat("ع", 149) + "ab": "a" + strings.Repeat("ع", 148) + "…",
	} {
		got := recordable(sent, maxMessage)
		if got != want || len(got) > maxMessage || !utf8.ValidString(got) {
			t.Errorf("%q was recorded as %q, want %q", sent, got, want)
		}
	}
}

func TestRecordedErrorsAreTruncated(t *testing.T) {
	t.Parallel()
	kept := otherFaults(slices.Repeat([]string{strings.Repeat("x", 99)}, 50))
	if len(kept) != 8 || kept[7] != "and 43 more" || kept[6] != strings.Repeat("x", 99) {
		t.Errorf("%q", kept)
	}
}
