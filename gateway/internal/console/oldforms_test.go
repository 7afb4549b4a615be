package console

import (
	"cmp"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// (behaviour: console#forms-of-another-release)
func TestAFormThatLacksAFieldChangesNothingAndKeepsWhatWasTyped(t *testing.T) {
	t.Parallel()
	for _, one := range []struct {
		page    string
		form    url.Values
		missing string
		// sent is where the form is sent to, if that is not the page on which it stands.
		sent string
	}{
		{"/apps/app_1", url.Values{"name": {"<b>web"}, "description": {"of two\nlines"}, "homepage": {""}, "privacy-policy": {""}, "support": {""}, "redirect-uris": {""}}, "Terms", ""},
		{"/apps/app_1/keys", url.Values{"name": {"<b>web"}, "scopes": {"jobs:read"}, "form": {"a name of a form"}}, "Expires", ""},
		{"/accounts/new", url.Values{"name": {"<b>web"}}, "the mark that keeps it from being taken twice", ""},
		{"/settings", url.Values{"name": {"<b>web"}}, "Email", ""},
		{"/limits", url.Values{"name": {"<b>web"}, "per-minute": {"1"}, "per-day": {"2"}, "form": {"a name of a form"}}, "Reason", ""},
		{"/apps/app_1", url.Values{"end": {"<b>web"}}, "Expires", "/apps/app_1/secrets/sec_1/end"},
		{"/apps/app_1", url.Values{"name": {"<b>web"}}, "the mark that keeps it from being taken twice", "/apps/app_1/secrets"},
		{"/team", url.Values{"rank": {"<b>web"}}, "Role", "/team/usr_2/role"},
	} {
		back := newBackend()
		b := signedIn(t, back, member(owner, "dev_1"))
		token, _ := hidden(body(t, b.get(one.page)), "csrf")
		one.form.Set("csrf", token)
		res := b.bare(cmp.Or(one.sent, one.page), one.form)
		page := body(t, res)
		if res.StatusCode != http.StatusConflict || back.made != 0 || back.update != nil || len(back.forms) != 0 {
			t.Errorf("%s: %d, %d made, %v", one.page, res.StatusCode, back.made, back.update)
		}
		wantAll(t, page, "which lacks: "+one.missing+".", "&lt;b&gt;web", `href="`+one.page+`"`, `<nav aria-label="Console">`)
		if strings.Contains(page, token+"</") {
			t.Errorf("%s shows the token of the form", one.page)
		}
	}
}

// A post is written by its sender: a name of a field may be empty, or begin with any letter.
func TestAFormWithFieldsThatNoReleaseHasIsAnsweredAsAnOldOne(t *testing.T) {
	t.Parallel()
	b := signedIn(t, newBackend(), member(owner, "dev_1"))
	token, _ := hidden(body(t, b.get("/settings")), "csrf")
	res := b.bare("/settings", url.Values{"csrf": {token}, "": {"of no name"}, "état-civil": {"of another letter"}})
	page := body(t, res)
	if res.StatusCode != http.StatusConflict {
		t.Errorf("%d: %s", res.StatusCode, page)
	}
	wantAll(t, page, "<dt>A field without a name</dt>", "of no name", "<dt>État civil</dt>", "of another letter")
}
