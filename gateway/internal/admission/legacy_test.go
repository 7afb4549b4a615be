package admission

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"vitae.internal/gateway/internal/admission/credentials"
	"vitae.internal/gateway/internal/admission/limits"
	"vitae.internal/gateway/internal/answer"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/principal"
)

// fakeWindows is a Windows that records its calls.
type fakeWindows struct {
	charged, checked []string
	refusal          error
}

func (h *fakeWindows) Charge(_ context.Context, r limits.Rate, subject string) limits.Window {
	h.charged = append(h.charged, subject)
	return limits.Window{Rate: r, Refusal: h.refusal}
}

func (h *fakeWindows) Read(_ context.Context, r limits.Rate, subject string) limits.Window {
	h.checked = append(h.checked, subject)
	return limits.Window{Rate: r}
}

// byKind writes only the HTTP status for the error's kind. The codes of package credentials are
// internal, and package legacy replaces them.
func byKind(w http.ResponseWriter, _ *http.Request, err error) {
	statuses := map[errs.Kind]int{errs.Unauthenticated: 401, errs.Denied: 403, errs.NotFound: 404, errs.Exhausted: 429, errs.Unavailable: 503}
	w.WriteHeader(statuses[errs.KindOf(err)])
	e, _ := errs.As(err)
	_, _ = w.Write([]byte(e.Code + " " + e.Message))
}

func TestLegacyTokenIsChargedToApp(t *testing.T) {
	good := credential.New(credential.AccessToken)
	dead := func(code string) error { return errs.New(errs.Unauthenticated, code, "dead") }
	for name, c := range map[string]struct {
		bearer           string
		change           func(*fakeVerifier, *fakeWindows)
		lifted           bool
		status           int
		says             string
		charged, checked int
		madeUp           int
	}{
		"live":         {good, func(*fakeVerifier, *fakeWindows) {}, false, 200, "", 1, 0, 0},
		"no token":     {"", func(*fakeVerifier, *fakeWindows) {}, false, 401, "", 0, 0, 0},
		"malformed":    {good + "x", func(*fakeVerifier, *fakeWindows) {}, false, 401, "The access token is unknown or revoked.", 0, 0, 1},
		"never issued": {good, func(b *fakeVerifier, _ *fakeWindows) { b.err = dead(credentials.CodeNotIssued) }, false, 401, "The access token is unknown or revoked.", 0, 0, 1},
		"dead":         {good, func(b *fakeVerifier, _ *fakeWindows) { b.err = dead(credentials.CodeUnknown) }, false, 401, "The access token is unknown or revoked.", 0, 0, 0},
		"expired":      {good, func(b *fakeVerifier, _ *fakeWindows) { b.err = dead(credentials.CodeExpired) }, false, 401, "The access token has expired.", 0, 0, 0},
		"disconnected": {good, func(b *fakeVerifier, _ *fakeWindows) {
			b.err = errs.New(errs.NotFound, answer.CodeConnectionNotFound, "x")
		}, false, 401, "The access token is unknown or revoked.", 0, 0, 0},
		"auth is down":                    {good, func(b *fakeVerifier, _ *fakeWindows) { b.err = errs.New(errs.Unavailable, "SERVICE_UNAVAILABLE", "x") }, false, 503, "", 0, 0, 0},
		"suspended":                       {good, func(b *fakeVerifier, _ *fakeWindows) { b.record.AccountSuspended = true }, false, 403, answer.CodeAccountSuspended, 0, 1, 0},
		"over":                            {good, func(_ *fakeVerifier, h *fakeWindows) { h.refusal = errOver }, false, 429, limits.CodeRate, 1, 0, 0},
		"over the limit, which is lifted": {good, func(_ *fakeVerifier, h *fakeWindows) { h.refusal = errOver }, true, 200, "", 1, 0, 0},
	} {
		b, counted, windows := &fakeVerifier{record: live()}, &counters{}, &fakeWindows{}
		c.change(b, windows)
		r := from("192.0.2.1:1")
		if c.bearer != "" {
			r.Header.Set("Authorization", "Bearer "+c.bearer)
		}
		passed := false
		partners := Partners{Windows: windows, Rate: limits.Rate{Count: 100, Per: time.Hour}, Lifted: c.lifted}
		w := behindWith(t, byKind, r, newGate(t, b, counted).LegacyToken(partners, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			p := principal.FromContext(r.Context())
			passed = p.GetCvLinkUrl() != "" && p.GetPhotoUrl() != ""
		})))
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.says) || passed != (c.status == 200) {
			t.Errorf("%s: %d %s, passed %t", name, w.Code, w.Body, passed)
		}
		if len(windows.charged) != c.charged || len(windows.checked) != c.checked || len(counted.charged) != c.madeUp {
			t.Errorf("%s: charged %q, checked %q, failures charged to %q", name, windows.charged, windows.checked, counted.charged)
		}
		for _, subject := range append(windows.charged, windows.checked...) {
			if subject != "partner app_1" {
				t.Errorf("%s: counted for %q", name, subject)
			}
		}
		if limit := w.Header().Get("X-RateLimit-Limit"); (limit == "100") != (c.charged+c.checked > 0) {
			t.Errorf("%s: X-RateLimit-Limit %q", name, limit)
		}
		if h := w.Header(); h.Get("Cache-Control") != "no-store" || h.Get("Vary") != "Authorization" || b.record.GetPrincipal().GetCvLinkUrl() != "" {
			t.Errorf("%s: headers %v, or the record was modified", name, h)
		}
	}
}
