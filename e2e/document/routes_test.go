package document_test

import (
	"net/http"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/suite"
)

func TestUnknownRoutesUseErrorEnvelope(t *testing.T) {
	t.Parallel()
	base := suite.System.BaseURLs[0]
	for _, path := range []string{"/", "/v1", "/v1/", "/v1/nothing", "/v1/me/", "/v1/me/cv.doc", "/v1/cv-links/", "/oauth/", "/oauth/nothing", "/v2/me"} {
		expect.Refused(t, scene.Open(t, base+path), http.StatusNotFound, "NOT_FOUND")
	}
	for _, path := range []string{"/v1/me", "/v1/me/cv", "/v1/me/cv.pdf", "/v1/cv-links/x", "/oauth/authorize", "/.well-known/oauth-authorization-server"} {
		for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
			a := scene.Raw(t, method, base+path, partner.FormType, "a=b", "X-Http-Method-Override", "GET")
			expect.Refused(t, a, http.StatusMethodNotAllowed, "METHOD_NOT_ALLOWED")
			if allow := a.Header.Get("Allow"); !strings.Contains(allow, "GET") {
				t.Errorf("%s %s: Allow %q", method, path, allow)
			}
		}
	}
}
