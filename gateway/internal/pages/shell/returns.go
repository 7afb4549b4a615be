package shell

import (
	"net/http"
	"net/url"
	"path"

	"vitae.internal/gateway/internal/authorization"
	"vitae.internal/gateway/internal/location"
	"vitae.internal/gateway/internal/web"
)

// Paths to which pages of several subjects lead.
const (
	SignInPath  = "/sign-in"
	SignOutPath = "/sign-out"
	// ConsentPath and LegacyConsentPath are the consent pages.
	ConsentPath       = "/oauth/authorize"
	LegacyConsentPath = authorization.LegacyConsentPath
	// ConnectionsPath is where people go after sign-in if they requested no other page.
	ConnectionsPath = "/connections"
	ProfilePath     = "/profile"
	CVsPath         = "/cvs"
	AccountPath     = "/account"
	// ReturnField names the return path in queries and forms.
	ReturnField = "return"
)

const (
	// maxReturnPath is the longest return path in bytes: an authorization request with
	// every parameter at its longest, percent-encoded.
	maxReturnPath = 24 << 10
	// MaxKept is the longest return path that a cookie keeps, in bytes: sealed, it takes a third more, and
	// browsers drop cookies of more than 4 KB.
	MaxKept = 2500
)

// Itself, as Route.Return, is the address of the request with its query.
const Itself = "itself"

// Route is a route with the page to which it returns.
type Route struct {
	web.Route
	// Return is the page to which the browser returns when the visitor had to sign in, or from a refused
	// form: a path, Itself, or "" for the connected apps. What was posted is lost.
	Return string
	// Form, if set, finds the page with a refused form from the form's fields.
	Form func(*http.Request) string
}

// To are routes that return to one page: a path, Itself, or "".
func To(page string, routes []web.Route) []Route {
	all := make([]Route, len(routes))
	for i, route := range routes {
		all[i] = Route{Route: route, Return: page}
	}
	return all
}

// Handler serves the routes.
func (s *Shell) Handler(routes []Route) (http.Handler, error) {
	all := make([]web.Route, len(routes))
	for i, route := range routes {
		all[i] = route.Route
	}
	handler, err := s.Site.Handler(all) // refuses a path that is there twice
	if err != nil {
		return nil, err
	}
	s.learn(routes)
	return handler, nil
}

// learn notes to which pages the routes return.
func (s *Shell) learn(routes []Route) {
	s.routes = map[string]Route{}
	for _, route := range routes {
		s.routes[route.Path] = route
		s.pages.Handle(route.Path, http.NotFoundHandler())
	}
}

// routeOf returns the route of a path, the zero Route for none.
func (s *Shell) routeOf(at string) Route {
	if path.Clean("/"+at) != at { // the mux would redirect
		return Route{}
	}
	_, pattern := s.pages.Handler(&http.Request{Method: http.MethodGet, URL: &url.URL{Path: at}})
	return s.routes[pattern]
}

// LocalPath checks a return path from outside. Only pages to which their own routes return are
// allowed. The query keeps its meaning, so that an authorization request comes back with all its
// parameters.
func (s *Shell) LocalPath(address string) (string, bool) {
	if len(address) > maxReturnPath {
		return "", false
	}
	at, query, ok := web.LocalPath(address, func(at string) bool {
		route := s.routeOf(at)
		return route.Return == Itself || at != "" && route.Return == at
	})
	if !ok || query == "" {
		return at, ok
	}
	return at + "?" + location.Printable(query), true
}

// ReturnPath is LocalPath with the connected apps in place of every other path.
func (s *Shell) ReturnPath(address string) string {
	if at, ok := s.LocalPath(address); ok {
		return at
	}
	return ConnectionsPath
}

// IsConsent reports whether a path is one of the two consent pages.
func IsConsent(at string) bool { return at == ConsentPath || at == LegacyConsentPath }

// ReadAuthorization reads the authorization request with which a consent page is opened. The path
// alone decides for which interface it is.
func ReadAuthorization(u *url.URL) authorization.Request {
	if u.Path == LegacyConsentPath {
		return authorization.ReadLegacy(u.RawQuery)
	}
	return authorization.Read(u.RawQuery)
}

// SignInTo is the sign-in page that leads to a return path.
func SignInTo(back string) string { return WithReturn(SignInPath, back) }

// WithReturn is a page that leads to a return path in the end.
func WithReturn(page, back string) string {
	if back == ConnectionsPath {
		return page
	}
	return page + "?" + url.Values{ReturnField: {back}}.Encode()
}

// PostedReturn is the return path of a form.
func (s *Shell) PostedReturn(r *http.Request) string {
	return s.ReturnPath(r.PostForm.Get(ReturnField))
}

// SignInFor is the sign-in page for a request that needs a session.
func (s *Shell) SignInFor(r *http.Request) string {
	if r.URL.Path == SignOutPath {
		return SignInTo(s.PostedReturn(r))
	}
	return SignInTo(s.returnOf(r))
}

// FormBehind is the page whose form was refused.
func (s *Shell) FormBehind(r *http.Request) string {
	if form := s.routeOf(r.URL.Path).Form; form != nil {
		return form(r)
	}
	return s.returnOf(r)
}

func (s *Shell) returnOf(r *http.Request) string {
	route := s.routeOf(r.URL.Path)
	switch {
	case route.Return == Itself && (r.Method != http.MethodPost || route.Post != nil):
		return s.ReturnPath(r.URL.RequestURI())
	case route.Return == Itself || route.Return == "":
		return ConnectionsPath
	default:
		return route.Return
	}
}
