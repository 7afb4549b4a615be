package pages

import (
	"net/http"

	"vitae.internal/gateway/internal/answer"
	"vitae.internal/pkg/errs"
)

// handler answers a request, or says why it cannot.
type handler func(http.ResponseWriter, *http.Request) error

// route is one address and what it answers to. HEAD is answered as GET.
type route struct {
	path      string
	get, post handler
}

// routes are all pages.
func (p *Pages) routes() []route {
	return []route{
		{path: "/{$}", get: p.home},
		{path: "/docs", get: p.reference},
		{path: "/docs/openapi.json", get: p.document},
		{path: "/docs/{guide}", get: p.guide},

		{path: "/sign-in", get: p.signInForm, post: p.signIn},
		{path: "/sign-out", post: p.signOut},

		{path: authorizePath, get: p.consentForm, post: p.signedIn(p.decide)},
		{path: legacyAuthorizePath, get: p.consentForm, post: p.signedIn(p.decide)},

		{path: "/connections", get: p.signedIn(p.connections)},
		{path: "/connections/{id}/cv", post: p.signedIn(p.changeCV)},
		{path: "/connections/{id}/sharing", post: p.signedIn(p.switchSharing)},
		{path: "/connections/{id}/disconnect", get: p.signedIn(p.askDisconnect), post: p.signedIn(p.disconnect)},

		{path: "/p/{username}", get: p.publicProfile},
		{path: "/p/{username}/cv", get: p.publicCV},

		{path: "/static/{file}", get: p.static},
		{path: "/favicon.ico", get: p.favicon},
	}
}

func (p *Pages) newRouter() http.Handler {
	mux := http.NewServeMux()
	for _, route := range p.routes() {
		mux.Handle(route.path, p.methods(route))
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { p.Fail(w, r, errNotFound) })
	return mux
}

// methods gives the request to the handler of its method. Every POST has passed
// admit before its handler sees it.
func (p *Pages) methods(route route) http.Handler {
	allow := "GET, HEAD"
	switch {
	case route.get == nil:
		allow = "POST"
	case route.post != nil:
		allow = "GET, HEAD, POST"
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handle := route.get
		if r.Method == http.MethodPost {
			handle = route.post
		}
		if handle == nil || (r.Method != http.MethodGet && r.Method != http.MethodHead && r.Method != http.MethodPost) {
			w.Header().Set("Allow", allow)
			p.Fail(w, r, errs.New(errs.Invalid, answer.CodeMethodNotAllowed, "The method is not allowed here."))
			return
		}
		if r.Method == http.MethodPost {
			if err := p.admit(w, r); err != nil {
				p.Fail(w, r, err)
				return
			}
		}
		if err := handle(w, r); err != nil {
			p.Fail(w, r, err)
		}
	})
}
