package consent_test

import (
	"testing"

	"golang.org/x/net/html"

	"vitae.internal/gateway/internal/pages/pagestest"
)

func TestConsentLinksToPagesOfApp(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	links := func() map[string]string {
		found := map[string]string{}
		for n := range v.Get(pagestest.ConsentPath).Root.Descendants() {
			if n.Type == html.ElementNode && n.Data == "a" && pagestest.Attribute(n, "target") == "_blank" {
				if pagestest.Attribute(n, "rel") != "noopener noreferrer nofollow" {
					t.Errorf("a link has rel %q", pagestest.Attribute(n, "rel"))
				}
				found[n.FirstChild.Data] = pagestest.Attribute(n, "href")
			}
		}
		return found
	}
	if got := links(); len(got) != 0 {
		t.Errorf("links of an app without any: %v", got)
	}
	v.Backend.App.Homepage, v.Backend.App.PrivacyPolicy = "https://acme.example/?a=1&b=%22", "https://acme.example/privacy"
	v.Backend.App.Terms = "javascript:alert(1)"
	got := links()
	if len(got) != 2 || got["Website"] != "https://acme.example/?a=1&b=%22" || got["Privacy policy"] != "https://acme.example/privacy" {
		t.Errorf("links are %v", got)
	}
	v.Lang = "ar"
	v.Backend.App.Terms = "https://acme.example/terms"
	if got := links(); len(got) != 3 || got["الشروط"] != "https://acme.example/terms" {
		t.Errorf("links in Arabic: %v", got)
	}
}
