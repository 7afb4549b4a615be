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

// Handler answers a request, or returns the error for the failure page.
type Handler func(http.ResponseWriter, *http.Request) error

// Route is one address of a site.
type Route struct {
	// Path is a pattern of http.ServeMux without a method, for example "/{$}".
	Path string
	// Get answers GET and HEAD, Post answers POST. One of them may be nil.
	Get, Post Handler
	// Anonymous means that Post needs no session: its form has a token from FormToken. For
	// other routes, a visitor without a session is redirected to sign in, and Post is not
	// called.
	Anonymous bool
	// MaxForm limits a form without files, in bytes; 0 for the constant MaxForm.
	MaxForm int64
	// Open means that the form has no CSRF token, for settings that only affect this browser.
	// Its origin is still checked.
	Open bool
	// MaxUpload limits a form with files, in bytes; 0 if Post accepts no files. Its texts are
	// limited by the constant MaxForm.
	MaxUpload int64
	// Session checks the session before Post's form is read, so that nobody else can upload a
	// large one; nil if Post checks it. It has answered if it reports false.
	Session func(http.ResponseWriter, *http.Request) (live bool, err error)
	// TooLarge answers a form above these limits, for example with the form and an error. The
	// form has not been read, so TooLarge must change nothing. Nil for the failure page.
	TooLarge Handler
	// Platform means that the route answers 404 while the developer platform is switched
	// off (behaviour: errors#platform-off).
	Platform bool
}

var errNotFound = NotFound()

var errPlatformOff = errs.New(errs.NotFound, answer.CodePlatformDisabled, "The developer platform is off.")

// NotFound returns the error for an unknown address.
func NotFound() error {
	return errs.New(errs.NotFound, answer.CodeNotFound, "There is no such page.")
}

// Handler serves the routes, the assets, and a failure page for other addresses. It sets the
// security headers of every response.
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
			return nil, fmt.Errorf("%s: the route %q is incomplete or stands there twice", s.cfg.Name, route.Path)
		}
		seen[route.Path] = true
		mux.Handle(route.Path, s.methods(route))
	}
	if !seen["/"] {
		mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { s.Fail(w, r, errNotFound) })
	}
	s.isPage = func(path string) bool {
		// Browsers treat "\" like "/", so "/\host" would lead to another host.
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

// noteRoute records the matched route for logs and metrics. In tests there may be no Exchange.
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

// SeeOther answers 303. Unlike http.Redirect, it does not change the location.
func SeeOther(w http.ResponseWriter, location string) {
	w.Header().Set("Location", location)
	w.WriteHeader(http.StatusSeeOther)
}
