package legacy

import (
	"errors"
	"log/slog"
	"net/http"
	"time"

	"google.golang.org/grpc"

	"vitae.internal/gateway/internal/admission"
	"vitae.internal/gateway/internal/admission/signedurl"
	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/chain"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// Name identifies the legacy interface in logs and metrics.
const Name = "legacy"

// Timeouts of routes.
const (
	quick = 10 * time.Second
	// The token endpoint revokes too: using a code twice revokes its token.
	revoking = chain.RevokeTimeout
)

// Config holds the dependencies of the legacy interface. All of them are required.
type Config struct {
	// AppURL is the public address of the pages, without a trailing slash.
	AppURL string
	// Auth and Candidate are the connections to the services.
	Auth, Candidate grpc.ClientConnInterface
	Verifier        admission.Verifier
	// Addresses signs durable links and the addresses of photos.
	Addresses *signedurl.Signer
	// Partners limits the requests of each app.
	Partners admission.Partners
	// Forms limits, by address, token requests that fail to authenticate a client.
	Forms admission.Surface
	// Clients limits failed client authentications before auth is called.
	Clients *admission.Clients
	// Authorize limits authorization requests by address.
	Authorize admission.Surface
	// MadeUp limits, by address, tokens that were never issued.
	MadeUp admission.Surface
	// Log receives the causes that responses do not show.
	Log *slog.Logger
}

func (c Config) check() error {
	if c.AppURL == "" || c.Auth == nil || c.Candidate == nil || c.Verifier == nil || c.Addresses == nil ||
		c.Partners.Windows == nil || c.Forms.Limiter == nil || c.Clients == nil || c.Authorize.Limiter == nil || c.MadeUp.Limiter == nil || c.Log == nil {
		return errors.New("legacy: a dependency is missing")
	}
	return nil
}

type server struct {
	Config
	gate     admission.Gate
	oauth    authv1.OAuthServiceClient
	tokens   authv1.LegacyTokenServiceClient
	profiles candidatev1.LegacyProfileServiceClient
	failures failures
}

// New returns the listener of the legacy interface.
func New(c Config) (chain.Listener, error) {
	if err := c.check(); err != nil {
		return chain.Listener{}, err
	}
	gate, err := admission.NewGate(admission.GateConfig{Verifier: c.Verifier, Addresses: c.Addresses, MadeUp: c.MadeUp})
	if err != nil {
		return chain.Listener{}, err
	}
	s := &server{
		Config: c, gate: gate, failures: failures{answer.Errors{Log: c.Log}},
		oauth: authv1.NewOAuthServiceClient(c.Auth), tokens: authv1.NewLegacyTokenServiceClient(c.Auth),
		profiles: candidatev1.NewLegacyProfileServiceClient(c.Candidate),
	}
	return chain.Listener{Name: Name, Headers: chain.DataHeaders(), Fail: s.failures.write, Routes: s.table()}, nil
}

func (s *server) table() []chain.Route {
	return []chain.Route{
		s.route(http.MethodGet, "/oauth/authorize", quick, s.Authorize.Limit(chain.RefuseLarge(handler(s.authorize)))),
		// No RefuseLarge: a body that is too large is charged to the address too.
		s.route(http.MethodPost, "/api/oauth/token", revoking, handler(s.token)),
		s.route(http.MethodGet, "/api/oauth/profile", quick, s.bearer(s.profile)),
		s.route(http.MethodPost, "/api/oauth/revoke", revoking, s.bearer(s.revoke)),
	}
}

func (s *server) route(method, template string, timeout time.Duration, h http.Handler) chain.Route {
	return chain.Route{Method: method, Template: template, Fail: s.failures.write, Timeout: timeout, Handler: h}
}

// bearer requires a live token.
func (s *server) bearer(h handler) http.Handler {
	return s.gate.LegacyToken(s.Partners, chain.RefuseLarge(h))
}

type handler func(http.ResponseWriter, *http.Request) error

func (h handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := h(w, r); err != nil {
		admission.Refuse(w, r, err)
	}
}
