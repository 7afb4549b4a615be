package web_test

import (
	"context"
	"html/template"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/testkit"
)

const consoleURL = "https://console.vitae.example"

// developer is a visitor of the console.
type developer struct{ token, email string }

func (d developer) SessionToken() string { return d.token }
func (d developer) Account() string      { return d.email }
func (d developer) Language() string     { return "" }

// console is a small site in English.
type console struct {
	site     *web.Site
	sessions web.Sessions[developer]
	// live holds the live sessions by token. asked counts the look-ups.
	live  map[string]developer
	asked int
	// apps lists the names that the forms have created.
	apps []string
	// fail is the error that the page of apps returns.
	fail error
}

func (c *console) Resolve(_ context.Context, token string) (developer, error) {
	c.asked++
	if d, ok := c.live[token]; ok {
		return d, nil
	}
	return developer{}, errs.New(errs.Unauthenticated, web.CodeSessionEnded, "ended")
}

func consoleFiles() fs.FS { return os.DirFS("testdata/console") }

func consoleConfig() web.Config {
	return web.Config{
		Name: "console", Brand: "Vitae Console", URL: consoleURL, Files: consoleFiles(), Languages: []string{"en"},
		Functions:    template.FuncMap{"shout": strings.ToUpper},
		Assets:       map[string][]string{"app.css": {"tokens.css", "base.css", "parts.css", "console.css"}},
		CookiePrefix: "vitae_console", CookieKeys: testkit.Ring("cookie", "a"), SealSession: true,
		Failures:   map[string]web.Failure{"TOO_MANY_APPS": {Status: http.StatusConflict, Message: "error.full"}},
		SignInPath: func(*http.Request) string { return "/sign-in" },
		FormPath:   func(r *http.Request) string { return r.URL.Path },
		Clock:      clock.System{},
		Log:        slog.New(slog.DiscardHandler),
	}
}

func newConsole(t *testing.T) (*console, http.Handler) {
	t.Helper()
	c := &console{live: map[string]developer{}}
	var err error
	if c.site, err = web.New(consoleConfig()); err != nil {
		t.Fatal(err)
	}
	c.sessions = web.NewSessions(c.site, c)
	handler, err := c.site.Handler([]web.Route{
		{Path: "/sign-in", Get: c.signInForm, Post: c.signIn, Anonymous: true},
		{Path: "/sign-out", Post: c.signOut},
		{Path: "/apps", Get: c.sessions.Required(c.list), Post: c.sessions.Required(c.add)},
		// This handler carelessly does not check the session.
		{Path: "/careless", Post: func(http.ResponseWriter, *http.Request) error { c.apps = append(c.apps, "careless"); return nil }},
	})
	if err != nil {
		t.Fatal(err)
	}
	return c, handler
}

func (c *console) signInForm(w http.ResponseWriter, r *http.Request) error {
	return c.site.Render(w, r, http.StatusOK, "signin", web.View{Title: "Sign in", CSRF: c.site.FormToken(w, r)})
}

func (c *console) signIn(w http.ResponseWriter, r *http.Request) error {
	d := developer{token: "session-of-" + r.PostForm.Get("email"), email: r.PostForm.Get("email")}
	c.live[d.token] = d
	c.site.OpenSession(w, d.token, time.Hour)
	c.site.EndForm(w)
	web.SeeOther(w, "/apps")
	return nil
}

func (c *console) signOut(w http.ResponseWriter, r *http.Request) error {
	delete(c.live, c.site.SessionToken(r))
	c.site.EndSession(w)
	web.SeeOther(w, "/sign-in")
	return nil
}

func (c *console) list(w http.ResponseWriter, r *http.Request, d developer) error {
	if c.fail != nil {
		return c.fail
	}
	notice, err := c.site.TakeNotice(w, r, "name")
	if err != nil {
		return err
	}
	v := web.View{Title: "Apps", Notice: notice, Data: c.apps}
	c.site.Identify(&v, d)
	return c.site.Render(w, r, http.StatusOK, "apps", v)
}

func (c *console) add(w http.ResponseWriter, r *http.Request, d developer) error {
	name := r.PostForm.Get("name")
	if name == "" {
		fault, err := c.site.Fault(r, "name", "apps.error.name")
		if err != nil {
			return err
		}
		v := web.View{Title: "Apps", Faults: []web.Fault{fault}, Data: c.apps}
		c.site.Identify(&v, d)
		return c.site.Render(w, r, http.StatusUnprocessableEntity, "apps", v)
	}
	c.apps = append(c.apps, name)
	c.site.Notify(w, "apps.added", name)
	web.SeeOther(w, "/apps")
	return nil
}
