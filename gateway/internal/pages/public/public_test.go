package public_test

import (
	"net/http"
	"strings"
	"testing"

	"google.golang.org/protobuf/types/known/wrapperspb"

	"vitae.internal/gateway/internal/pages/pagestest"
)

func TestPublicPagesEscapeText(t *testing.T) {
	t.Parallel()
	v := pagestest.Visit(t)
	for _, path := range []string{"/p/layla", "/p/layla/cv"} {
		a := v.Get(path)
		if a.StatusCode != http.StatusOK || !strings.Contains(a.Text(), "<script>alert(1)</script>") || !strings.Contains(a.Text(), "Layla Haddad") {
			t.Errorf("%s: status %d: %s", path, a.StatusCode, a.Text())
		}
		for n := range a.Root.Descendants() {
			if href := pagestest.Attribute(n, "href"); strings.HasPrefix(href, "javascript") {
				t.Errorf("%s links to %s", path, href)
			}
		}
		if a.Header.Get("X-Robots-Tag") != "" {
			t.Errorf("%s is excluded from search engines", path)
		}
	}
}

func TestUnknownProfilesAreNotFound(t *testing.T) {
	t.Parallel()
	v := pagestest.Visit(t)
	for _, path := range []string{"/p/nobody", "/p/nobody/cv", "/p/%ff", "/p/", "/p/layla/x"} {
		if a := v.Get(path); a.StatusCode != http.StatusNotFound || !strings.Contains(a.Text(), "Page not found") {
			t.Errorf("%s: status %d", path, a.StatusCode)
		}
	}
	v.Backend.Public.Cv = nil
	if a := v.Get("/p/layla/cv"); a.StatusCode != http.StatusNotFound {
		t.Errorf("a CV without content: status %d", a.StatusCode)
	}
	if a := v.Get("/p/layla"); a.StatusCode != http.StatusOK || strings.Contains(a.Body, "/p/layla/cv") {
		t.Errorf("the profile of a person without a CV: status %d", a.StatusCode)
	}
}

func TestPolicyAllowsOnlyPhotoHost(t *testing.T) {
	t.Parallel()
	for photo, want := range map[string]string{
		"https://img.example:8443/a.png?x=;script-src": "img-src 'self' data: https://img.example:8443;",
		"http://127.0.0.1/a.png":                       "img-src 'self' data: http://127.0.0.1;",
		"https://evil.example;script-src/a":            "img-src 'self' data:;",
		"https://*/a.png":                              "img-src 'self' data:;",
		"javascript:alert(1)":                          "img-src 'self' data:;",
		"":                                             "img-src 'self' data:;",
	} {
		v := pagestest.Visit(t)
		v.Backend.Public.User.AvatarUrl = wrapperspb.String(photo)
		a := v.Get("/p/layla")
		if got := a.Header.Get("Content-Security-Policy"); !strings.Contains(got, want) {
			t.Errorf("%q: the policy is %s", photo, got)
		}
		if strings.Contains(a.Body, "<img") == strings.HasSuffix(want, "data:;") {
			t.Errorf("%q: the photo is shown although the policy forbids it, or is not shown although it may be", photo)
		}
	}
}

// pixel is one gray pixel in each image type that a profile can contain.
var pixel = map[string]string{
	"png":  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==",
	"gif":  "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7",
	"webp": "UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA",
	"jpeg": "/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA=",
}

func TestOnlyInlineImagesAreShown(t *testing.T) {
	t.Parallel()
	shown := func(photo string) string {
		v := pagestest.Visit(t)
		v.Backend.Public.User.AvatarUrl = wrapperspb.String(photo)
		a := v.Get("/p/layla")
		if csp := a.Header.Get("Content-Security-Policy"); !strings.Contains(csp, "img-src 'self' data:;") {
			t.Errorf("the policy is %s", csp)
		}
		for n := range a.Root.Descendants() {
			if n.Data == "img" {
				return pagestest.Attribute(n, "src")
			}
		}
		return ""
	}
	for kind, body := range pixel {
		if photo := "data:image/" + kind + ";base64," + body; shown(photo) != photo {
			t.Errorf("an inline %s photo is shown as %q", kind, shown(photo))
		}
	}
	for _, photo := range []string{
		"data:image/svg+xml;base64,PHN2Zy8+", "data:text/html;base64,PGI+", "data:image/png," + pixel["png"],
		"data:image/png;base64,", "data:image/png;base64,%41AAA", "data:image/png;base64,AAA", "data:image/png;base64,AA\nAA",
		"data:image/png;base64,AAAA\" onerror=\"x", "data:image/png;charset=x;base64,AAAA", " data:image/png;base64,AAAA", "DATA:image/png;base64,AAAA",
	} {
		if got := shown(photo); got != "" {
			t.Errorf("the photo %q is shown as %q", photo, got)
		}
	}
}

func TestPeriodsAreReadInOrder(t *testing.T) {
	t.Parallel()
	v := pagestest.Visit(t)
	for language, want := range map[string][]string{
		"en": {"September 2025 – Present", "2024 – 1 March 2025", "2020 – 2024"},
		"ar": {"من سبتمبر 2025 حتى الآن", "من 2024 إلى 1 مارس 2025", "من 2020 إلى 2024"},
	} {
		v.Backend.Public.Cv.Language = language
		for _, path := range []string{"/p/layla", "/p/layla/cv"} {
			a := v.Get(path)
			for n := range a.Root.Descendants() {
				if pagestest.Attribute(n, "dir") == "auto" {
					t.Errorf("%s in %s: <%s> aligns by its text (dir=auto)", path, language, n.Data)
				}
			}
			for _, period := range want {
				if strings.HasSuffix(path, "/cv") && !strings.Contains(strings.Join(strings.Fields(a.Text()), " "), period) {
					t.Errorf("in %s the CV does not contain %q: %s", language, period, a.Text())
				}
			}
		}
	}
}

func TestCVIsShownInItsLanguage(t *testing.T) {
	t.Parallel()
	v := pagestest.Visit(t)
	v.Backend.Public.Cv.Language = "ar"
	a := v.Get("/p/layla/cv")
	if !strings.Contains(a.Body, `<html lang="en" dir="ltr">`) || !strings.Contains(a.Body, `lang="ar" dir="rtl">`) ||
		!strings.Contains(a.Text(), "الخبرات") || !strings.Contains(a.Text(), "سبتمبر 2025") {
		t.Errorf("the page is %s", a.Text())
	}
}

func TestPublicPagesHaveOpenGraphPreview(t *testing.T) {
	t.Parallel()
	meta := func(a pagestest.Response) map[string]string {
		found := map[string]string{}
		for n := range a.Root.Descendants() {
			if name := pagestest.Attribute(n, "property") + pagestest.Attribute(n, "name"); n.Data == "meta" && name != "" {
				found[name] = pagestest.Attribute(n, "content")
			}
		}
		return found
	}
	v := pagestest.Visit(t)
	for path, want := range map[string]map[string]string{
		"/p/layla":    {"og:title": "Layla Haddad", "og:url": "https://app.vitae.example/p/layla"},
		"/p/layla/cv": {"og:title": "CV of Layla Haddad", "og:url": "https://app.vitae.example/p/layla/cv"},
	} {
		want["og:type"], want["og:locale"], want["og:image"] = "profile", "en_US", "https://img.example/layla.png"
		want["og:description"], want["description"] = "Front-end developer · Sharjah, United Arab Emirates", "Front-end developer · Sharjah, United Arab Emirates"
		got := meta(v.Get(path))
		for name, value := range want {
			if got[name] != value {
				t.Errorf("%s: %s is %q, want %q", path, name, got[name], value)
			}
		}
	}
	v.Backend.Public.Cv.Language = "ar"
	v.Backend.Public.User.AvatarUrl = wrapperspb.String("data:image/png;base64," + pixel["png"])
	if got := meta(v.Get("/p/layla")); got["og:locale"] != "ar_AE" || got["og:image"] != "https://app.vitae.example/p/layla/photo" {
		t.Errorf("the preview is %v", got)
	}
	photo := v.Get("/p/layla/photo")
	if photo.StatusCode != http.StatusOK || photo.Header.Get("Content-Type") != "image/png" || !strings.HasPrefix(photo.Body, "\x89PNG") {
		t.Errorf("the photo: status %d, %v", photo.StatusCode, photo.Header)
	}
	v.Backend.Public.User.AvatarUrl = nil
	if _, there := meta(v.Get("/p/layla"))["og:image"]; there || v.Get("/p/layla/photo").StatusCode != http.StatusNotFound {
		t.Error("a person without a photo has one on the public pages")
	}
}

func TestPublicCVCanBeDownloadedAsPDF(t *testing.T) {
	t.Parallel()
	v := pagestest.Visit(t)
	for _, path := range []string{"/p/layla", "/p/layla/cv"} {
		if a := v.Get(path); !strings.Contains(a.Body, `href="/p/layla/cv.pdf" download>Download PDF</a>`) {
			t.Errorf("%s does not link to the PDF", path)
		}
	}
	a := v.Get("/p/layla/cv.pdf")
	if a.StatusCode != http.StatusOK || a.Body != "PDF of Layla Haddad for public layla" || a.Header.Get("X-Robots-Tag") != "noindex" {
		t.Errorf("status %d, %v: %s", a.StatusCode, a.Header, a.Body)
	}
	v.Backend.Public.Cv = nil
	for _, path := range []string{"/p/layla/cv.pdf", "/p/nobody/cv.pdf", "/p/nobody/photo"} {
		if a := v.Get(path); a.StatusCode != http.StatusNotFound {
			t.Errorf("%s: status %d", path, a.StatusCode)
		}
	}
}
