package pages

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

var legacyPath = "/oauth/legacy/authorize?" + url.Values{
	"response_type": {"code"}, "client_id": {"svc_ci_1"}, "redirect_uri": {redirectURI}, "scope": {"profile:read"}, "state": {consentState},
	"code_challenge": {"not of this interface"},
}.Encode()

func TestTheLegacyConsentGivesTheCodeAndTheStateAlone(t *testing.T) {
	t.Parallel()
	v := atConsent(t)
	form := allow("email", "cv:contact") // what the page does not offer
	form.Set("photo", "1")
	got := v.post(legacyPath, form).query(t)
	if got.Get("code") != "svc_ac_code+/=" || got.Get("state") != consentState || got.Get("lang") != "en" || len(got) != 3 {
		t.Errorf("the app gets %v", got)
	}
	req := v.backend.authorized[0]
	if !slices.Equal(req.GetGrantedScopes(), []string{"profile:read"}) || req.GetCvId() != "" || !req.GetSharePhoto() {
		t.Errorf("auth is told %v", req)
	}
	if p := req.GetParameters(); !p.GetLegacy() || p.GetCodeChallenge() != "" || p.GetState() != consentState {
		t.Errorf("auth is asked %v", p)
	}
}

func TestTheLegacyConsentRefusesWithErrorAndStateAlone(t *testing.T) {
	t.Parallel()
	v := atConsent(t)
	got := v.post(legacyPath, url.Values{"decision": {"cancel"}}).query(t)
	if got.Get("error") != "access_denied" || got.Get("state") != consentState || len(got) != 3 {
		t.Errorf("the app gets %v", got)
	}
	v.backend.fault = &authv1.AuthorizationFault{Error: "invalid_scope", Description: "no"}
	if got := v.get(legacyPath).query(t); got.Get("error") != "invalid_scope" || got.Get("state") != consentState || len(got) != 3 {
		t.Errorf("the app gets %v", got)
	}
}

func TestTheLegacyConsentPageOffersTheWholeAndThePhoto(t *testing.T) {
	t.Parallel()
	for _, lang := range []string{"en", "ar"} {
		v := atConsent(t)
		v.lang = lang
		page := v.get(legacyPath)
		box := page.byID("scope-profile")
		if box == nil || attribute(box, "value") != "profile:read" || !has(box, "checked") || !has(box, "disabled") {
			t.Fatalf("%s: %s", lang, page.text())
		}
		if photo := page.byID("photo"); photo == nil || has(photo, "checked") || has(photo, "disabled") {
			t.Errorf("%s: the photo is not the person's to share", lang)
		}
		for _, id := range []string{"scope-email", "scope-cv", "scope-contact", "cvs-legend"} {
			if page.byID(id) != nil {
				t.Errorf("%s: %s is offered", lang, id)
			}
		}
		if !strings.Contains(page.text(), "Acme Jobs") || !strings.Contains(page.text(), "PDF") {
			t.Errorf("%s: %s", lang, page.text())
		}
		for _, choose := range []string{"Choose what", "اختر ما"} {
			if strings.Contains(page.text(), choose) {
				t.Errorf("%s: it offers a choice and has none: %s", lang, page.text())
			}
		}
	}
}

// An app has one connection per interface, so that a consent page shows only what its
// own interface shares (behaviour: legacy#a-connection-of-its-own).
func TestEachConsentPageStartsWithItsOwnConnection(t *testing.T) {
	t.Parallel()
	legacy := &authv1.Connection{Scopes: []string{"profile:read"}, Legacy: true, SharePhoto: true}
	if page := reconsent(t, legacy).get(consentPath); has(page.byID("photo"), "checked") || !has(page.byID("scope-email"), "checked") {
		t.Error("the consent page starts with what the legacy interface shows")
	}
	if page := reconsent(t, legacy).get(legacyPath); !has(page.byID("photo"), "checked") {
		t.Error("Allow alone takes the photo away")
	}
	current := &authv1.Connection{Scopes: []string{"profile"}, SharePhoto: true}
	if page := reconsent(t, current).get(legacyPath); has(page.byID("photo"), "checked") {
		t.Error("the legacy consent page starts with what the other interface shows")
	}
}

func TestSignInComesBackToTheLegacyConsentPage(t *testing.T) {
	t.Parallel()
	v := visit(t, "https://app.vitae.example")
	to := v.get(legacyPath).Header.Get("Location")
	page := v.get(to)
	if !strings.Contains(page.text(), "Acme Jobs") {
		t.Errorf("the sign-in page does not name the app: %s", page.text())
	}
	query, err := url.Parse(to)
	if err != nil || query.Query().Get("return") != legacyPath {
		t.Fatalf("the way back is %q, %v", to, err)
	}
	a := v.send(http.MethodPost, "/sign-in", url.Values{
		"csrf": {page.token()}, "email": {goodEmail}, "password": {goodPassword}, "return": {legacyPath},
	})
	if a.Header.Get("Location") != legacyPath {
		t.Errorf("%d to %s", a.StatusCode, a.Header.Get("Location"))
	}
}

func TestAnUntrustedAppNeverGetsTheBrowserFromTheLegacyPage(t *testing.T) {
	t.Parallel()
	v := atConsent(t)
	v.backend.refuse = errs.New(errs.Unauthenticated, "OAUTH_INVALID_CLIENT", "no")
	for _, a := range []response{v.get(legacyPath), v.post(legacyPath, allow())} {
		if a.StatusCode != http.StatusBadRequest || a.Header.Get("Location") != "" {
			t.Errorf("%d to %q", a.StatusCode, a.Header.Get("Location"))
		}
	}
	if len(v.backend.authorized) > 0 {
		t.Error("something was allowed")
	}
}

func TestALegacyConnectionCanOnlyBeDisconnected(t *testing.T) {
	t.Parallel()
	v := visit(t, "https://app.vitae.example")
	v.signIn()
	v.backend.connections = []*authv1.Connection{{
		Id: "con_9", App: v.backend.app, Scopes: []string{"profile:read"}, Legacy: true, SharePhoto: true, CreatedAt: timestamppb.New(now),
	}}
	page := v.get("/connections")
	for _, want := range []string{"Acme Jobs", "Whole profile and CV", "Photo", "older profile sharing", "phone number", "Disconnect"} {
		if !strings.Contains(page.text(), want) {
			t.Errorf("the page does not say %q: %s", want, page.text())
		}
	}
	for _, unwanted := range []string{"Share my CV", "Shared CV", "not allowed"} {
		if strings.Contains(page.text(), unwanted) {
			t.Errorf("the page says %q: %s", unwanted, page.text())
		}
	}
	if page.byID("con_9-name") == nil || page.byID("con_9-cv") != nil {
		t.Error("the region is not that of a legacy connection")
	}
}
