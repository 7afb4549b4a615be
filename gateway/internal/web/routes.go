package web

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/chain"
	"vitae.internal/pkg/errs"
)

// Handler responds to a request, or returns the error for the error page.
type Handler func(http.ResponseWriter, *http.Request) error

// Route describes one URL path of a site.
type Route struct {
	// Path is a pattern of http.ServeMux without a method, for example "/{$}".
	Path string
	// Get handles GET and HEAD. Post handles POST. One of them may be nil.
	Get, Post Handler
	// Anonymous means that Post needs no session, because its form contains a token from FormToken. On other
	// routes, a visitor without a session is redirected to sign in, and Post is not called.
	Anonymous bool
	// MaxForm is the maximum size, in bytes, of a form without files. 0 means the constant MaxForm.
	MaxForm int64
	// Open means that the form has no CSRF token, for settings that only affect this browser. Its origin is
	// still checked.
	Open bool
	// MaxUpload is the maximum size, in bytes, of a form with files, or 0 if Post accepts none. Its text fields
	// are limited by the constant MaxForm.
	MaxUpload int64
	// Session checks the session before Post's form is read, so that only signed-in people can upload a large
	// form. If it returns false, it has written the response. It is nil if Post checks the session.
	Session func(http.ResponseWriter, *http.Request) (live bool, err error)
	// TooLarge responds to a form that exceeds these limits, for example with the form and an error. The form
	// has not been read, so TooLarge must not change any data. If it is nil, the error page is shown.
	TooLarge Handler
	// Platform means that the route responds with 404 while the developer platform is off
	// (behaviour: errors#platform-off).
	Platform bool
}

var errNotFound = NotFound()

var errPlatformOff = errs.New(errs.NotFound, answer.CodePlatformDisabled, "The developer platform is off.")

// NotFound returns the error for an unknown path.
func NotFound() error {
	return errs.New(errs.NotFound, answer.CodeNotFound, "There is no such page.")
}

// Handler serves the routes, the assets, and an error page for other paths. It sets the security headers of
// every response.
func (s *Site) Handler(routes []Route) (http.Handler, error) {
	mux := http.NewServeMux()
	all := append([]Route{
		{Path: "/static/{file}", Get: s.static},
		{Path: "/favicon.ico", Get: s.favicon},
	}, routes...)
	if len(s.catalog.Languages()) > 1 {
		all = append(all, Route{Path: languagePath, Post: s.switchLanguage, Open: true})
	}
	seen := map[string]bool{}
	for _, route := range all {
		if !strings.HasPrefix(route.Path, "/") || (route.Get == nil && route.Post == nil) || seen[route.Path] {
			return nil, fmt.Errorf("%s: the route %q is incomplete or listed twice", s.cfg.Name, route.Path)
		}
		seen[route.Path] = true
		mux.Handle(route.Path, s.methods(route))
	}
	if !seen["/"] {
		mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { s.Fail(w, r, errNotFound) })
	}
	s.isPage = func(path string) bool {
		// Browsers treat "\" like "/", so "/\host" would lead to a different host.
		if !strings.HasPrefix(path, "/") || strings.Contains(path, `\`) {
			return false
		}
		_, pattern := mux.Handler(&http.Request{Method: http.MethodGet, URL: &url.URL{Path: path}})
		return pattern != "" && pattern != "/"
	}
	return handler{routes: all, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r = withWishes(r)
		defer noteRoute(r)
		s.securityHeaders(w.Header())
		mux.ServeHTTP(w, r)
	})}, nil
}

type handler struct {
	http.Handler
	routes []Route
}

// Served returns the routes, for metrics that exist from the start.
func (h handler) Served() (all []chain.Served) {
	for _, r := range h.routes {
		if r.Get != nil {
			all = append(all, chain.Served{Method: http.MethodGet, Route: r.Path})
		}
		if r.Post != nil {
			all = append(all, chain.Served{Method: http.MethodPost, Route: r.Path})
		}
	}
	return all
}

// noteRoute records the matched route for logs and metrics. In tests, the request may have no
// Exchange.
func noteRoute(r *http.Request) {
	if exchange := chain.ExchangeOf(r.Context()); exchange != nil && r.Pattern != "" {
		exchange.Route = r.Pattern
	}
}

// methods calls the handler for the request's method.
func (s *Site) methods(route Route) http.Handler {
	allow := "GET, HEAD"
	switch {
	case route.Get == nil:
		allow = "POST"
	case route.Post != nil:
		allow = "GET, HEAD, POST"
	}
	get, post := route.Get, s.guarded(route)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var handle Handler
		switch r.Method {
		case http.MethodGet, http.MethodHead:
			handle = get
		case http.MethodPost:
			handle = post
		}
		if handle == nil {
			w.Header().Set("Allow", allow)
			s.Fail(w, r, errs.New(errs.Invalid, answer.CodeMethodNotAllowed, "The method is not allowed here."))
			return
		}
		if route.Platform && !s.cfg.PlatformOn {
			s.Fail(w, r, errPlatformOff)
			return
		}
		if err := handle(w, r); err != nil {
			s.Fail(w, r, err)
		}
	})
}

// SeeOther writes a 303 response. Unlike http.Redirect, it does not modify the location.
func SeeOther(w http.ResponseWriter, location string) {
	w.Header().Set("Location", location)
	w.WriteHeader(http.StatusSeeOther)
}
