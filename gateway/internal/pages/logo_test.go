package pages

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"google.golang.org/grpc"

	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

const (
	logoApp      = "app_0123456789abcdefghijklmnop"
	logoVersion1 = "00112233445566778899aabb"
)

// GetAppLogo has one logo.
func (b *backend) GetAppLogo(_ context.Context, req *authv1.GetAppLogoRequest, _ ...grpc.CallOption) (*authv1.GetAppLogoResponse, error) {
	b.logosAsked++
	if b.fail != nil {
		return nil, b.fail
	}
	if req.GetAppId() != logoApp || req.GetVersion() != logoVersion1 {
		return nil, errs.New(errs.NotFound, "APP_LOGO_NOT_FOUND", "none")
	}
	return &authv1.GetAppLogoResponse{Jpeg: []byte("\xff\xd8 a picture")}, nil
}

func TestALogoIsServedToBeKeptForEver(t *testing.T) {
	t.Parallel()
	v := visit(t, "https://app.vitae.example")
	a := v.get("/logos/" + logoApp + "/" + logoVersion1)
	if a.StatusCode != http.StatusOK || a.body != "\xff\xd8 a picture" {
		t.Fatalf("%d %q", a.StatusCode, a.body)
	}
	for name, want := range map[string]string{
		"Content-Type": "image/jpeg", "Content-Length": "12", "Cache-Control": "public, max-age=31536000, immutable",
		"X-Content-Type-Options": "nosniff", "Cross-Origin-Resource-Policy": "same-site", "Vary": "",
	} {
		if got := a.Header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if !strings.HasPrefix(a.Header.Get("Content-Security-Policy"), "default-src 'none'") {
		t.Errorf("the policy is %q", a.Header.Get("Content-Security-Policy"))
	}
}

func TestAnAddressThatIsNoLogosIsNotFoundAndOftenNotAskedFor(t *testing.T) {
	t.Parallel()
	v := visit(t, "https://app.vitae.example")
	for _, path := range []string{logoApp + "/x", logoApp + "/" + strings.ToUpper(logoVersion1), "app_1/" + logoVersion1, logoApp + "/" + logoVersion1 + "0"} {
		if a := v.get("/logos/" + path); a.StatusCode != http.StatusNotFound || strings.Contains(a.Header.Get("Cache-Control"), "immutable") {
			t.Errorf("%s: %d, %q", path, a.StatusCode, a.Header.Get("Cache-Control"))
		}
	}
	if v.backend.logosAsked != 0 {
		t.Errorf("auth was asked %d times", v.backend.logosAsked)
	}
	if a := v.get("/logos/" + logoApp + "/" + strings.Repeat("0", 24)); a.StatusCode != http.StatusNotFound {
		t.Errorf("another version: %d", a.StatusCode)
	}
	v.backend.fail = errs.New(errs.Unavailable, errs.CodeUnavailable, "down")
	if a := v.get("/logos/" + logoApp + "/" + logoVersion1); a.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("without auth: %d", a.StatusCode)
	}
}

// images gives the addresses of the pictures in a page.
func images(a response) (found []string) {
	for n := range a.root.Descendants() {
		if n.Type == html.ElementNode && n.Data == "img" {
			found = append(found, attribute(n, "src"))
		}
	}
	return found
}

// The logo that lies elsewhere is not shown: its host would learn who is asked for what.
func TestPagesShowTheUploadedLogoAndNoOther(t *testing.T) {
	t.Parallel()
	v := atConsent(t)
	address := "/logos/" + logoApp + "/" + logoVersion1
	v.backend.app.LogoUrl = "https://tracker.example/logo.png"
	v.backend.connections[0].App.LogoUrl = "https://tracker.example/logo.png"
	for _, path := range []string{consentPath, "/connections", "/connections/con_1/disconnect"} {
		if got := images(v.get(path)); len(got) != 0 {
			t.Errorf("%s shows %v", path, got)
		}
	}
	v.backend.app.Id, v.backend.app.LogoVersion = logoApp, logoVersion1
	v.backend.connections[0].App.Id, v.backend.connections[0].App.LogoVersion = logoApp, logoVersion1
	for _, path := range []string{consentPath, "/connections", "/connections/con_1/disconnect"} {
		a := v.get(path)
		if got := images(a); len(got) != 1 || got[0] != address {
			t.Errorf("%s shows %v", path, got)
		}
		if !strings.Contains(a.Header.Get("Content-Security-Policy"), "img-src 'self'") {
			t.Errorf("the policy of %s is %q", path, a.Header.Get("Content-Security-Policy"))
		}
	}
}

func TestTheConsentPageLeadsToWhatTheAppSaysOfItself(t *testing.T) {
	t.Parallel()
	v := atConsent(t)
	links := func() map[string]string {
		found := map[string]string{}
		for n := range v.get(consentPath).root.Descendants() {
			if n.Type == html.ElementNode && n.Data == "a" && attribute(n, "target") == "_blank" {
				if attribute(n, "rel") != "noopener noreferrer nofollow" {
					t.Errorf("a link has the rel %q", attribute(n, "rel"))
				}
				found[n.FirstChild.Data] = attribute(n, "href")
			}
		}
		return found
	}
	if got := links(); len(got) != 0 {
		t.Errorf("without any: %v", got)
	}
	v.backend.app.Homepage, v.backend.app.PrivacyPolicy = "https://acme.example/?a=1&b=%22", "https://acme.example/privacy"
	v.backend.app.Terms = "javascript:alert(1)"
	got := links()
	if len(got) != 2 || got["Website"] != "https://acme.example/?a=1&b=%22" || got["Privacy policy"] != "https://acme.example/privacy" {
		t.Errorf("the links are %v", got)
	}
	v.lang = "ar"
	v.backend.app.Terms = "https://acme.example/terms"
	if got := links(); len(got) != 3 || got["الشروط"] != "https://acme.example/terms" {
		t.Errorf("in Arabic: %v", got)
	}
}
