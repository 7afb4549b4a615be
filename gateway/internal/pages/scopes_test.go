package pages

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// asking is an authorization request for a scope.
func asking(scope string) string {
	return "/oauth/authorize?" + url.Values{
		"client_id": {"svc_ci_1"}, "scope": {scope}, "redirect_uri": {redirectURI},
	}.Encode()
}

func TestAnAppThatDoesNotAskForTheProfileIsAllowedWithoutIt(t *testing.T) {
	t.Parallel()
	for scope, want := range map[string][]string{
		"email":         {"email"},
		"cv:read email": {"email", "cv:read"},
	} {
		v := atConsent(t)
		page := v.get(asking(scope))
		if page.byID("scope-profile") != nil {
			t.Errorf("%s: the profile is offered", scope)
		}
		v.post(asking(scope), allow(want...)).query(t)
		if got := v.backend.authorized[0].GetGrantedScopes(); !slices.Equal(got, want) {
			t.Errorf("%s: granted %v", scope, got)
		}
	}
}

func TestAllowingNothingIsSaidOnThePageAndNothingIsLost(t *testing.T) {
	t.Parallel()
	for scope, first := range map[string]string{"email": "#scope-email", "cv:read": "#scope-cv", "cv:read email": "#scope-email"} {
		v := atConsent(t)
		form := allow()
		form.Set("cv", "cv_2")
		form.Set("photo", "1")
		a := v.post(asking(scope), form)
		if a.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(a.text(), "Nothing is selected.") || len(v.backend.authorized) != 0 {
			t.Fatalf("%s: %d %s", scope, a.StatusCode, a.text())
		}
		if !strings.Contains(a.body, `href="`+first+`"`) {
			t.Errorf("%s: the message does not lead to %s", scope, first)
		}
		if !has(a.byID("photo"), "checked") || (a.byID("cv-1") != nil && !has(a.byID("cv-1"), "checked")) {
			t.Errorf("%s: what was chosen is lost", scope)
		}
	}
}

func TestAConnectionWithoutTheProfileDoesNotSayThatTheAppSeesIt(t *testing.T) {
	t.Parallel()
	v := atConsent(t)
	v.backend.connections = v.backend.connections[2:]
	v.backend.connections[0].Scopes = []string{"email"}
	a := v.get("/connections")
	if !strings.Contains(a.text(), "Email address") || strings.Contains(a.text(), "Profile") {
		t.Errorf("%s", a.text())
	}
}
