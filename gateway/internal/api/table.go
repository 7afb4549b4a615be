package api

import (
	"net/http"
	"time"

	"vitae.internal/gateway/internal/admission"
	"vitae.internal/gateway/internal/admission/cvlink"
	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/api/oauth"
	"vitae.internal/gateway/internal/api/openapi"
	"vitae.internal/gateway/internal/api/pdf"
	"vitae.internal/gateway/internal/api/resume"
	"vitae.internal/gateway/internal/chain"
	"vitae.internal/pkg/sessionrecord"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	cvrenderv1 "vitae.internal/proto/gen/vitae/cvrender/v1"
)

// How long routes may take.
const (
	quick = 10 * time.Second
	// A PDF may have to wait for its turn in the renderer's queue.
	rendering = 40 * time.Second
	// With Redis down a revoke answers only when no record of the token can be left.
	// So does the token endpoint when a replay ends a family.
	revoking = sessionrecord.WaitOut + 5*time.Second
	// A resume of 10 MiB, for a client that takes 90 kB/s.
	downloading = 2 * time.Minute
)

// Slowest is the longest time that a route may take.
const Slowest = downloading

// FormSurface names the tier of the OAuth endpoints. Addresses spend of it at the
// legacy interface too.
const FormSurface = "oauth"

// table is the whole REST API.
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
	auth := authv1.NewOAuthServiceClient(c.Auth)
	pdfs := pdf.Handler{Candidate: candidatev1.NewMeServiceClient(c.Candidate), Renderer: cvrenderv1.NewCvRenderServiceClient(c.Cvrender)}
	resumes := resume.Handler{Candidate: candidatev1.NewResumeServiceClient(c.Candidate), Log: c.Log}
	forms := admission.Surface{Name: FormSurface, Tier: c.Tiers.OAuth, Limiter: c.Limiter}
	authorize := oauth.Authorizer{Auth: auth, Issuer: c.BaseURL, AppURL: c.AppURL}

	return append(resources,
		c.open(http.MethodGet, "/.well-known/oauth-authorization-server", envelope, quick, oauth.Discovery(c.BaseURL, c.AppURL)),
		c.open(http.MethodGet, "/oauth/authorize", envelope, quick, authorize),
		// Not open: a body that is too large counts for the tier too.
		route(http.MethodPost, "/oauth/token", flat, revoking, oauth.Token(auth, forms)),
		route(http.MethodPost, "/oauth/introspect", flat, quick, oauth.Introspect(auth, forms)),
		route(http.MethodPost, "/oauth/revoke", envelope, revoking, oauth.Revoke(auth, forms)),

		c.user(http.MethodGet, "/v1/me/cv.pdf", envelope, rendering, shared.Scope, http.HandlerFunc(pdfs.Me)),
		c.open(http.MethodGet, cvlink.PathPrefix+"{token}", envelope, rendering,
			c.gate().CVLink(shared.Scope, chain.WellFormedQuery(http.HandlerFunc(pdfs.Link)))),

		c.open(http.MethodGet, resume.Path, envelope, downloading, resumes),

		c.open(http.MethodGet, openapi.Path, envelope, quick, document),
	), nil
}
