// Package shell is what the subjects of the pages share: the signed-in person, the limit of pages, the
// pages to which browsers return after sign-in, and error codes.
package shell

import (
	"embed"
	"net/http"
	"net/url"

	"vitae.internal/gateway/internal/web"
)

// Files has the templates.
//
//go:embed templates
var Files embed.FS

// Shell is the site with what every subject needs of it.
type Shell struct {
	*web.Site
	Sessions web.Sessions[Person]
	// Charge counts a page against the limit of the client's address. Errors: RATE_LIMIT_EXCEEDED.
	Charge func(*http.Request) error
	pages  http.ServeMux
	routes map[string]Route
}

// Page is a page of the signed-in person.
type Page = func(http.ResponseWriter, *http.Request, Person) error

// Own serves a page of the signed-in person. Other visitors sign in first.
func (s *Shell) Own(next Page) web.Handler { return s.Limited(s.Sessions.Required(next)) }

// Uploading adds to a route the check of the session, so that only signed-in people can send a file.
// post and tooLarge answer forms of the route.
func (s *Shell) Uploading(route web.Route, post, tooLarge Page) web.Route {
	route.Session = func(w http.ResponseWriter, r *http.Request) (bool, error) {
		if err := s.Charge(r); err != nil {
			return false, err
		}
		return s.Sessions.Live(w, r)
	}
	route.Post, route.TooLarge = s.Sessions.Required(post), s.Sessions.Required(tooLarge)
	return route
}

// Limited charges a page before the handler asks another part (behaviour: limits#pages).
func (s *Shell) Limited(next web.Handler) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if err := s.Charge(r); err != nil {
			return err
		}
		return next(w, r)
	}
}

// Show answers with a page of the signed-in person. title is the key of its title, args fill the
// placeholders of that.
func (s *Shell) Show(w http.ResponseWriter, r *http.Request, who Person, status int, page string, v web.View, title string, args ...any) (err error) {
	if v.Title, err = s.Language(r).Text(title, args...); err != nil {
		return err
	}
	s.Identify(&v, who)
	return s.Render(w, r, status, page, v)
}

// GoTo redirects to a page, which shows a notice. app fills the placeholder of the notice.
func (s *Shell) GoTo(w http.ResponseWriter, page, notice, app string) error {
	s.Notify(w, notice, app)
	web.SeeOther(w, page)
	return nil
}

// Weblink is the address if a page may link to it, "" if it is only text.
func Weblink(address string) string {
	u, err := url.Parse(address)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return ""
	}
	return address
}
