package shell

import (
	"net/http"
	"net/url"
	"path"

	"vitae.internal/gateway/internal/authorization"
	"vitae.internal/gateway/internal/location"
	"vitae.internal/gateway/internal/web"
)

// Paths that the pages of several packages link to.
const (
	SignInPath  = "/sign-in"
	SignOutPath = "/sign-out"
	// ConsentPath and LegacyConsentPath are the paths of the consent pages.
	ConsentPath       = "/oauth/authorize"
	LegacyConsentPath = authorization.LegacyConsentPath
	// ConnectionsPath is where people go after signing in, unless they requested a different page.
	ConnectionsPath = "/connections"
	ProfilePath     = "/profile"
	CVsPath         = "/cvs"
	AccountPath     = "/account"
	// ReturnField is the name of the query parameter and form field that contain the return path.
	ReturnField = "return"
)

const (
	// maxReturnPath is the maximum length of a return path in bytes. A percent-encoded
	// authorization request fits in it even if every parameter has its maximum length.
	maxReturnPath = 24 << 10
	// MaxKept is the maximum length in bytes of a return path that is stored in a cookie. Sealing
	// adds a third, and browsers drop cookies larger than 4 KB.
	MaxKept = 2500
)

// Itself is a value for Route.Return that stands for the URL of the request, including its query.
const Itself = "itself"

// Route is a route together with the page to which the browser returns.
type Route struct {
	web.Route
	// Return is the page that the browser opens after the visitor has had to sign in, and after a
	// rejected form. It is a path, Itself, or "" for the list of connected apps. The values in the
	// form are lost.
	Return string
	// Form, if set, returns the page that contains the rejected form. It determines the page from
	// the fields of the form.
	Form func(*http.Request) string
}

// To returns routes that all return to the same page, which is a path, Itself, or "".
func To(page string, routes []web.Route) []Route {
	all := make([]Route, len(routes))
	for i, route := range routes {
		all[i] = Route{Route: route, Return: page}
	}
	return all
}

// Handler returns a handler that serves the routes.
func (s *Shell) Handler(routes []Route) (http.Handler, error) {
	all := make([]web.Route, len(routes))
	for i, route := range routes {
		all[i] = route.Route
	}
	handler, err := s.Site.Handler(all) // fails if a path occurs twice
	if err != nil {
		return nil, err
	}
	s.recordReturns(routes)
	return handler, nil
}

// recordReturns stores which pages the routes return to.
func (s *Shell) recordReturns(routes []Route) {
	s.routes = map[string]Route{}
	for _, route := range routes {
		s.routes[route.Path] = route
		s.pages.Handle(route.Path, http.NotFoundHandler())
	}
}

// routeOf returns the route that matches a path, or the zero Route if there is none.
func (s *Shell) routeOf(at string) Route {
	if path.Clean("/"+at) != at { // the mux would redirect such a path
		return Route{}
	}
	_, pattern := s.pages.Handler(&http.Request{Method: http.MethodGet, URL: &url.URL{Path: at}})
	return s.routes[pattern]
}

// LocalPath validates an untrusted return path. It allows only pages whose own route returns to
// them. It keeps the query unchanged, so an authorization request keeps all its parameters.
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

// ReturnPath returns the validated return path, or the path of the list of connected apps if it is
// not allowed.
func (s *Shell) ReturnPath(address string) string {
	if at, ok := s.LocalPath(address); ok {
		return at
	}
	return ConnectionsPath
}

// IsConsent reports whether a path is the path of a consent page.
func IsConsent(at string) bool { return at == ConsentPath || at == LegacyConsentPath }

// ReadAuthorization parses the authorization request of a consent page. The path determines whether
// the request is for the legacy interface.
func ReadAuthorization(u *url.URL) authorization.Request {
	if u.Path == LegacyConsentPath {
		return authorization.ReadLegacy(u.RawQuery)
	}
	return authorization.Read(u.RawQuery)
}

// SignInTo returns the URL of the sign-in page. After signing in, the browser goes to the return
// path.
func SignInTo(back string) string { return WithReturn(SignInPath, back) }

// WithReturn returns the URL of a page that eventually sends the browser to the return path.
func WithReturn(page, back string) string {
	if back == ConnectionsPath {
		return page
	}
	return page + "?" + url.Values{ReturnField: {back}}.Encode()
}

// PostedReturn returns the validated return path of a submitted form.
func (s *Shell) PostedReturn(r *http.Request) string {
	return s.ReturnPath(r.PostForm.Get(ReturnField))
}

// SignInFor returns the URL of the sign-in page for a request that requires a session.
func (s *Shell) SignInFor(r *http.Request) string {
	if r.URL.Path == SignOutPath {
		return SignInTo(s.PostedReturn(r))
	}
	return SignInTo(s.returnOf(r))
}

// FormBehind returns the page that contains the form that was rejected.
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
