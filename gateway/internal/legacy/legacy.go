package legacy

import (
	"errors"
	"log/slog"
	"net/http"
	"time"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"

	"vitae.internal/pkg/sessionrecord"

	"vitae.internal/gateway/internal/admission"
	"vitae.internal/gateway/internal/admission/cvlink"
	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/chain"
)

// How long routes may take.
const (
	quick = 10 * time.Second
	// With Redis down a revoke answers only when no record of the token can be left,
	// and so does the token endpoint when a replayed code ends what it gave.
	revoking = sessionrecord.WaitOut + 5*time.Second
)

// Config is what the older interface stands on; all of it but Proxies is required.
type Config struct {
	// AppURL is where the pages are reached from outside, without a trailing slash.
	AppURL string
	// PlatformOn says whether the developer platform is switched on.
	PlatformOn bool
	// Proxies may say for whom they ask.
	Proxies chain.Proxies
	// The parts behind the interface.
	OAuth    authv1.OAuthServiceClient
	Tokens   authv1.LegacyTokenServiceClient
	Profiles candidatev1.LegacyProfileServiceClient
	// Verifier knows which tokens live.
	Verifier admission.Verifier
	// Links signs the durable links of CVs.
	Links *cvlink.Signer
	// Partners limits each app's requests, and Forms the addresses of clients that
	// fail to authenticate.
	Partners admission.Partners
	Forms    admission.Surface
	// Usage takes the requests of known accounts.
	Usage chain.Usage
	// Log takes one line per request.
	Log *slog.Logger
	// MaxInFlight is how many requests may be under way at a time.
	MaxInFlight int
}

// api serves the interface.
type api struct {
	Config
	failures failures
}

// New makes the handler of the older interface.
func New(c Config) (http.Handler, error) {
	if c.AppURL == "" || c.OAuth == nil || c.Tokens == nil || c.Profiles == nil || c.Verifier == nil || c.Links == nil ||
		c.Partners.Windows == nil || c.Forms.Limiter == nil || c.Usage == nil || c.Log == nil {
		return nil, errors.New("legacy: a dependency is missing")
	}
	a := &api{Config: c, failures: failures{answer.Errors{Log: c.Log}}}
	routes, err := chain.NewRouter(a.table(), a.failures.write)
	if err != nil {
		return nil, err
	}
	outer := chain.Outer{
		Listener: "legacy", Log: c.Log, Proxies: c.Proxies, Headers: chain.EdgeHeaders(), Fail: a.failures.write,
		Usage: c.Usage, MaxInFlight: c.MaxInFlight,
	}
	return outer.Wrap(routes), nil
}

// table is the whole interface.
func (a *api) table() []chain.Route {
	return []chain.Route{
		a.route(http.MethodGet, "/oauth/authorize", quick, chain.RefuseLarge(handler(a.authorize))),
		// A body that is too large counts for the address too.
		a.route(http.MethodPost, "/api/oauth/token", revoking, handler(a.token)),
		a.route(http.MethodGet, "/api/oauth/profile", quick, a.bearer(a.profile)),
		a.route(http.MethodPost, "/api/oauth/revoke", revoking, a.bearer(a.revoke)),
	}
}

func (a *api) route(method, template string, timeout time.Duration, h http.Handler) chain.Route {
	h = chain.LimitBody(chain.Deadline(timeout, chain.Platform(a.PlatformOn, h)))
	return chain.Route{Method: method, Template: template, Fail: a.failures.write, Handler: h}
}

// bearer lets requests with a live token pass.
func (a *api) bearer(h handler) http.Handler {
	gate := admission.Gate{Verifier: a.Verifier, Links: a.Links}
	return gate.LegacyToken(a.Partners, chain.RefuseLarge(h))
}

// handler answers a request, or says why it cannot.
type handler func(http.ResponseWriter, *http.Request) error

// ServeHTTP implements http.Handler.
func (h handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := h(w, r); err != nil {
		chain.Fail(w, r, err)
	}
}
