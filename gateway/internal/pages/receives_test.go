package pages

import (
	"net/http"
	"strings"
	"testing"

	"google.golang.org/protobuf/types/known/timestamppb"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

func TestAPersonSeesTheAnswersThatTheAppGets(t *testing.T) {
	t.Parallel()
	v := visit(t, "https://app.vitae.example")
	v.signIn()
	first := v.backend.connections[0]
	v.backend.connections = append(v.backend.connections, &authv1.Connection{
		Id: "con_9", App: first.GetApp(), Scopes: []string{"profile:read"}, Legacy: true, CreatedAt: timestamppb.New(now),
	})
	if page := v.get("/connections"); !strings.Contains(page.body, `href="/connections/con_1/receives"`) {
		t.Error("no link leads there")
	}
	v.backend.shownBody = map[string]string{"/v1/me": `{"data":{"name":"Layla Haddad","avatarUrl":"https://api.vitae.example/v1/photos/x"}}`}
	listed := v.get("/connections/con_1/receives")
	wellFormed(t, listed)
	if text := listed.text(); !strings.Contains(text, "Name Layla Haddad") || !strings.Contains(text, "Photo Your profile photo") {
		t.Errorf("what is returned is not listed: %s", text)
	}
	v.backend.shownBody = nil
	page := v.get("/connections/con_1/receives")
	for _, want := range []string{
		"What Acme Jobs receives", "GET /v1/me", "GET /v1/me/cv", "GET /api/oauth/profile",
		`"of": "con_1", "at": "/v1/me", "for": "https://signed.example"`, `"of": "con_1", "at": "/v1/me/cv"`, `"of": "con_9", "at": "/api/oauth/profile"`,
	} {
		if !strings.Contains(page.text(), want) {
			t.Errorf("does not show %q: %s", want, page.text())
		}
	}
	if strings.Contains(page.text(), "only an error") || !strings.Contains(page.body, `href="/connections/con_1/receives/cv.pdf"`) {
		t.Errorf("%s", page.text())
	}
	if pdf := v.get("/connections/con_1/receives/cv.pdf"); pdf.StatusCode != http.StatusOK || !strings.Contains(pdf.body, "con_1") {
		t.Errorf("the PDF: %d %s", pdf.StatusCode, pdf.body)
	}
	without := v.get("/connections/con_3/receives")
	if !strings.Contains(without.text(), "Badge Maker receives only an error here.") || strings.Contains(without.body, "cv.pdf") {
		t.Errorf("an app without the CV: %s", without.text())
	}
}

func TestWhatAnAppReceivesIsNotMadeUpWhereItCannotBeRead(t *testing.T) {
	t.Parallel()
	v := visit(t, "https://app.vitae.example")
	v.signIn()
	v.backend.shownStatus = http.StatusServiceUnavailable
	if page := v.get("/connections/con_1/receives"); page.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("%d %s", page.StatusCode, page.text())
	}
	v.backend.shownStatus = 0
	v.backend.suspended = true
	if page := v.get("/connections/con_1/receives"); !strings.Contains(page.text(), "Acme Jobs receives nothing now") || strings.Contains(page.body, "<pre") {
		t.Errorf("of a suspended account: %s", page.text())
	}
	if pdf := v.get("/connections/con_1/receives/cv.pdf"); pdf.StatusCode != http.StatusNotFound {
		t.Errorf("the PDF of a suspended account: %d", pdf.StatusCode)
	}
	v.backend.suspended = false
	v.follow(v.get("/connections/con_gone/receives"), "/connections").reports(t, "That app is no longer connected.")
}
