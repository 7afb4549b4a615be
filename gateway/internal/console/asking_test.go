package console

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"vitae.internal/pkg/errs"
	optionsv1 "vitae.internal/proto/gen/vitae/options/v1"
)

// (behaviour: console#forms-of-the-console)
func TestNobodyIsAskedForWhatTheirRoleOrASuspensionForbids(t *testing.T) {
	t.Parallel()
	develops := []string{"/apps/new", "/apps/app_1/delete", "/apps/app_1/secrets/sec_1/delete", "/apps/app_1/keys/key_1/delete"}
	for _, tc := range []struct {
		role      optionsv1.Role
		suspended bool
		may, not  []string
	}{
		{role: owner, may: append(develops, "/settings/close")},
		{role: optionsv1.Role_ROLE_DEVELOPER, may: develops, not: []string{"/settings/close"}},
		{role: optionsv1.Role_ROLE_VIEWER, not: append(develops, "/settings/close")},
		{role: owner, suspended: true, not: append(develops, "/settings/close")},
	} {
		session := member(tc.role, "dev_1")
		session.Memberships[0].Suspended = tc.suspended
		b := signedIn(t, newBackend(), session)
		for _, path := range tc.may {
			if res := b.get(path); res.StatusCode == http.StatusForbidden {
				t.Errorf("%v, suspended %v: %s: %d", tc.role, tc.suspended, path, res.StatusCode)
			}
		}
		for _, path := range tc.not {
			if res := b.get(path); res.StatusCode != http.StatusForbidden {
				t.Errorf("%v, suspended %v: %s: %d", tc.role, tc.suspended, path, res.StatusCode)
			}
		}
	}
}

func TestFaultsOfOneLineFieldsNameNoLine(t *testing.T) {
	t.Parallel()
	err := errs.New(errs.Invalid, "INVALID_ARGUMENT", "x").WithViolations(
		errs.Violation{Field: "actions[0]", Description: "is no action"}, errs.Violation{Field: "redirect_uris[1]", Description: "must be https"})
	faults, ok := faultsOf(err, controls{"actions": "action", "redirect_uris": "redirect-uris"})
	if !ok || len(faults) != 2 || faults[0].Message != "Is no action." || faults[1].Message != "Line 2: must be https." {
		t.Errorf("%v %v", faults, ok)
	}
}

func TestAFieldShowsAllThatIsWrongWithIt(t *testing.T) {
	t.Parallel()
	back := newBackend()
	b := signedIn(t, back, member(owner, "dev_1"))
	back.fail = errs.New(errs.Invalid, "INVALID_ARGUMENT", "x").WithViolations(
		errs.Violation{Field: "redirect_uris[0]", Description: "has a fragment"}, errs.Violation{Field: "redirect_uris[1]", Description: "must be https"},
		errs.Violation{Field: "scopes", Description: "cv:contact needs cv:read"})
	page := body(t, b.post("/apps/app_1", "/apps/app_1", url.Values{"name": {"Web"}, "redirect-uris": {"a"}}))
	wantAll(t, page, "Line 1: has a fragment.<br>Line 2: must be https.</p>", "Scopes: cv:contact needs cv:read.</a>")
}

func TestAKeyWithoutAScopeIsToldToTickOne(t *testing.T) {
	t.Parallel()
	back := newBackend()
	b := signedIn(t, back, member(owner, "dev_1"))
	back.fail = errs.New(errs.Invalid, "INVALID_ARGUMENT", "x").WithViolations(errs.Violation{Field: "scopes", Description: "must contain at least 1 item(s)"})
	page := body(t, b.post("/apps/app_1/keys", "/apps/app_1/keys", url.Values{"name": {"laptop"}}))
	if !strings.Contains(page, "Select at least one scope.") || strings.Contains(page, "item(s)") {
		t.Error(page)
	}
}
