// Package shell provides what the packages of the pages share: the signed-in person, the page rate
// limit, the pages that browsers return to after signing in, and error codes.
//
// Package console/shell plays the same role for the developer console, but has a different API.
package shell

import (
	"embed"
	"net/http"
	"net/url"

	"vitae.internal/gateway/internal/web"
)

// Files contains the templates.
//
//go:embed templates
var Files embed.FS

// Shell is the site, with what every package of pages needs.
type Shell struct {
	*web.Site
	Sessions web.Sessions[Person]
	// Charge counts a page against the rate limit of the client's IP address. It returns
	// RATE_LIMIT_EXCEEDED if the limit is exceeded.
	Charge func(*http.Request) error
	pages  http.ServeMux
	routes map[string]Route
}

// Page handles a request of the signed-in person.
type Page = func(http.ResponseWriter, *http.Request, Person) error

// Own serves a page of the signed-in person. Other visitors must sign in first.
func (s *Shell) Own(next Page) web.Handler { return s.Limited(s.Sessions.Required(next)) }

// Uploading adds a session check to a route, so only signed-in people can upload a file. post
// handles the forms, and tooLarge handles forms that exceed the size limit.
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

// Limited counts a page against the rate limit before the handler calls a service
// (behaviour: limits#pages).
func (s *Shell) Limited(next web.Handler) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if err := s.Charge(r); err != nil {
			return err
		}
		return next(w, r)
	}
}

// Show renders a page of the signed-in person. title is the message key of the page's title. args
// fill the placeholders in the title.
func (s *Shell) Show(w http.ResponseWriter, r *http.Request, who Person, status int, page string, v web.View, title string, args ...any) (err error) {
	if v.Title, err = s.Language(r).Text(title, args...); err != nil {
		return err
	}
	s.Identify(&v, who)
	return s.Render(w, r, status, page, v)
}

// GoTo redirects to a page that shows a notice. app fills the notice's placeholder.
func (s *Shell) GoTo(w http.ResponseWriter, page, notice, app string) error {
	s.Notify(w, notice, app)
	web.SeeOther(w, page)
	return nil
}

// Weblink returns address if pages may link to it, or "" if they may only show it as text.
func Weblink(address string) string {
	u, err := url.Parse(address)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return ""
	}
	return address
}
