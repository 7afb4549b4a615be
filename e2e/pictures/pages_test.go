package pictures_test

import (
	"net/url"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/browser"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
)

// words are the names of the controls that lead to a state.
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

// visitor looks at the pages in one language.
type visitor struct {
	*browser.Browser
	t     *testing.T
	w     words
	album *album
	scene scene.Connected
}

// look opens a path of the pages, and looks at it.
func (v visitor) look(state, path string) {
	v.t.Helper()
	v.Open(v.scene.Stack.AppURLs[0] + path)
	v.see(state)
}

// see looks at the page that is open.
func (v visitor) see(state string) {
	v.t.Helper()
	v.album.look(v.t, v.Browser, v.w.language, state)
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
		v.look(state, path)
	}
	pictures.close(t)
}

func (v visitor) signedOut() {
	v.t.Helper()
	username := v.scene.World.People[0].Username
	v.look("start", "/")
	v.look("not-found", "/nothing-here")
	v.look("profile", "/p/"+username)
	v.look("cv", "/p/"+username+"/cv")
	v.look("sign-up", "/sign-up")
	v.Find("textbox", v.w.name).Fill("Layla Haddad")
	v.Find("textbox", v.w.email).Fill("new-" + world.Unique() + "@example.com")
	v.Find("textbox", v.w.password).Fill(world.Password)
	v.Find("button", v.w.createAccount).Click()
	v.Gone("button", v.w.createAccount)
	v.see("sign-up-sent")
	v.look("reset", "/reset")
	v.Find("textbox", v.w.email).Fill("nobody-" + world.Unique() + "@example.com")
	v.Find("button", v.w.mailLink).Click()
	v.Gone("button", v.w.mailLink)
	v.see("reset-sent")
	v.look("link-dead", "/reset/choose?token=none")
	v.look("refused-client", "/oauth/authorize?client_id=svc_ci_nobody&redirect_uri=https%3A%2F%2Fpartner.example.com%2Fcallback")
	request := v.request("web", world.EveryScope)
	v.look("refused-redirect", strings.Replace(request, "partner.example.com", "evil.example", 1))
	v.look("sign-in", request)
	v.Find("textbox", v.w.email).Fill("nobody@example.com")
	v.Find("textbox", v.w.password).Fill("not the password")
	v.Find("button", v.w.signIn).Click()
	v.Find("alert", "")
	v.see("sign-in-failed")
}

// request is the path of an authorization request of an app.
func (v visitor) request(app, scopes string) string {
	v.t.Helper()
	c := v.scene.Client(v.t, app)
	u, err := url.Parse(c.URL(c.NewRequest(scopes)))
	if err != nil {
		v.t.Fatal(err)
	}
	return "/oauth/authorize?" + u.RawQuery
}

// consents looks at the consent page. The person has connected "web" already.
func (v visitor) consents() {
	v.t.Helper()
	v.Open(v.scene.Stack.AppURLs[0] + v.request("mobile", world.EveryScope))
	v.Find("textbox", v.w.email).Fill(v.scene.World.People[0].Email)
	v.Find("textbox", v.w.password).Fill(v.scene.World.People[0].Password)
	v.Find("button", v.w.signIn).Click()
	v.Find("button", v.w.allow)
	v.see("consent")
	v.Find("button", v.of(v.w.look, "mobile")).Click()
	v.Find("region", "")
	v.see("consent-look")
	v.look("consent-email", v.request("mobile", "profile email"))
	v.look("consent-continue", v.request("web", world.EveryScope))
	v.look("consent-again", v.request("web", world.EveryScope)+"&prompt=consent")
	v.Find("checkbox", v.w.shareCV).Set(false)
	v.Find("button", v.w.allow)
	v.see("consent-changed")
}

func (v visitor) of(text, app string) string {
	return strings.ReplaceAll(text, "%s", v.scene.AppName(v.t, app))
}

func (v visitor) signedIn() {
	v.t.Helper()
	if a := v.scene.Get(v.t, "/v1/me/cv"); a.Status != 200 {
		v.t.Fatalf("the app reads nothing: %s", a)
	}
	v.look("connections", "/connections")
	v.Find("link", v.of(v.w.receives, "web")).Click()
	v.Find("heading", v.of(v.w.receives, "web"))
	v.see("receives")
	v.Open(v.scene.Stack.AppURLs[0] + "/connections")
	v.Find("link", v.of(v.w.read, "web")).Click()
	v.Find("heading", v.of(v.w.read, "web"))
	v.see("reads")
	v.look("account", "/account")
	v.look("activity", "/account/activity")
	v.look("data", "/account/data")
	v.look("applications", "/applications")
	v.look("documents", "/documents")
	v.look("editor", "/profile")
	v.look("photo", "/profile/photo")
	v.look("cvs", "/cvs")
	v.look("cv-new", "/cvs/new")
	v.look("cv-import", "/cvs/import")
	v.Open(v.scene.Stack.AppURLs[0] + "/connections")
	v.Find("button", v.w.disconnect).Click()
	v.Find("button", v.w.yesDisconnect)
	v.see("disconnect")
	v.Open(v.scene.Stack.AppURLs[0] + "/connections")
	v.Find("button", v.w.pause).Click()
	v.Gone("button", v.w.pause)
	v.see("connections-paused")
}
