package api

import (
	"errors"
	"log/slog"
	"net/http"
	"time"

	"google.golang.org/grpc"

	"vitae.internal/gateway/internal/admission"
	"vitae.internal/gateway/internal/admission/cvlink"
	"vitae.internal/gateway/internal/admission/limits"
	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/chain"
)

// Name stands for the REST API in logs and metrics.
const Name = "edge"

// Config is what the REST API is made of. All of it is required.
type Config struct {
	// BaseURL and AppURL are where the REST API and the pages are reached from
	// outside, without a trailing slash.
	BaseURL, AppURL string
	// Connections to the parts that the routes call.
	Auth, Candidate, Partnercatalog, Cvrender *grpc.ClientConn
	// Verifier knows which credentials live, and what their accounts may spend.
	Verifier admission.Verifier
	// Limiter holds the tiers of the surfaces that need no credential.
	Limiter admission.Limiter
	// Tiers of the surfaces; empty ones do not limit.
	Tiers limits.Tiers
	// Links signs durable links.
	Links *cvlink.Signer
	// Log takes the causes that answers do not show.
	Log *slog.Logger
}

func (c Config) check() error {
	if c.BaseURL == "" || c.AppURL == "" || c.Auth == nil || c.Candidate == nil || c.Partnercatalog == nil || c.Cvrender == nil ||
		c.Verifier == nil || c.Limiter == nil || c.Links == nil || c.Log == nil {
		return errors.New("api: a dependency is missing")
	}
	return nil
}

// New makes the door of the REST API.
func New(c Config) (chain.Door, error) {
	if err := c.check(); err != nil {
		return chain.Door{}, err
	}
	errors := answer.Errors{Log: c.Log}
	routes, err := c.table(errors)
	if err != nil {
		return chain.Door{}, err
	}
	return chain.Door{Name: Name, Headers: chain.DataHeaders(), Fail: errors.Write, Routes: routes}, nil
}

func (c Config) gate() admission.Gate {
	return admission.Gate{
		Verifier: c.Verifier, Links: c.Links,
		OpenLink: admission.Surface{Name: "cv-link", Tier: c.Tiers.CVLink, Limiter: c.Limiter},
	}
}

// open is a route that needs no Bearer credential.
func (c Config) open(method, template string, fail answer.ErrorWriter, timeout time.Duration, h http.Handler) chain.Route {
	return route(method, template, fail, timeout, chain.RefuseLarge(h))
}

// user is a route for user access tokens that hold the scope.
func (c Config) user(method, template string, fail answer.ErrorWriter, timeout time.Duration, scope string, h http.Handler) chain.Route {
	return route(method, template, fail, timeout, c.gate().UserToken(scope, chain.RefuseLarge(chain.WellFormedQuery(h))))
}

// partner is a route for API keys that hold the scope.
func (c Config) partner(method, template string, fail answer.ErrorWriter, timeout time.Duration, scope string, h http.Handler) chain.Route {
	return route(method, template, fail, timeout, c.gate().APIKey(scope, chain.RefuseLarge(h)))
}

func route(method, template string, fail answer.ErrorWriter, timeout time.Duration, h http.Handler) chain.Route {
	return chain.Route{Method: method, Template: template, Fail: fail, Timeout: timeout, Handler: h}
}
