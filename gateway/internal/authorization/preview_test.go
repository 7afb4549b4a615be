package authorization

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/testkit"
)

func TestPreviewTokenExpiresAndCannotBeForged(t *testing.T) {
	now := clock.NewFake(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))
	previews := func(keys string) Previews {
		p, err := NewPreviews(testkit.Ring("cookie", keys), now)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	own := previews("a")
	path := own.Path("svc_ci_1", "https://jobs.example/callback?a=b&c", []string{"profile", "cv:read"})
	token, found := strings.CutPrefix(path, PreviewPath)
	if !found || url.PathEscape(token) != token {
		t.Fatalf("the path is %s", path)
	}
	request, ok := own.Read(token)
	if got := request.Parameters(); !ok || got.GetClientId() != "svc_ci_1" || got.GetRedirectUri() != "https://jobs.example/callback?a=b&c" ||
		got.GetScope() != "profile cv:read" || got.GetResponseType() != "code" || len(got.GetCodeChallenge()) != 43 || got.GetLegacy() {
		t.Fatalf("%t, %v", ok, got)
	}
	parts := strings.Split(token, ".")
	for what, bad := range map[string]string{
		"nothing": "", "no signature": parts[0] + "." + parts[1], "a changed expiry": parts[0] + ".9999999999." + parts[2],
		"a changed request": "YT1i." + parts[1] + "." + parts[2], "trailing text": token + "A", "a truncated token": token[:len(token)-1],
	} {
		if _, ok := own.Read(bad); ok {
			t.Errorf("%s is accepted", what)
		}
	}
	if _, ok := previews("b").Read(token); ok {
		t.Error("a token signed with different keys is accepted")
	}
	now.Advance(previewLife - time.Second)
	if _, ok := own.Read(token); !ok {
		t.Error("the token expires too early")
	}
	now.Advance(time.Second)
	if _, ok := own.Read(token); ok {
		t.Error("the token is valid after its expiry")
	}
}
