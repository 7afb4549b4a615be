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

// Handler answers a request, or gives the error for which the failure page stands.
type Handler func(http.ResponseWriter, *http.Request) error

// Route is one address of a site.
type Route struct {
	// Path is a pattern of http.ServeMux without a method, for example "/{$}".
	Path string
	// Get answers GET and HEAD, Post answers POST. One of them may be nil.
	Get, Post Handler
	// Anonymous says that Post takes a form for people without a session, made with
	// FormToken. All other posts need a session: without one, the visitor is sent to
	// sign in, and Post is not called.
	Anonymous bool
	// MaxForm is how many bytes Post takes of a form without files; 0 for the constant MaxForm.
	MaxForm int64
	// Open says that Post takes a form that holds no token, for what changes nothing but how
	// this browser is shown pages. Its origin is checked all the same.
	Open bool
	// MaxUpload is how many bytes Post takes of a form with files, read with Upload; 0 if
	// it takes no such form. Of its texts it takes the constant MaxForm.
	MaxUpload int64
	// TooLarge answers a post above these bounds in place of a failure page, on the form: none of its
	// values can be read, so it may change nothing. Nil for the failure page.
	TooLarge Handler
	// Platform says that the route belongs to the developer platform: it is not found
	// while the platform is switched off (behaviour: errors#platform-off).
	Platform bool
}

// errNotFound is for addresses at which there is no page.
var errNotFound = NotFound()

// errPlatformOff is for routes of the developer platform while it is switched off.
var errPlatformOff = errs.New(errs.NotFound, answer.CodePlatformDisabled, "The developer platform is off.")

// NotFound gives the error of an address at which there is no page.
func NotFound() error {
	return errs.New(errs.NotFound, answer.CodeNotFound, "There is no such page.")
}

// Handler serves the routes, the site's assets, and a failure page for every other
// address. It sets the security headers of every answer.
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
		// With "\" in the place of "/" browsers read a host.
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

// handler serves a site, and says what it serves.
type handler struct {
	http.Handler
	routes []Route
}

// Served lists the routes, for metrics that are there before the first request.
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

// noteRoute tells logs and metrics which route the mux has taken. Tests may serve a
// site without the chain.
func noteRoute(r *http.Request) {
	if exchange := chain.ExchangeOf(r.Context()); exchange != nil && r.Pattern != "" {
		exchange.Route = r.Pattern
	}
}

// methods gives the request to the handler of its method.
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

// SeeOther redirects with a GET. The location is written as it is: http.Redirect
// would clean it.
func SeeOther(w http.ResponseWriter, location string) {
	w.Header().Set("Location", location)
	w.WriteHeader(http.StatusSeeOther)
}
