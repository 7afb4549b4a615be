package app_test

import (
	"net/http"
	"strings"
	"testing"

	cvrenderv1 "vitae.internal/proto/gen/vitae/cvrender/v1"
)

func TestPDFUsesChosenTemplate(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	for _, chosen := range []cvrenderv1.CvTemplate{cvrenderv1.CvTemplate_CV_TEMPLATE_CLASSIC, cvrenderv1.CvTemplate_CV_TEMPLATE_COMPACT} {
		s.me.set(func(f *fakeMe) { f.template = chosen })
		for name, a := range map[string]answer{"token": s.get("/v1/me/cv.pdf"), "link": s.link()} {
			if got := s.renderer.request().GetTemplate(); a.StatusCode != http.StatusOK || got != chosen {
				t.Errorf("%s: status %d, cvrender received the template %v, want %v", name, a.StatusCode, got, chosen)
			}
		}
		if a := s.get("/v1/me/cv"); a.StatusCode != http.StatusOK || strings.Contains(strings.ToLower(a.body), "template") {
			t.Errorf("the CV data contains the template: %d %s", a.StatusCode, a.body)
		}
	}
}
