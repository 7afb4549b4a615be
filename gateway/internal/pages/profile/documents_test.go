package profile_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"vitae.internal/gateway/internal/pages/pagestest"
	cvrenderv1 "vitae.internal/proto/gen/vitae/cvrender/v1"
)

func TestEachCVHasItsOwnTemplate(t *testing.T) {
	t.Parallel()
	v := pagestest.Visit(t)
	if page := v.Get("/documents"); page.Header.Get("Location") != "/sign-in?return=%2Fdocuments" {
		t.Errorf("a signed-out visitor is redirected to %q", page.Header.Get("Location"))
	}
	v.SignIn()
	page := v.Get("/documents")
	for _, want := range []string{"Your CVs as PDFs", "Main CV", "السيرة الذاتية بالعربية", "Last changed on 9 March 2026", "Classic", "Compact", "Save template", "Download PDF"} {
		if !strings.Contains(page.Text(), want) {
			t.Errorf("%q is missing on the page: %s", want, page.Text())
		}
	}
	for at, word := range []string{"classic", "compact"} {
		if !strings.Contains(page.Body, fmt.Sprintf(`id="document-%d-%s" type="radio" name="template" value="%s" checked`, at, word, word)) {
			t.Errorf("the template of document %d is not checked", at)
		}
	}
	if n := strings.Count(page.Body, " checked"); n != 2 {
		t.Errorf("%d templates are checked, want one for each CV", n)
	}
	v.Follow(v.Post("/documents/master/template", url.Values{"template": {"compact"}}), "/documents").Reports(t, "Saved. The PDF of this CV now uses the compact template.")
	if got := v.Backend.Documents[0].GetTemplate(); got != cvrenderv1.CvTemplate_CV_TEMPLATE_COMPACT {
		t.Errorf("chosen: %v", got)
	}
}

func TestDocumentsSayThatEmailIsMissing(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	for _, unverified := range []bool{false, true} {
		v.Backend.EmailUnverified = unverified
		if got := v.Get("/documents").Text(); strings.Contains(got, "Your email address isn’t in your copy") != unverified {
			t.Errorf("unverified %t: %s", unverified, got)
		}
	}
}

func TestPDFUsesChosenTemplate(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	for address, want := range map[string]string{
		"/documents/cv_3/cv.pdf": "%PDF cv_3 CV_TEMPLATE_COMPACT", "/documents/master/cv.pdf": "%PDF master CV_TEMPLATE_CLASSIC",
		"/documents/cv_3/cv.pdf?template=classic": "%PDF cv_3 CV_TEMPLATE_CLASSIC", "/documents/master/cv.pdf?template=compact": "%PDF master CV_TEMPLATE_COMPACT",
	} {
		if got := v.Get(address); got.StatusCode != http.StatusOK || got.Body != want {
			t.Errorf("%s: %d %q, want %q", address, got.StatusCode, got.Body, want)
		}
	}
	for _, address := range []string{"/documents/cv_none/cv.pdf", "/documents/master/cv.pdf?template=pretty", "/documents/a%00/cv.pdf"} {
		if got := v.Get(address); got.StatusCode != http.StatusNotFound {
			t.Errorf("%s: status %d", address, got.StatusCode)
		}
	}
}

func TestInvalidTemplateChangesNothing(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	if got := v.Post("/documents/master/template", url.Values{"template": {"pretty"}}); got.StatusCode != http.StatusBadRequest {
		t.Errorf("unknown template: status %d", got.StatusCode)
	}
	v.Follow(v.Post("/documents/cv_gone/template", url.Values{"template": {"compact"}}), "/documents").Refuses(t, "That CV is no longer available. Nothing was changed.")
	if v.Backend.Documents[0].GetTemplate() != cvrenderv1.CvTemplate_CV_TEMPLATE_CLASSIC {
		t.Error("a template was changed")
	}
	v.Backend.Documents = nil
	if page := v.Get("/documents"); !strings.Contains(page.Text(), "You don’t have a CV yet.") {
		t.Errorf("page of a person without a CV: %s", page.Text())
	}
}
