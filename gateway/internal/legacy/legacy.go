package legacy

import (
	"errors"
	"log/slog"
	"net/http"
	"time"

	"google.golang.org/grpc"

	"vitae.internal/gateway/internal/admission"
	"vitae.internal/gateway/internal/admission/cvlink"
	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/chain"
	"vitae.internal/pkg/sessionrecord"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// Name stands for the legacy interface in logs and metrics.
const Name = "legacy"

// How long routes may take.
const (
	quick = 10 * time.Second
	// With Redis down a revoke answers only when no record of the token can be left,
	// and so does the token endpoint when a replayed code ends what it gave.
	revoking = sessionrecord.WaitOut + 5*time.Second
)

// Config is what the legacy interface is made of. All of it is required.
type Config struct {
	// AppURL is where the pages are reached from outside, without a trailing slash.
	AppURL string
	// Auth and Candidate are the connections to the parts that the routes call.
	Auth, Candidate *grpc.ClientConn
	// Verifier knows which tokens live.
	Verifier admission.Verifier
	// Links signs the durable links of CVs.
	Links *cvlink.Signer
	// Partners limits each app's requests.
	Partners admission.Partners
	// Forms limits the addresses of clients that fail to authenticate.
	Forms admission.Surface
	// Log takes the causes that answers do not show.
	Log *slog.Logger
}

func (c Config) check() error {
	if c.AppURL == "" || c.Auth == nil || c.Candidate == nil || c.Verifier == nil || c.Links == nil ||
		c.Partners.Windows == nil || c.Forms.Limiter == nil || c.Log == nil {
		return errors.New("legacy: a dependency is missing")
	}
	return nil
}

// server serves the interface.
type server struct {
	Config
	oauth    authv1.OAuthServiceClient
	tokens   authv1.LegacyTokenServiceClient
	profiles candidatev1.LegacyProfileServiceClient
	failures failures
}

// New makes the door of the legacy interface.
func New(c Config) (chain.Door, error) {
	if err := c.check(); err != nil {
		return chain.Door{}, err
	}
	s := &server{
		Config: c, failures: failures{answer.Errors{Log: c.Log}},
		oauth: authv1.NewOAuthServiceClient(c.Auth), tokens: authv1.NewLegacyTokenServiceClient(c.Auth),
		profiles: candidatev1.NewLegacyProfileServiceClient(c.Candidate),
	}
	return chain.Door{Name: Name, Headers: chain.DataHeaders(), Fail: s.failures.write, Routes: s.table()}, nil
}

// table is the whole interface.
func (s *server) table() []chain.Route {
	return []chain.Route{
		s.route(http.MethodGet, "/oauth/authorize", quick, chain.RefuseLarge(handler(s.authorize))),
		// A body that is too large counts for the address too.
		s.route(http.MethodPost, "/api/oauth/token", revoking, handler(s.token)),
		s.route(http.MethodGet, "/api/oauth/profile", quick, s.bearer(s.profile)),
		s.route(http.MethodPost, "/api/oauth/revoke", revoking, s.bearer(s.revoke)),
	}
}

func (s *server) route(method, template string, timeout time.Duration, h http.Handler) chain.Route {
	return chain.Route{Method: method, Template: template, Fail: s.failures.write, Timeout: timeout, Handler: h}
}

// bearer lets requests with a live token pass.
func (s *server) bearer(h handler) http.Handler {
	gate := admission.Gate{Verifier: s.Verifier, Links: s.Links}
	return gate.LegacyToken(s.Partners, chain.RefuseLarge(h))
}

// handler answers a request, or says why it cannot.
type handler func(http.ResponseWriter, *http.Request) error

// ServeHTTP implements http.Handler.
func (h handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := h(w, r); err != nil {
		chain.Fail(w, r, err)
	}
}
