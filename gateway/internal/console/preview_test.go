package console

import (
	"net/http"
	"strings"
	"testing"

	"vitae.internal/gateway/internal/authorization"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/testkit"
	optionsv1 "vitae.internal/proto/gen/vitae/options/v1"
)

func TestMembersSeeTheConsentPageOfTheirApps(t *testing.T) {
	t.Parallel()
	back := newBackend()
	for _, role := range []optionsv1.Role{owner, optionsv1.Role_ROLE_VIEWER} {
		b := signedIn(t, back, member(role, "dev_1"))
		wantAll(t, body(t, b.get("/apps/app_1")), `href="/apps/app_1/consent"`, ">See the consent page<")
		clear(back.asked)
		to := b.get("/apps/app_1/consent").Header.Get("Location")
		if back.asked["GetApp"] != "secret" {
			t.Error("auth has not decided whether the person may see the app")
		}
		token, found := strings.CutPrefix(to, appURL+authorization.PreviewPath)
		previews, err := authorization.NewPreviews(testkit.Ring("cookie", "a"), clock.NewFake(now))
		if err != nil {
			t.Fatal(err)
		}
		request, ok := previews.Read(token)
		if got := request.Parameters(); !found || !ok || got.GetClientId() != "svc_ci_1" || got.GetRedirectUri() != "https://rasheed.example/callback" || got.GetScope() != "profile email" {
			t.Errorf("%v leads to %q, %v", role, to, got)
		}
	}
}

func TestAnAppThatPeopleCannotConnectHasNoConsentPage(t *testing.T) {
	t.Parallel()
	for _, without := range []string{"scopes", "redirect URIs"} {
		back := newBackend()
		if without == "scopes" {
			back.app.Scopes = nil
		} else {
			back.app.RedirectUris = nil
		}
		b := signedIn(t, back, member(owner, "dev_1"))
		if strings.Contains(body(t, b.get("/apps/app_1")), "See the consent page") {
			t.Errorf("without %s, the page of the app leads to it", without)
		}
		if res := b.get("/apps/app_1/consent"); res.StatusCode != http.StatusNotFound {
			t.Errorf("without %s: %d", without, res.StatusCode)
		}
	}
}
