package app_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

const documentPath = "/v1/openapi.json"

func TestDocumentIsPublic(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	a := s.do(http.MethodGet, documentPath, "")
	var got struct {
		OpenAPI string
		Info    struct{ Version string }
		Servers []struct{ URL string }
	}
	if err := json.Unmarshal([]byte(a.body), &got); err != nil || a.StatusCode != http.StatusOK {
		t.Fatalf("%d: %v", a.StatusCode, err)
	}
	if !strings.HasPrefix(got.OpenAPI, "3.1.") || got.Info.Version != "2.0.0" || len(got.Servers) != 1 || got.Servers[0].URL != baseURL {
		t.Errorf("%+v", got)
	}
	if strings.Contains(a.body, "127.0.0.1") || !strings.Contains(a.body, `"authorizationUrl": "`+baseURL+`/oauth/authorize"`) || !strings.Contains(a.body, appURL+"/docs") {
		t.Error("the document lacks the configured URLs or has default ones")
	}
	for name, want := range map[string]string{
		"Content-Type": "application/json", "Cache-Control": "public, max-age=60, must-revalidate", "Access-Control-Allow-Origin": "*",
		"X-Content-Type-Options": "nosniff", "Vary": "", "WWW-Authenticate": "",
	} {
		if a.Header.Get(name) != want {
			t.Errorf("%s: %q", name, a.Header.Get(name))
		}
	}
	head := s.do(http.MethodHead, documentPath, "")
	if head.StatusCode != http.StatusOK || head.ContentLength != int64(len(a.body)) || head.body != "" || head.Header.Get("ETag") != a.Header.Get("ETag") {
		t.Errorf("HEAD: %d %v", head.StatusCode, head.Header)
	}
}

// (behaviour: limits#what-is-metered)
func TestDocumentIsNotCharged(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	left := s.get("/v1/me").quotaLeft(t)
	if a := s.get(documentPath); a.StatusCode != http.StatusOK || a.quotaLeft(t) != -1 {
		t.Errorf("%d %v", a.StatusCode, a.Header)
	}
	if now := s.get("/v1/me").quotaLeft(t); now != left-1 {
		t.Errorf("the remaining quota is %d after the request, %d before", now, left)
	}
}

func TestDocumentIsNotServedWhilePlatformIsOff(t *testing.T) {
	t.Parallel()
	s := newScene(t, set("VITAE_DEVELOPER_PLATFORM", "off"))
	for _, path := range []string{documentPath, "/.well-known/oauth-authorization-server"} {
		s.do(http.MethodGet, path, "").wantEnvelope(t, 404, "DEVELOPER_PLATFORM_DISABLED")
	}
}
