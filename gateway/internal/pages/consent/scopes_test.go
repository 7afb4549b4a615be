package consent_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"vitae.internal/gateway/internal/pages/pagestest"
)

// requestFor returns an authorization request for the given scope.
func requestFor(scope string) string {
	return "/oauth/authorize?" + url.Values{
		"client_id": {"svc_ci_1"}, "scope": {scope}, "redirect_uri": {pagestest.RedirectURI},
	}.Encode()
}

func TestProfileIsNotAlwaysGranted(t *testing.T) {
	t.Parallel()
	for scope, want := range map[string][]string{
		"email":         {"email"},
		"cv:read email": {"email", "cv:read"},
	} {
		v := pagestest.SignedIn(t)
		page := v.Get(requestFor(scope))
		if page.ByID("scope-profile") != nil {
			t.Errorf("%s: the profile is offered", scope)
		}
		v.Post(requestFor(scope), allow(want...)).Query(t)
		if got := v.Backend.Authorized[0].GetGrantedScopes(); !slices.Equal(got, want) {
			t.Errorf("%s: granted scopes %v", scope, got)
		}
	}
}

func TestAllowingNothingIsRejected(t *testing.T) {
	t.Parallel()
	for scope, first := range map[string]string{"email": "#scope-email", "cv:read": "#scope-cv", "cv:read email": "#scope-email"} {
		v := pagestest.SignedIn(t)
		form := allow()
		form.Set("cv", "cv_2")
		form.Set("photo", "1")
		a := v.Post(requestFor(scope), form)
		if a.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(a.Text(), "Nothing is selected.") || len(v.Backend.Authorized) != 0 {
			t.Fatalf("%s: status %d: %s", scope, a.StatusCode, a.Text())
		}
		if !strings.Contains(a.Body, `href="`+first+`"`) {
			t.Errorf("%s: the message does not link to %s", scope, first)
		}
		if !pagestest.Has(a.ByID("photo"), "checked") || (a.ByID("cv-1") != nil && !pagestest.Has(a.ByID("cv-1"), "checked")) {
			t.Errorf("%s: the selection is lost", scope)
		}
	}
}
