package pictures_test

import (
	"net/url"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/browser"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
)

// words holds the names of the controls that lead to a state.
type words struct {
	language, email, password, signIn             string
	receives, read, look, pause                   string
	allow, shareCV, mailLink, createAccount, name string
	disconnect, yesDisconnect                     string
}

var languages = []words{
	{
		"en", "Email", "Password", "Sign in", "What %s receives", "What %s has read", "See what %s would read", "Pause",
		"Allow", "CV", "Send link", "Create account", "Name",
		"Disconnect", "Yes, disconnect",
	},
	{
		"ar", "البريد الإلكتروني", "كلمة المرور", "تسجيل الدخول", "ما يتلقاه %s", "ما قرأه %s", "اطّلع على ما سيقرؤه %s", "إيقاف مؤقت",
		"السماح", "السيرة الذاتية", "إرسال الرابط", "إنشاء الحساب", "الاسم",
		"فصل", "نعم، افصل",
	},
}

// visitor visits the pages in one language.
type visitor struct {
	*browser.Browser
	t     *testing.T
	w     words
	album *album
	scene scene.Connected
}

// visit opens a path and checks the page.
func (v visitor) visit(state, path string) {
	v.t.Helper()
	v.Open(v.scene.Stack.AppURLs[0] + path)
	v.check(state)
}

// check checks the current page.
func (v visitor) check(state string) {
	v.t.Helper()
	v.album.check(v.t, v.Browser, v.w.language, state)
}

func TestPagesFitAndAreAccessible(t *testing.T) {
	pictures := newAlbum(t)
	for _, w := range languages {
		v := visitor{browser.Start(t, browser.Options{Language: w.language}), t, w, pictures, scene.Everything(t)}
		v.signedOut()
		v.consents()
		v.signedIn()
	}
	v := visitor{browser.Start(t, browser.Options{}), t, languages[0], pictures, scene.Everything(t)}
	for state, path := range map[string]string{
		"docs": "/docs", "docs-guide": "/docs/sign-in", "docs-reference": "/docs/reference", "docs-code": "/docs/errors/OAUTH_INVALID_GRANT", "docs-search": "/docs/search?q=token", "docs-missing": "/docs/nothing",
	} {
		v.visit(state, path)
	}
	pictures.close(t)
}

func (v visitor) signedOut() {
	v.t.Helper()
	username := v.scene.World.People[0].Username
	v.visit("start", "/")
	v.visit("not-found", "/nothing-here")
	v.visit("profile", "/p/"+username)
	v.visit("cv", "/p/"+username+"/cv")
	v.visit("sign-up", "/sign-up")
	v.Find("textbox", v.w.name).Fill("Layla Haddad")
	v.Find("textbox", v.w.email).Fill("new-" + world.Unique() + "@example.com")
	v.Find("textbox", v.w.password).Fill(world.Password)
	v.Find("button", v.w.createAccount).Click()
	v.Gone("button", v.w.createAccount)
	v.check("sign-up-sent")
	v.visit("reset", "/reset")
	v.Find("textbox", v.w.email).Fill("nobody-" + world.Unique() + "@example.com")
	v.Find("button", v.w.mailLink).Click()
	v.Gone("button", v.w.mailLink)
	v.check("reset-sent")
	v.visit("link-dead", "/reset/choose?token=none")
	v.visit("refused-client", "/oauth/authorize?client_id=svc_ci_nobody&redirect_uri=https%3A%2F%2Fpartner.example.com%2Fcallback")
	request := v.request("web", world.EveryScope)
	v.visit("refused-redirect", strings.Replace(request, "partner.example.com", "evil.example", 1))
	v.visit("sign-in", request)
	v.Find("textbox", v.w.email).Fill("nobody@example.com")
	v.Find("textbox", v.w.password).Fill("not the password")
	v.Find("button", v.w.signIn).Click()
	v.Find("alert", "")
	v.check("sign-in-failed")
}

// request returns the path and query of an authorization request from an app.
func (v visitor) request(app, scopes string) string {
	v.t.Helper()
	c := v.scene.Client(v.t, app)
	u, err := url.Parse(c.URL(c.NewRequest(scopes)))
	if err != nil {
		v.t.Fatal(err)
	}
	return "/oauth/authorize?" + u.RawQuery
}

// consents checks the consent page. The person has already connected "web".
func (v visitor) consents() {
	v.t.Helper()
	v.Open(v.scene.Stack.AppURLs[0] + v.request("mobile", world.EveryScope))
	v.Find("textbox", v.w.email).Fill(v.scene.World.People[0].Email)
	v.Find("textbox", v.w.password).Fill(v.scene.World.People[0].Password)
	v.Find("button", v.w.signIn).Click()
	v.Find("button", v.w.allow)
	v.check("consent")
	v.Find("button", v.of(v.w.look, "mobile")).Click()
	v.Find("region", "")
	v.check("consent-look")
	v.visit("consent-email", v.request("mobile", "profile email"))
	v.visit("consent-continue", v.request("web", world.EveryScope))
	v.visit("consent-again", v.request("web", world.EveryScope)+"&prompt=consent")
	v.Find("checkbox", v.w.shareCV).Set(false)
	v.Find("button", v.w.allow)
	v.check("consent-changed")
}

func (v visitor) of(text, app string) string {
	return strings.ReplaceAll(text, "%s", v.scene.AppName(v.t, app))
}

func (v visitor) signedIn() {
	v.t.Helper()
	if a := v.scene.Get(v.t, "/v1/me/cv"); a.Status != 200 {
		v.t.Fatalf("the app cannot read the CV: %s", a)
	}
	v.visit("connections", "/connections")
	v.Find("link", v.of(v.w.receives, "web")).Click()
	v.Find("heading", v.of(v.w.receives, "web"))
	v.check("receives")
	v.Open(v.scene.Stack.AppURLs[0] + "/connections")
	v.Find("link", v.of(v.w.read, "web")).Click()
	v.Find("heading", v.of(v.w.read, "web"))
	v.check("reads")
	v.visit("account", "/account")
	v.visit("activity", "/account/activity")
	v.visit("data", "/account/data")
	v.visit("applications", "/applications")
	v.visit("documents", "/documents")
	v.visit("editor", "/profile")
	v.visit("photo", "/profile/photo")
	v.visit("cvs", "/cvs")
	v.visit("cv-new", "/cvs/new")
	v.visit("cv-import", "/cvs/import")
	v.Open(v.scene.Stack.AppURLs[0] + "/connections")
	v.Find("button", v.w.disconnect).Click()
	v.Find("button", v.w.yesDisconnect)
	v.check("disconnect")
	v.Open(v.scene.Stack.AppURLs[0] + "/connections")
	v.Find("button", v.w.pause).Click()
	v.Gone("button", v.w.pause)
	v.check("connections-paused")
}
