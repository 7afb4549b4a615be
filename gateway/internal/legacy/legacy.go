package legacy

import (
	"errors"
	"log/slog"
	"net/http"
	"time"

	"google.golang.org/grpc"

	"vitae.internal/gateway/internal/admission"
	"vitae.internal/gateway/internal/admission/limits"
	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/chain"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// Name identifies the legacy interface in logs and metrics.
const Name = "legacy"

// These are the timeouts of routes.
const (
	quick = 10 * time.Second
	// revoking also applies to the token endpoint, because using a code twice revokes its token.
	revoking = chain.RevokeTimeout
)

// Config holds the dependencies of the legacy interface. All of them are required.
type Config struct {
	// AppURL is the public URL of the pages, without a trailing slash.
	AppURL string
	// Auth and Candidate are connections to those services.
	Auth, Candidate grpc.ClientConnInterface
	Admission       admission.Shared
	// Partners limits the requests of each app.
	Partners admission.Partners
	// Log receives the causes that responses do not reveal.
	Log *slog.Logger
}

func (c Config) check() error {
	if c.AppURL == "" || c.Auth == nil || c.Candidate == nil || c.Partners.Windows == nil || c.Log == nil {
		return errors.New("legacy: a dependency is missing")
	}
	return nil
}

type server struct {
	Config
	gate     admission.Gate
	clients  *admission.Clients
	oauth    authv1.OAuthServiceClient
	tokens   authv1.LegacyTokenServiceClient
	profiles candidatev1.LegacyProfileServiceClient
	failures failures
}

// New returns the listener of the legacy interface. It returns an error if a dependency is missing.
func New(c Config) (chain.Listener, error) {
	if err := c.check(); err != nil {
		return chain.Listener{}, err
	}
	gate, err := admission.NewGate(c.Admission)
	if err != nil {
		return chain.Listener{}, err
	}
	// The clients have no tier, because apps have an hourly limit instead.
	clients, err := c.Admission.NewClients(Name, limits.Tier{})
	if err != nil {
		return chain.Listener{}, err
	}
	s := &server{
		Config: c, gate: gate, clients: clients, failures: failures{answer.Errors{Log: c.Log}},
		oauth: authv1.NewOAuthServiceClient(c.Auth), tokens: authv1.NewLegacyTokenServiceClient(c.Auth),
		profiles: candidatev1.NewLegacyProfileServiceClient(c.Candidate),
	}
	return chain.Listener{Name: Name, Headers: chain.DataHeaders(), Fail: s.failures.write, Routes: s.table()}, nil
}

func (s *server) table() []chain.Route {
	profile := s.route(http.MethodGet, "/api/oauth/profile", quick, s.bearer(s.profile))
	profile.Reads = "profile"
	return []chain.Route{
		s.route(http.MethodGet, "/oauth/authorize", quick, s.Admission.Authorize().Limit(chain.RefuseLarge(handler(s.authorize)))),
		// This does not call RefuseLarge, so that a request with a body that is too large is also charged to
		// the IP address.
		s.route(http.MethodPost, "/api/oauth/token", revoking, handler(s.token)),
		profile,
		s.route(http.MethodPost, "/api/oauth/revoke", revoking, s.bearer(s.revoke)),
	}
}

func (s *server) route(method, template string, timeout time.Duration, h http.Handler) chain.Route {
	return chain.Route{Method: method, Template: template, Fail: s.failures.write, Timeout: timeout, Handler: h}
}

// bearer requires a live legacy token.
func (s *server) bearer(h handler) http.Handler {
	return s.gate.LegacyToken(s.Partners, chain.RefuseLarge(h))
}

type handler func(http.ResponseWriter, *http.Request) error

func (h handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := h(w, r); err != nil {
		admission.Refuse(w, r, err)
	}
}
