package api

import (
	"net/http"
	"time"

	"vitae.internal/gateway/internal/admission"
	"vitae.internal/gateway/internal/admission/signedurl"
	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/api/oauth"
	"vitae.internal/gateway/internal/api/openapi"
	"vitae.internal/gateway/internal/api/pdf"
	"vitae.internal/gateway/internal/api/photo"
	"vitae.internal/gateway/internal/api/resume"
	"vitae.internal/gateway/internal/chain"
	"vitae.internal/pkg/clock"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	cvrenderv1 "vitae.internal/proto/gen/vitae/cvrender/v1"
)

// These are the timeouts of routes.
const (
	quick = 10 * time.Second
	// rendering is long, because a PDF may have to wait in the renderer's queue.
	rendering = 40 * time.Second
	// revoking also applies to the token endpoint, because a replayed token revokes its family.
	revoking = chain.RevokeTimeout
	// downloading is the time that a client with 90 kB/s needs to download a resume of 10 MiB.
	downloading = 2 * time.Minute
)

// table lists all routes of the REST API.
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
	people, renderer := candidatev1.NewPhotoServiceClient(c.Candidate), cvrenderv1.NewCvRenderServiceClient(c.Cvrender)
	pdfs := pdf.Handler{Candidate: candidatev1.NewMeServiceClient(c.Candidate), Photos: people, Renderer: renderer}
	photos := photo.Handler{
		Signer: c.Admission.Addresses, Credentials: authv1.NewCredentialServiceClient(c.Auth), Photos: people, Fetcher: renderer, Clock: clock.System{},
	}
	opened := admission.Surface{Name: "photo", Tier: c.Admission.Tiers.Photo, Limiter: c.Admission.Limiter}
	downloaded := admission.Surface{Name: "resume", Tier: c.Admission.Tiers.Resume, Limiter: c.Admission.Limiter}
	resumes := resume.Handler{Candidate: candidatev1.NewResumeServiceClient(c.Candidate), Log: c.Log}
	forms, err := c.Admission.FormClients()
	if err != nil {
		return nil, err
	}
	// Separate counters let a partner revoke stolen tokens even if its other limits are exhausted.
	revokers, err := c.Admission.NewClients("oauth-revoke", c.Admission.Tiers.OAuth)
	if err != nil {
		return nil, err
	}
	introspect := oauth.Introspect(oauth.Introspection{Auth: auth, Clients: forms, Reading: c.Reading, Records: c.Introspected})
	authorize := c.Admission.Authorize().Limit(
		oauth.Authorizer{Auth: auth, Issuer: c.BaseURL, AppURL: c.AppURL})

	return append(resources,
		anyOrigin(c.open(http.MethodGet, "/.well-known/oauth-authorization-server", envelope, quick, oauth.Discovery(c.BaseURL, c.AppURL))),
		c.open(http.MethodGet, "/oauth/authorize", envelope, quick, authorize),
		// This does not call c.open, so that a request with a body that is too large is also
		// charged to the tier.
		anyOrigin(route(http.MethodPost, "/oauth/token", flat, revoking, oauth.Token(auth, forms))),
		route(http.MethodPost, "/oauth/introspect", flat, quick, introspect),
		anyOrigin(route(http.MethodPost, "/oauth/revoke", envelope, revoking, oauth.Revoke(auth, revokers))),

		withReads("pdf", c.user(http.MethodGet, "/v1/me/cv.pdf", envelope, rendering, shared.Scope, http.HandlerFunc(pdfs.Me))),
		withReads("link", c.open(http.MethodGet, signedurl.CVLinkPath+"{token}", envelope, rendering,
			c.links.CVLink(shared.Scope, chain.WellFormedQuery(http.HandlerFunc(pdfs.Link))))),

		withReads("photo", anyOrigin(c.open(http.MethodGet, signedurl.PhotoPath+"{token}", envelope, quick, opened.Limit(photos)))),

		c.open(http.MethodGet, resume.Path, envelope, downloading, downloaded.Limit(resumes)),

		anyOrigin(c.open(http.MethodGet, openapi.Path, envelope, quick, document)),
	), nil
}
