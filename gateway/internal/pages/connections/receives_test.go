package connections_test

import (
	"net/http"
	"strings"
	"testing"

	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/gateway/internal/pages/pagestest"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

func TestReceivesShowsResponses(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	first := v.Backend.Connections[0]
	v.Backend.Connections = append(v.Backend.Connections, &authv1.Connection{
		Id: "con_9", App: first.GetApp(), Scopes: []string{"profile:read"}, Legacy: true, CreatedAt: timestamppb.New(pagestest.Now),
	})
	if page := v.Get("/connections"); !strings.Contains(page.Body, `href="/connections/con_1/receives"`) {
		t.Error("no page links to what the app receives")
	}
	v.Backend.ShownBody = map[string]string{"/v1/me": `{"data":{"name":"Layla Haddad","avatarUrl":"https://api.vitae.example/v1/photos/x"}}`}
	listed := v.Get("/connections/con_1/receives")
	if text := listed.Text(); !strings.Contains(text, "Name Layla Haddad") || !strings.Contains(text, "Photo Your profile photo") {
		t.Errorf("the response is not listed: %s", text)
	}
	v.Backend.ShownBody = nil
	page := v.Get("/connections/con_1/receives")
	for _, want := range []string{
		"What Acme Jobs receives", "GET /v1/me", "GET /v1/me/cv", "GET /api/oauth/profile",
		`"of": "con_1", "at": "/v1/me", "for": "https://signed.example"`, `"of": "con_1", "at": "/v1/me/cv"`, `"of": "con_9", "at": "/api/oauth/profile"`,
	} {
		if !strings.Contains(page.Text(), want) {
			t.Errorf("%q is missing: %s", want, page.Text())
		}
	}
	if strings.Contains(page.Text(), "only an error") || !strings.Contains(page.Body, `href="/connections/con_1/receives/cv.pdf"`) {
		t.Errorf("page is %s", page.Text())
	}
	if pdf := v.Get("/connections/con_1/receives/cv.pdf"); pdf.StatusCode != http.StatusOK || !strings.Contains(pdf.Body, "con_1") {
		t.Errorf("PDF: status %d %s", pdf.StatusCode, pdf.Body)
	}
	without := v.Get("/connections/con_3/receives")
	if !strings.Contains(without.Text(), "Badge Maker receives only an error here.") || strings.Contains(without.Body, "cv.pdf") {
		t.Errorf("app without the CV: %s", without.Text())
	}
}

func TestReceivesShowsOnlyActualResponses(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	v.Backend.ShownStatus = http.StatusServiceUnavailable
	if page := v.Get("/connections/con_1/receives"); page.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("status %d: %s", page.StatusCode, page.Text())
	}
	v.Backend.ShownStatus = 0
	v.Backend.Suspended = true
	if page := v.Get("/connections/con_1/receives"); !strings.Contains(page.Text(), "Acme Jobs receives nothing now") || strings.Contains(page.Body, "<pre") {
		t.Errorf("page of a suspended account: %s", page.Text())
	}
	if pdf := v.Get("/connections/con_1/receives/cv.pdf"); pdf.StatusCode != http.StatusNotFound {
		t.Errorf("PDF of a suspended account: status %d", pdf.StatusCode)
	}
	v.Backend.Suspended = false
	v.Follow(v.Get("/connections/con_gone/receives"), "/connections").Reports(t, "That app is no longer connected.")
}
