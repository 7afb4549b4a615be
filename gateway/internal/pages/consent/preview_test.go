package consent_test

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"vitae.internal/gateway/internal/authorization"
	"vitae.internal/gateway/internal/pages/pagestest"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/testkit"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

func TestConsentNamesPublisher(t *testing.T) {
	t.Parallel()
	for lang, want := range map[string]map[bool]string{
		"en": {true: "Published by <i>Acme</i> Ltd Verified by Vitae", false: "Published by <i>Acme</i> Ltd Not verified by Vitae"},
		"ar": {true: "الناشر: <i>Acme</i> Ltd تحقّقت Vitae من هويته", false: "الناشر: <i>Acme</i> Ltd لم تتحقّق Vitae من هويته"},
	} {
		for verified, text := range want {
			v := pagestest.SignedIn(t)
			v.Lang, v.Backend.Publisher, v.Backend.Verified = lang, "<i>Acme</i> Ltd", verified
			if got := strings.Join(strings.Fields(v.Get(pagestest.ConsentPath).Text()), " "); !strings.Contains(got, text) {
				t.Errorf("%s, verified %t: %s", lang, verified, got)
			}
		}
	}
}

// preview returns the URL of an app's preview, as the console builds it.
func preview(t *testing.T, at time.Time, clientID string, scopes ...string) string {
	t.Helper()
	previews, err := authorization.NewPreviews(testkit.Ring("cookie", "a"), clock.NewFake(at))
	if err != nil {
		t.Fatal(err)
	}
	return previews.Path(clientID, pagestest.RedirectURI, scopes)
}

func TestPreviewCannotAllow(t *testing.T) {
	t.Parallel()
	v := pagestest.Visit(t)
	v.Backend.Publisher = "Acme Ltd"
	path := preview(t, pagestest.Now, "svc_ci_1", "profile", "email", "cv:read", "cv:contact")
	for _, signedIn := range []bool{false, true} {
		if signedIn {
			v.SignIn()
		}
		a := v.Get(path)
		if a.StatusCode != http.StatusOK || a.Header.Get("Cache-Control") != "no-store" || a.Header.Get("X-Robots-Tag") != "noindex" {
			t.Fatalf("status %d: %v", a.StatusCode, a.Header)
		}
		if n := len(a.Elements("form")); n != 0 {
			t.Errorf("page has %d forms", n)
		}
		for _, b := range a.Elements("button") {
			if !pagestest.Has(b, "disabled") {
				t.Errorf("the button %q can be pressed", pagestest.Attribute(b, "value"))
			}
		}
		if policy := a.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "form-action 'none'") || !strings.Contains(policy, "frame-ancestors 'none'") {
			t.Errorf("policy is %s", policy)
		}
		text := a.Text()
		for _, want := range []string{"A preview of the consent page", "Acme Jobs wants to connect", "Published by Acme Ltd", "Not verified by Vitae", "Main CV", "Allow", "jobs.example", "somebody@example.com"} {
			if !strings.Contains(text, want) {
				t.Errorf("signed in %t: %q is missing", signedIn, want)
			}
		}
		if strings.Contains(text, pagestest.GoodEmail) || strings.Contains(a.Body, `name="csrf"`) {
			t.Error("the page shows who is signed in, or a form token")
		}
	}
	v.Send(http.MethodPost, path, url.Values{"decision": {"allow"}, "scope": {"profile"}})
	if len(v.Backend.Authorized) != 0 {
		t.Error("a preview has granted access")
	}
	if a := v.Get(path + "?lang=ar"); !strings.Contains(a.Body, `<html lang="ar" dir="rtl">`) || !strings.Contains(a.Text(), "معاينة لصفحة الموافقة") {
		t.Errorf("page in Arabic: %s", a.Text())
	}
}

// The preview may differ from the consent page only in the note at the top, and in the forms and their tokens.
// Links in the note replace the language switch.
func TestPreviewLooksLikeConsent(t *testing.T) {
	t.Parallel()
	v := pagestest.Visit(t)
	labels := func(a pagestest.Response) (all []string) {
		for _, name := range []string{"h1", "legend", "label", "button"} {
			for _, n := range a.Elements(name) {
				if id := pagestest.Attribute(n, "for"); !strings.HasPrefix(id, "cv-") && pagestest.Attribute(n, "name") != "language" {
					all = append(all, name+" "+id+" "+pagestest.TextOf(n))
				}
			}
		}
		return all
	}
	shown := v.Get(preview(t, pagestest.Now, "svc_ci_1", "profile", "email", "cv:read", "cv:contact"))
	v.SignIn()
	real := v.Get("/oauth/authorize?" + url.Values{"client_id": {"svc_ci_1"}, "redirect_uri": {pagestest.RedirectURI}, "scope": {"profile email cv:read cv:contact"}}.Encode())
	if got, want := strings.Join(labels(shown), "\n"), strings.Join(labels(real), "\n"); got != want || len(want) < 100 {
		t.Errorf("the preview has\n%s\nand the page\n%s", got, want)
	}
}

func TestInvalidPreviewsAreNotFound(t *testing.T) {
	t.Parallel()
	v := pagestest.Visit(t)
	good := preview(t, pagestest.Now, "svc_ci_1", "profile")
	for what, path := range map[string]string{
		"made up": "/oauth/preview/x.9999999999.y", "changed": good + "A", "over": preview(t, pagestest.Now.Add(-11*time.Minute), "svc_ci_1", "profile"),
	} {
		if a := v.Get(path); a.StatusCode != http.StatusNotFound {
			t.Errorf("%s: status %d", what, a.StatusCode)
		}
	}
	v.Backend.Refuse = errs.New(errs.Denied, "DEVELOPER_ACCOUNT_SUSPENDED", "suspended")
	if a := v.Get(good); a.StatusCode != http.StatusForbidden {
		t.Errorf("app that people cannot connect: status %d", a.StatusCode)
	}
	v.Backend.Refuse, v.Backend.Fault = nil, &authv1.AuthorizationFault{Error: "invalid_scope"}
	if a := v.Get(good); a.StatusCode != http.StatusNotFound || a.Header.Get("Location") != "" {
		t.Errorf("app that no longer has what the preview shows: status %d, redirect to %q", a.StatusCode, a.Header.Get("Location"))
	}
}

func TestPreviewsAreLimited(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	v.Backend.PageLimitUsed, v.Backend.Fail = true, errors.New("a part was asked")
	if a := v.Get(preview(t, pagestest.Now, "svc_ci_1", "profile")); a.StatusCode != http.StatusTooManyRequests {
		t.Errorf("status %d", a.StatusCode)
	}
}
