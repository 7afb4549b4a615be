package api

import (
	"errors"
	"log/slog"
	"net/http"
	"time"

	"google.golang.org/grpc"

	"vitae.internal/gateway/internal/admission"
	"vitae.internal/gateway/internal/admission/introspection"
	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/chain"
)

// Name identifies the REST API in logs and metrics. Operators filter on it, so it must not change.
const Name = "edge"

// Config holds the dependencies of the REST API. All of them are required.
type Config struct {
	// BaseURL and AppURL are the public URLs of the REST API and the pages, without a trailing slash.
	BaseURL, AppURL string
	// Auth, Candidate, Partnercatalog and Cvrender are connections to those services.
	Auth, Candidate, Partnercatalog, Cvrender grpc.ClientConnInterface
	Admission                                 admission.Shared
	// Reading limits introspection requests and reads their session records.
	Reading      admission.Reading
	Introspected *introspection.Reader
	// Log receives the causes that responses do not reveal.
	Log *slog.Logger

	// gate and links are built from the fields above.
	gate  admission.Gate
	links admission.LinkGate
}

func (c Config) check() error {
	if c.BaseURL == "" || c.AppURL == "" || c.Auth == nil || c.Candidate == nil || c.Partnercatalog == nil || c.Cvrender == nil ||
		c.Reading == nil || c.Introspected == nil || c.Log == nil {
		return errors.New("api: a dependency is missing")
	}
	return nil
}

// New returns the listener of the REST API.
func New(c Config) (chain.Listener, error) {
	if err := c.check(); err != nil {
		return chain.Listener{}, err
	}
	var err error
	if c.gate, err = admission.NewGate(c.Admission); err != nil {
		return chain.Listener{}, err
	}
	c.links, err = admission.NewLinkGate(c.gate, admission.Surface{Name: "cv-link", Tier: c.Admission.Tiers.CVLink, Limiter: c.Admission.Limiter})
	if err != nil {
		return chain.Listener{}, err
	}
	errors := answer.Errors{Log: c.Log}
	routes, err := c.table(errors)
	if err != nil {
		return chain.Listener{}, err
	}
	return chain.Listener{Name: Name, Headers: chain.DataHeaders(), Fail: errors.Write, Routes: routes}, nil
}

// open returns a route that requires no Bearer credential.
func (c Config) open(method, template string, fail answer.ErrorWriter, timeout time.Duration, h http.Handler) chain.Route {
	return route(method, template, fail, timeout, chain.RefuseLarge(h))
}

// user returns a route for access tokens that have the scope. Web pages from any origin may call it,
// because public clients run in browsers.
func (c Config) user(method, template string, fail answer.ErrorWriter, timeout time.Duration, scope string, h http.Handler) chain.Route {
	return anyOrigin(route(method, template, fail, timeout, c.gate.UserToken(scope, chain.RefuseLarge(chain.WellFormedQuery(h)))))
}

// partner returns a route for API keys that have the scope.
func (c Config) partner(method, template string, fail answer.ErrorWriter, timeout time.Duration, scope string, h http.Handler) chain.Route {
	return route(method, template, fail, timeout, c.gate.APIKey(scope, chain.RefuseLarge(h)))
}

// withReads returns r with a description of the data that successful requests read (see
// chain.Route.Reads).
func withReads(what string, r chain.Route) chain.Route {
	r.Reads = what
	return r
}

// anyOrigin lets web pages from any origin call a route.
func anyOrigin(r chain.Route) chain.Route {
	r.AnyOrigin = true
	return r
}

func route(method, template string, fail answer.ErrorWriter, timeout time.Duration, h http.Handler) chain.Route {
	return chain.Route{Method: method, Template: template, Fail: fail, Timeout: timeout, Handler: h}
}
