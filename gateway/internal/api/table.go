package api

import (
	"net/http"
	"time"

	"vitae.internal/pkg/sessionrecord"

	"vitae.internal/gateway/internal/admission"
	"vitae.internal/gateway/internal/admission/cvlink"
	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/api/oauth"
	"vitae.internal/gateway/internal/api/openapi"
	"vitae.internal/gateway/internal/api/pdf"
	"vitae.internal/gateway/internal/api/resume"
	"vitae.internal/gateway/internal/chain"
)

// How long routes may take.
const (
	quick = 10 * time.Second
	// A PDF may have to wait for its turn in the renderer's queue.
	rendering = 40 * time.Second
	// With Redis down a revoke answers only when no record of the token can be left,
	// and so does the token endpoint when a replay ends a family.
	revoking = sessionrecord.WaitOut + 5*time.Second
	// A resume of 10 MiB, for a client that takes 90 kB/s.
	downloading = 2 * time.Minute
)

// Slowest is the longest time that a route may take.
const Slowest = downloading

// FormSurface names the tier of the OAuth endpoints. Addresses spend of it at the
// older interface's too.
const FormSurface = "oauth"

// table is the whole REST interface.
func (c Config) table(e answer.Errors) ([]chain.Route, error) {
	shared, err := sharedCV()
	if err != nil {
		return nil, err
	}
	resources, err := c.resources(e)
	if err != nil {
		return nil, err
	}
	document, err := openapi.Handler(c.BaseURL, c.AppURL)
	if err != nil {
		return nil, err
	}
	envelope, flat := e.Write, oauth.Flat(e)
	pdfs := pdf.Handler{Candidate: c.Me, Renderer: c.Renderer}
	forms := admission.Surface{Name: FormSurface, Tier: c.Tiers.OAuth, Limiter: c.Limiter}
	authorize := oauth.Authorizer{Auth: c.OAuth, Issuer: c.BaseURL, AppURL: c.AppURL}

	return append(resources,
		c.open(http.MethodGet, "/.well-known/oauth-authorization-server", envelope, quick, oauth.Discovery(c.BaseURL, c.AppURL)),
		c.open(http.MethodGet, "/oauth/authorize", envelope, quick, authorize),
		// Not open: a body that is too large counts for the tier too.
		c.route(http.MethodPost, "/oauth/token", flat, revoking, oauth.Token(c.OAuth, forms)),
		c.route(http.MethodPost, "/oauth/introspect", flat, quick, oauth.Introspect(c.OAuth, forms)),
		c.route(http.MethodPost, "/oauth/revoke", envelope, revoking, oauth.Revoke(c.OAuth, forms)),

		c.user(http.MethodGet, "/v1/me/cv.pdf", envelope, rendering, shared.Scope, http.HandlerFunc(pdfs.Me)),
		c.open(http.MethodGet, cvlink.PathPrefix+"{token}", envelope, rendering,
			c.gate().CVLink(shared.Scope, chain.WellFormedQuery(http.HandlerFunc(pdfs.Link)))),

		c.open(http.MethodGet, resume.Path, envelope, downloading, resume.Handler{Candidate: c.Resumes, Log: c.Log}),

		c.open(http.MethodGet, openapi.Path, envelope, quick, document),
	), nil
}

func (c Config) gate() admission.Gate {
	return admission.Gate{
		Verifier: c.Verifier, Links: c.Links,
		OpenLink: admission.Surface{Name: "cv-link", Tier: c.Tiers.CVLink, Limiter: c.Limiter},
	}
}

// open is a route that needs no Bearer credential.
func (c Config) open(method, template string, fail answer.ErrorWriter, timeout time.Duration, h http.Handler) chain.Route {
	return c.route(method, template, fail, timeout, chain.RefuseLarge(h))
}

// user is a route for user access tokens that hold the scope.
func (c Config) user(method, template string, fail answer.ErrorWriter, timeout time.Duration, scope string, h http.Handler) chain.Route {
	return c.route(method, template, fail, timeout, c.gate().UserToken(scope, chain.RefuseLarge(chain.WellFormedQuery(h))))
}

// partner is a route for API keys that hold the scope.
func (c Config) partner(method, template string, fail answer.ErrorWriter, timeout time.Duration, scope string, h http.Handler) chain.Route {
	return c.route(method, template, fail, timeout, c.gate().APIKey(scope, chain.RefuseLarge(h)))
}

func (c Config) route(method, template string, fail answer.ErrorWriter, timeout time.Duration, h http.Handler) chain.Route {
	h = chain.LimitBody(chain.Deadline(timeout, chain.Platform(c.PlatformOn, h)))
	return chain.Route{Method: method, Template: template, Fail: fail, Handler: h}
}
