package connections_test

import (
	"net/http"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"vitae.internal/gateway/internal/pages/pagestest"
	"vitae.internal/pkg/errs"
)

func TestLogoIsCachedForever(t *testing.T) {
	t.Parallel()
	v := pagestest.Visit(t)
	a := v.Get("/logos/" + pagestest.LogoApp + "/" + pagestest.LogoVersion)
	if a.StatusCode != http.StatusOK || a.Body != "\xff\xd8 a picture" {
		t.Fatalf("status %d: %q", a.StatusCode, a.Body)
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
		t.Errorf("policy is %q", a.Header.Get("Content-Security-Policy"))
	}
}

func TestUnknownLogoIsNotFound(t *testing.T) {
	t.Parallel()
	v := pagestest.Visit(t)
	for _, path := range []string{pagestest.LogoApp + "/x", pagestest.LogoApp + "/" + strings.ToUpper(pagestest.LogoVersion), "app_1/" + pagestest.LogoVersion, pagestest.LogoApp + "/" + pagestest.LogoVersion + "0"} {
		if a := v.Get("/logos/" + path); a.StatusCode != http.StatusNotFound || strings.Contains(a.Header.Get("Cache-Control"), "immutable") {
			t.Errorf("%s: %d, %q", path, a.StatusCode, a.Header.Get("Cache-Control"))
		}
	}
	if v.Backend.LogosAsked != 0 {
		t.Errorf("auth was called %d times", v.Backend.LogosAsked)
	}
	if a := v.Get("/logos/" + pagestest.LogoApp + "/" + strings.Repeat("0", 24)); a.StatusCode != http.StatusNotFound {
		t.Errorf("different version: status %d", a.StatusCode)
	}
	v.Backend.Fail = errs.New(errs.Unavailable, errs.CodeUnavailable, "down")
	if a := v.Get("/logos/" + pagestest.LogoApp + "/" + pagestest.LogoVersion); a.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("without auth: status %d", a.StatusCode)
	}
}

// images returns the URLs of the images on a page.
func images(a pagestest.Response) (found []string) {
	for n := range a.Root.Descendants() {
		if n.Type == html.ElementNode && n.Data == "img" {
			found = append(found, pagestest.Attribute(n, "src"))
		}
	}
	return found
}

// A logo on a different host is not shown, because that host would learn which app a person is being asked
// about.
func TestOnlyUploadedLogosAreShown(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	address := "/logos/" + pagestest.LogoApp + "/" + pagestest.LogoVersion
	v.Backend.App.LogoUrl = "https://tracker.example/logo.png"
	v.Backend.Connections[0].App.LogoUrl = "https://tracker.example/logo.png"
	for _, path := range []string{pagestest.ConsentPath, "/connections", "/connections/con_1/disconnect"} {
		if got := images(v.Get(path)); len(got) != 0 {
			t.Errorf("%s shows %v", path, got)
		}
	}
	v.Backend.App.Id, v.Backend.App.LogoVersion = pagestest.LogoApp, pagestest.LogoVersion
	v.Backend.Connections[0].App.Id, v.Backend.Connections[0].App.LogoVersion = pagestest.LogoApp, pagestest.LogoVersion
	for _, path := range []string{pagestest.ConsentPath, "/connections", "/connections/con_1/disconnect"} {
		a := v.Get(path)
		if got := images(a); len(got) != 1 || got[0] != address {
			t.Errorf("%s shows %v", path, got)
		}
		if !strings.Contains(a.Header.Get("Content-Security-Policy"), "img-src 'self'") {
			t.Errorf("policy of %s is %q", path, a.Header.Get("Content-Security-Policy"))
		}
	}
}
