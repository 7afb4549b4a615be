package consent_test

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"vitae.internal/gateway/internal/pages/pagestest"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

func TestLegacyAllowReturnsCodeAndState(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	form := allow("email", "cv:contact") // the page does not offer these scopes
	form.Set("photo", "1")
	got := v.Post(pagestest.LegacyPath, form).Query(t)
	if got.Get("code") != "svc_ac_code+/=" || got.Get("state") != pagestest.ConsentState || got.Get("lang") != "en" || len(got) != 3 {
		t.Errorf("app receives %v", got)
	}
	req := v.Backend.Authorized[0]
	if !slices.Equal(req.GetGrantedScopes(), []string{"profile:read"}) || req.GetCvId() != "" || !req.GetSharePhoto() {
		t.Errorf("auth received %v", req)
	}
	if p := req.GetParameters(); !p.GetLegacy() || p.GetCodeChallenge() != "" || p.GetState() != pagestest.ConsentState {
		t.Errorf("auth was asked about %v", p)
	}
}

func TestLegacyRefusalReturnsErrorAndState(t *testing.T) {
	t.Parallel()
	v := pagestest.SignedIn(t)
	got := v.Post(pagestest.LegacyPath, url.Values{"decision": {"cancel"}}).Query(t)
	if got.Get("error") != "access_denied" || got.Get("state") != pagestest.ConsentState || len(got) != 3 {
		t.Errorf("app receives %v", got)
	}
	v.Backend.Fault = &authv1.AuthorizationFault{Error: "invalid_scope", Description: "no"}
	if got := v.Get(pagestest.LegacyPath).Query(t); got.Get("error") != "invalid_scope" || got.Get("state") != pagestest.ConsentState || len(got) != 3 {
		t.Errorf("app receives %v", got)
	}
}

func TestLegacyPageOffersOnlyPhoto(t *testing.T) {
	t.Parallel()
	for _, lang := range []string{"en", "ar"} {
		v := pagestest.SignedIn(t)
		v.Lang = lang
		page := v.Get(pagestest.LegacyPath)
		box := page.ByID("scope-profile")
		if box == nil || pagestest.Attribute(box, "value") != "profile:read" || !pagestest.Has(box, "checked") || !pagestest.Has(box, "disabled") {
			t.Fatalf("%s: %s", lang, page.Text())
		}
		if photo := page.ByID("photo"); photo == nil || pagestest.Has(photo, "checked") || pagestest.Has(photo, "disabled") {
			t.Errorf("%s: the photo cannot be deselected", lang)
		}
		for _, id := range []string{"scope-email", "scope-cv", "scope-contact", "cvs-legend"} {
			if page.ByID(id) != nil {
				t.Errorf("%s: %s is offered", lang, id)
			}
		}
		if !strings.Contains(page.Text(), "Acme Jobs") || !strings.Contains(page.Text(), "PDF") {
			t.Errorf("%s: %s", lang, page.Text())
		}
		for _, choose := range []string{"Choose what", "اختر ما"} {
			if strings.Contains(page.Text(), choose) {
				t.Errorf("%s: the page mentions a choice that it does not offer: %s", lang, page.Text())
			}
		}
	}
}

// An app has a separate connection on each interface, so a consent page shows only what its own interface
// shares (behaviour: legacy#a-connection-of-its-own).
func TestInterfacesHaveTheirOwnConnections(t *testing.T) {
	t.Parallel()
	legacy := &authv1.Connection{Scopes: []string{"profile:read"}, Legacy: true, SharePhoto: true}
	if page := reconsent(t, legacy).Get(pagestest.ConsentPath); pagestest.Has(page.ByID("photo"), "checked") || !pagestest.Has(page.ByID("scope-email"), "checked") {
		t.Error("the consent page preselects what the legacy interface shows")
	}
	if page := reconsent(t, legacy).Get(pagestest.LegacyPath); !pagestest.Has(page.ByID("photo"), "checked") {
		t.Error("pressing Allow without a change withdraws the photo")
	}
	current := &authv1.Connection{Scopes: []string{"profile"}, SharePhoto: true}
	if page := reconsent(t, current).Get(pagestest.LegacyPath); pagestest.Has(page.ByID("photo"), "checked") {
		t.Error("the legacy consent page preselects what the other interface shows")
	}
}
