package consent_test

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"vitae.internal/gateway/internal/pages"
	"vitae.internal/gateway/internal/pages/pagestest"
	"vitae.internal/pkg/errs"
)

// pressCancel presses Cancel while the auth service returns fail. It returns the visitor, the redirect
// and the gateway's log.
func pressCancel(t *testing.T, path string, fail error) (*pagestest.Visitor, *http.Response, string) {
	t.Helper()
	v := pagestest.Visit(t)
	var lines bytes.Buffer
	v.Pages = pagestest.NewPages(t, func(c *pages.Config) { c.Log = slog.New(slog.NewTextHandler(&lines, nil)) })
	v.SignIn()
	v.Backend.DeclineFail = fail
	return v, v.Post(path, url.Values{"decision": {"cancel"}}).Response, lines.String()
}

func TestCancelIsAudited(t *testing.T) {
	t.Parallel()
	for _, path := range []string{pagestest.ConsentPath, pagestest.LegacyPath} {
		v, _, logged := pressCancel(t, path, nil)
		if len(v.Backend.Declined) != 1 {
			t.Fatalf("%s: auth received %d declined consents", path, len(v.Backend.Declined))
		}
		told := v.Backend.Declined[0]
		if told.GetSessionToken() != v.Session() || told.GetParameters().GetClientId() != "svc_ci_1" || told.GetParameters().GetLegacy() != (path == pagestest.LegacyPath) {
			t.Errorf("%s: auth received %v", path, told)
		}
		if strings.Contains(logged, "level=ERROR") {
			t.Errorf("%s: log is %s", path, logged)
		}
	}
}

func TestCancelWorksIfAuditFails(t *testing.T) {
	t.Parallel()
	for _, path := range []string{pagestest.ConsentPath, pagestest.LegacyPath} {
		_, want, _ := pressCancel(t, path, nil)
		_, got, logged := pressCancel(t, path, errs.New(errs.Unavailable, errs.CodeUnavailable, "down"))
		if got.StatusCode != want.StatusCode || got.Header.Get("Location") != want.Header.Get("Location") || want.Header.Get("Location") == "" {
			t.Errorf("%s: %d to %q, without the failure %d to %q", path,
				got.StatusCode, got.Header.Get("Location"), want.StatusCode, want.Header.Get("Location"))
		}
		if strings.Count(logged, "level=ERROR") != 1 || !strings.Contains(logged, "a declined consent is not in the audit log") || !strings.Contains(logged, "app=app_1") {
			t.Errorf("%s: log is %q", path, logged)
		}
	}
}
