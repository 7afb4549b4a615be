package pages

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"vitae.internal/gateway/internal/authorization"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/testkit"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

func TestTheConsentPageNamesThePublisherAndWhetherVitaeKnowsIt(t *testing.T) {
	t.Parallel()
	for lang, want := range map[string]map[bool]string{
		"en": {true: "Published by <i>Acme</i> Ltd Verified by Vitae", false: "Published by <i>Acme</i> Ltd Not verified by Vitae"},
		"ar": {true: "الناشر: <i>Acme</i> Ltd تحقّقت Vitae من هويته", false: "الناشر: <i>Acme</i> Ltd لم تتحقّق Vitae من هويته"},
	} {
		for verified, text := range want {
			v := atConsent(t)
			v.lang, v.backend.publisher, v.backend.verified = lang, "<i>Acme</i> Ltd", verified
			if got := strings.Join(strings.Fields(v.get(consentPath).text()), " "); !strings.Contains(got, text) {
				t.Errorf("%s, verified %t: %s", lang, verified, got)
			}
		}
	}
}

// preview is the address of a preview of an app, as the console makes it.
func preview(t *testing.T, at time.Time, clientID string, scopes ...string) string {
	t.Helper()
	previews, err := authorization.NewPreviews(testkit.Ring("cookie", "a"), clock.NewFake(at))
	if err != nil {
		t.Fatal(err)
	}
	return previews.Path(clientID, redirectURI, scopes)
}

// elements gives the elements of a page with a name.
func (a response) elements(name string) (all []*html.Node) {
	for n := range a.root.Descendants() {
		if n.Type == html.ElementNode && n.Data == name {
			all = append(all, n)
		}
	}
	return all
}

func TestAPreviewShowsTheConsentPageAndHasNoPowerToAllow(t *testing.T) {
	t.Parallel()
	v := visit(t, "https://app.vitae.example")
	v.backend.publisher = "Acme Ltd"
	path := preview(t, now, "svc_ci_1", "profile", "email", "cv:read", "cv:contact")
	for _, signedIn := range []bool{false, true} {
		if signedIn {
			v.signIn()
		}
		a := v.get(path)
		if a.StatusCode != http.StatusOK || a.Header.Get("Cache-Control") != "no-store" || a.Header.Get("X-Robots-Tag") != "noindex" {
			t.Fatalf("%d %v", a.StatusCode, a.Header)
		}
		wellFormed(t, a)
		if n := len(a.elements("form")); n != 0 {
			t.Errorf("%d forms", n)
		}
		for _, b := range a.elements("button") {
			if !has(b, "disabled") {
				t.Errorf("the button %q can be pressed", attribute(b, "value"))
			}
		}
		if policy := a.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "form-action 'none'") || !strings.Contains(policy, "frame-ancestors 'none'") {
			t.Errorf("the policy is %s", policy)
		}
		text := a.text()
		for _, want := range []string{"A preview of the consent page", "Acme Jobs wants to connect", "Published by Acme Ltd", "Not verified by Vitae", "Main CV", "Allow", "jobs.example", "somebody@example.com"} {
			if !strings.Contains(text, want) {
				t.Errorf("signed in %t: it does not say %q", signedIn, want)
			}
		}
		if strings.Contains(text, goodEmail) || strings.Contains(a.body, `name="csrf"`) {
			t.Error("it shows who is signed in, or the token of a form")
		}
	}
	v.send(http.MethodPost, path, url.Values{"decision": {"allow"}, "scope": {"profile"}})
	if len(v.backend.authorized) != 0 {
		t.Error("a preview has allowed something")
	}
	if a := v.get(path + "?lang=ar"); !strings.Contains(a.body, `<html lang="ar" dir="rtl">`) || !strings.Contains(a.text(), "معاينة لصفحة الموافقة") {
		t.Errorf("in Arabic: %s", a.text())
	}
}

// What differs from the consent page are only the note above it, the forms and their tokens, and
// the switch of languages, in whose place the note has links.
func TestAPreviewIsDrawnAsTheConsentPage(t *testing.T) {
	t.Parallel()
	v := visit(t, "https://app.vitae.example")
	labels := func(a response) (all []string) {
		for _, name := range []string{"h1", "legend", "label", "button"} {
			for _, n := range a.elements(name) {
				if id := attribute(n, "for"); !strings.HasPrefix(id, "cv-") && attribute(n, "name") != "language" {
					all = append(all, name+" "+id+" "+textOf(n))
				}
			}
		}
		return all
	}
	shown := v.get(preview(t, now, "svc_ci_1", "profile", "email", "cv:read", "cv:contact"))
	v.signIn()
	real := v.get("/oauth/authorize?" + url.Values{"client_id": {"svc_ci_1"}, "redirect_uri": {redirectURI}, "scope": {"profile email cv:read cv:contact"}}.Encode())
	if got, want := strings.Join(labels(shown), "\n"), strings.Join(labels(real), "\n"); got != want || len(want) < 100 {
		t.Errorf("the preview has\n%s\nand the page\n%s", got, want)
	}
}

// textOf is the text of an element.
func textOf(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

func TestPreviewsThatNobodyHasMadeOrThatAreOverAreNotFound(t *testing.T) {
	t.Parallel()
	v := visit(t, "https://app.vitae.example")
	good := preview(t, now, "svc_ci_1", "profile")
	for what, path := range map[string]string{
		"made up": "/oauth/preview/x.9999999999.y", "changed": good + "A", "over": preview(t, now.Add(-11*time.Minute), "svc_ci_1", "profile"),
	} {
		if a := v.get(path); a.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %d", what, a.StatusCode)
		}
	}
	v.backend.refuse = errs.New(errs.Denied, "DEVELOPER_ACCOUNT_SUSPENDED", "suspended")
	if a := v.get(good); a.StatusCode != http.StatusForbidden {
		t.Errorf("an app that people cannot connect: %d", a.StatusCode)
	}
	v.backend.refuse, v.backend.fault = nil, &authv1.AuthorizationFault{Error: "invalid_scope"}
	if a := v.get(good); a.StatusCode != http.StatusNotFound || a.Header.Get("Location") != "" {
		t.Errorf("an app that has lost what the preview shows: %d to %q", a.StatusCode, a.Header.Get("Location"))
	}
}

func TestPreviewsSpendAPageOfTheirAddress(t *testing.T) {
	t.Parallel()
	v, spent := behindLimit(t)
	*spent, v.backend.fail = true, errors.New("a part was asked")
	if a := v.get(preview(t, now, "svc_ci_1", "profile")); a.StatusCode != http.StatusTooManyRequests {
		t.Errorf("%d", a.StatusCode)
	}
}
