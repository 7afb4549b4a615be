package console_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// named is a form token of the minimum length that the auth service accepts.
const named = "0123456789abcdef"

func TestFormCreatesOneObject(t *testing.T) {
	t.Parallel()
	for _, one := range []struct {
		page, path, leads string
		form              url.Values
	}{
		{"/accounts/new", "/accounts/new", "/", url.Values{"name": {"Rasheed"}}},
		{"/apps/new", "/apps/new", "/apps", url.Values{"name": {"web"}, "scopes": {"profile"}}},
		{"/apps/app_1", "/apps/app_1/secrets", "/apps/app_1", url.Values{}},
		{"/apps/app_1/keys", "/apps/app_1/keys", "/apps/app_1/keys", url.Values{"name": {"ats"}, "scopes": {"jobs:read"}}},
		{"/limits", "/limits", "/limits", url.Values{"plan": {"elevated"}, "reason": {"More."}}},
		{"/team", "/team", "/team", url.Values{"email": {"omar@vitae.example"}, "role": {"viewer"}}},
	} {
		back := newBackend()
		b := signIn(t, back, member(owner, "dev_1"))
		created := func(want int) {
			t.Helper()
			if got := back.changes(); len(got) != want {
				t.Errorf("%s: %v, want %d calls", one.path, got, want)
			}
		}
		b.post(one.page, one.path, one.form)
		created(1)
		leads(t, b.bare(one.path, one.form), one.leads) // as when the page is reloaded
		created(1)
		page := b.page(one.leads)
		wantAll(t, page, `<p class="notice neutral" role="status">This form was already sent`)
		wantNone(t, page, "Copy it now")
		b.post(one.page, one.path, one.form)
		created(2)
		one.form.Del("form")
		if res := b.bare(one.path, one.form); res.StatusCode < 400 {
			t.Errorf("%s without a form token: status %d", one.path, res.StatusCode)
		}
		created(2)
	}
}

// (behaviour: console#re-authentication)
func TestGrantingAccessNeedsReauthentication(t *testing.T) {
	t.Parallel()
	back := newBackend()
	late := member(owner, "dev_1")
	late.Proven = false
	b := signIn(t, back, late)
	proof := func(to string) string {
		return appURL + "/account/confirm?" + url.Values{"return": {consoleURL + to}}.Encode()
	}
	for path, to := range map[string]string{
		"/apps/app_1/keys": "/apps/app_1/keys", "/apps/app_1/secrets": "/apps/app_1", "/apps/app_1/secrets/sec_1/end": "/apps/app_1",
		"/apps/new": "/apps/new", "/team": "/team", "/team/usr_2/role": "/team",
		"/team/usr_2/remove": "/team/usr_2/remove", "/settings/close": "/settings/close",
	} {
		form := url.Values{"form": {named}, "email": {"new@vitae.example"}, "role": {"owner"}, "expires": {""}, "confirm": {"x"}, "client-type": {"public"}}
		for _, field := range []string{"name", "description", "homepage", "privacy-policy", "terms", "support", "redirect-uris"} {
			form.Set(field, "x")
		}
		delete(b.cookies, "__Host-vitae_console_proof")
		leads(t, b.post("/team", path, form), proof(to))
	}
	// The app form is long, so the person has to re-authenticate before filling it in.
	delete(b.cookies, "__Host-vitae_console_proof")
	leads(t, b.get("/apps/new"), proof("/apps/new"))
	if changes := back.changes(); changes != nil || len(back.forms) != 0 {
		t.Errorf("without re-authentication: calls %v, forms %v", changes, back.forms)
	}
}

// The person has re-authenticated in a browser session other than the console's, or not at all.
func TestFailedReauthenticationLeadsToSignIn(t *testing.T) {
	t.Parallel()
	who := member(owner, "dev_1")
	who.Proven = false
	b := signIn(t, newBackend(), who)
	proof := appURL + "/account/confirm?" + (url.Values{"return": {consoleURL + "/settings/close"}}).Encode()
	for _, want := range []string{proof, "/sign-in?return=%2Fsettings%2Fclose", proof} {
		leads(t, b.post("/settings/close", "/settings/close", url.Values{"confirm": {"x"}}), want)
		wantNone(t, b.page("/settings/close"), "You can continue now")
	}
	who.Proven = true
	leads(t, b.get("/settings/close"), "/settings/close")
	wantAll(t, b.page("/settings/close"), "You can continue now")
	wantNone(t, b.page("/settings/close"), "You can continue now")
}

// (behaviour: console#forms-of-another-release)
func TestIncompleteFormChangesNothing(t *testing.T) {
	t.Parallel()
	const name = "the mark that keeps it from being taken twice"
	for _, one := range []struct {
		page, path string
		form       url.Values
		missing    string
	}{
		{"/apps/app_1", "/apps/app_1", url.Values{"name": {"<b>web"}, "description": {"of two\nlines"}, "homepage": {""}, "privacy-policy": {""}, "support": {""}, "redirect-uris": {""}}, "Terms"},
		{"/apps/app_1", "/apps/app_1/secrets/sec_1/end", url.Values{"end": {"<b>web"}}, "Expires"},
		{"/apps/app_1", "/apps/app_1/secrets", url.Values{"name": {"<b>web"}}, name},
		{"/apps/app_1/keys", "/apps/app_1/keys", url.Values{"name": {"<b>web"}, "form": {named}}, "Expires"},
		{"/accounts/new", "/accounts/new", url.Values{"name": {"<b>web"}}, name},
		{"/settings", "/settings", url.Values{"name": {"<b>web"}, "": {"of no name"}, "état-civil": {"of another letter"}}, "Email"},
		{"/limits", "/limits", url.Values{"name": {"<b>web"}, "per-minute": {"1"}, "per-day": {"2"}, "form": {named}}, "Reason"},
		{"/team", "/team/usr_2/role", url.Values{"rank": {"<b>web"}}, "Role"},
	} {
		back := newBackend()
		b := signIn(t, back, member(owner, "dev_1"))
		token, _ := hidden(b.page(one.page), "csrf")
		one.form.Set("csrf", token)
		res := b.bare(one.path, one.form)
		if changes := back.changes(); res.StatusCode != http.StatusConflict || changes != nil || len(back.forms) != 0 {
			t.Errorf("%s: status %d, calls %v", one.path, res.StatusCode, changes)
		}
		page := body(t, res)
		wantAll(t, page, "which lacks: "+one.missing+".", "&lt;b&gt;web", `href="`+one.page+`"`, `<nav aria-label="Console">`)
		wantNone(t, page, token+"</")
		if one.form.Has("") {
			wantAll(t, page, "<dt>A field without a name</dt>", "of no name", "<dt>État civil</dt>", "of another letter")
		}
	}
}

// (behaviour: console#forms-of-the-console)
func TestLargeFormShowsErrorOnItsPage(t *testing.T) {
	t.Parallel()
	back := newBackend()
	b := signIn(t, back, member(owner, "dev_1"))
	token, _ := hidden(b.page("/apps/app_1"), "csrf")
	form := func() url.Values {
		f := url.Values{"csrf": {token}, "name": {"Typed name"}, "client-type": {"confidential"}, "form": {named}}
		for _, name := range []string{"description", "homepage", "privacy-policy", "terms", "support", "redirect-uris"} {
			f.Set(name, "")
		}
		return f
	}
	for _, path := range []string{"/apps/new", "/apps/app_1"} {
		res := b.upload(path, form(), 3<<20)
		if res.StatusCode != http.StatusUnprocessableEntity {
			t.Errorf("%s with a logo of 3 MB: status %d", path, res.StatusCode)
		}
		wantAll(t, body(t, res), `id="logo-fault">Choose a file of at most 1 MB.`, `value="Typed name"`)

		long := form()
		long.Set("description", strings.Repeat("x", 70<<10))
		for _, res := range []*http.Response{b.upload(path, form(), 11<<20), b.upload(path, long, 0)} {
			if res.StatusCode != http.StatusRequestEntityTooLarge {
				t.Errorf("%s with a form that is too large: status %d", path, res.StatusCode)
			}
			wantAll(t, body(t, res), `id="logo-fault">Nothing was saved: the form was too large`)
		}
	}
	leads(t, b.bare("/team", url.Values{"csrf": {token}, "email": {strings.Repeat("x", 70<<10)}}), "/team")
	wantAll(t, b.page("/team"), `role="alert">Nothing was saved: the text was too long.`)
	if changes := back.changes(); len(changes) != 0 {
		t.Errorf("rejected forms led to calls of %v", changes)
	}
}

// The whole body is read, because a browser that is still sending it would otherwise see a
// connection reset.
func TestUploadWithoutSessionIsDiscarded(t *testing.T) {
	t.Parallel()
	b := signIn(t, newBackend(), member(owner, "dev_1"))
	for _, path := range []string{"/apps/new", "/apps/app_1"} {
		b.cookies[sessionCookie] = &http.Cookie{Name: sessionCookie, Value: "ended"}
		body := strings.NewReader(strings.Repeat("no form", 1<<20))
		leads(t, b.form(path, "multipart/form-data; boundary=x", body), "/sign-in")
		if body.Len() != 0 {
			t.Errorf("%s: %d bytes were not read", path, body.Len())
		}
	}
}

func TestUploadIsChargedOnce(t *testing.T) {
	t.Parallel()
	back := newBackend()
	b := signIn(t, back, member(owner, "dev_1"))
	token, _ := hidden(b.page("/apps/app_1"), "csrf")
	back.calls, back.pages = nil, 0
	b.upload("/apps/app_1", url.Values{"csrf": {token}}, 1)
	if n := len(sent[*authv1.GetConsoleSessionRequest](back)); n != 1 || back.pages != 1 {
		t.Errorf("the session was resolved %d times, %d pages were charged", n, back.pages)
	}
}
