package app

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"vitae.internal/gateway/internal/admission/limits"
	"vitae.internal/gateway/internal/chain"
	"vitae.internal/pkg/keyring"
	"vitae.internal/pkg/redisx"
)

// Config holds the gateway's environment variables, except those for the certificate and the operations
// address, which all services share.
type Config struct {
	BaseURL       string `env:"VITAE_BASE_URL" envDefault:"http://127.0.0.1:8080" help:"Public address of the REST API, without a trailing slash."`
	PublicAddr    string `env:"VITAE_PUBLIC_ADDR" envDefault:"127.0.0.1:8080" help:"Where the REST API listens."`
	AppURL        string `env:"VITAE_APP_URL" envDefault:"http://127.0.0.1:8081" help:"Public address of the pages, without a trailing slash. Passkeys belong to its host name."`
	AppAddr       string `env:"VITAE_APP_ADDR" envDefault:"127.0.0.1:8081" help:"Where the pages listen."`
	LegacyBaseURL string `env:"VITAE_LEGACY_BASE_URL" envDefault:"http://127.0.0.1:8082" help:"Public address of the older interface, without a trailing slash."`
	LegacyAddr    string `env:"VITAE_LEGACY_ADDR" envDefault:"127.0.0.1:8082" help:"Where the older interface listens."`

	ConsoleURL  string `env:"VITAE_CONSOLE_URL" envDefault:"http://127.0.0.1:8083" help:"Public address of the developer console, without a trailing slash."`
	ConsoleAddr string `env:"VITAE_CONSOLE_ADDR" envDefault:"127.0.0.1:8083" help:"Where the developer console listens."`

	ProfileURL string `env:"VITAE_PROFILE_URL" help:"Your own editor of profiles and CVs. Links lead there, and the built-in editor is off."`

	AuthTarget           string `env:"VITAE_AUTH_GRPC_ADDR" envDefault:"127.0.0.1:9101" help:"gRPC target of auth, such as dns:///auth:9101."`
	PartnercatalogTarget string `env:"VITAE_PARTNERCATALOG_GRPC_ADDR" envDefault:"127.0.0.1:9102" help:"gRPC target of partnercatalog."`
	CandidateTarget      string `env:"VITAE_CANDIDATE_GRPC_ADDR" envDefault:"127.0.0.1:9103" help:"gRPC target of candidate."`
	CvrenderTarget       string `env:"VITAE_CVRENDER_GRPC_ADDR" envDefault:"127.0.0.1:9104" help:"gRPC target of cvrender."`

	// PlainHTTP allows public http URLs that are not loopback. The gateway then does not encrypt passwords and
	// tokens.
	PlainHTTP Switch `env:"VITAE_PLAIN_HTTP" envDefault:"off" help:"on allows public http addresses other than loopback. Use it only where the network is encrypted."`

	SecurityContact SecurityContact `env:"VITAE_SECURITY_CONTACT" help:"mailto: or https: address for reports of vulnerabilities, published in security.txt."`

	// Redis stores the session records and the counters for limits.
	Redis redisx.Config

	CVLinkKeys keyring.Ring `env:"VITAE_CV_LINK_KEYS" help:"Ring of keys for durable CV links and photo addresses. Required, and the same on every replica."`
	CookieKeys keyring.Ring `env:"VITAE_COOKIE_KEYS" help:"Ring of keys for forms and cookies of the pages. Required, and the same on every replica."`
	RecordKeys keyring.Ring `env:"VITAE_RECORD_KEYS" help:"Ring of keys for session records. Required, and the same as in auth."`

	DeveloperPlatform Switch      `env:"VITAE_DEVELOPER_PLATFORM" envDefault:"on" help:"off answers every partner with 404 DEVELOPER_PLATFORM_DISABLED."`
	LegacyTier        limits.Rate `env:"VITAE_TIER_LEGACY" envDefault:"100/1h" help:"Requests of each app to the older interface, in a window aligned to its period."`
	SurfaceTiers      Switch      `env:"VITAE_SURFACE_TIERS" envDefault:"on" help:"off lifts all tiers, for benchmarks. Account budgets stay."`
	// Tiers holds the rate limit of each surface.
	Tiers          limits.Tiers
	UsageBuffer    int           `env:"VITAE_USAGE_BUFFER" envDefault:"50000" help:"Entries of the request log that may wait for auth, about 300 bytes each; at least 1000."`
	TrustedProxies chain.Proxies `env:"VITAE_TRUSTED_PROXIES" help:"Networks (CIDR, comma-separated) of proxies whose X-Forwarded-For is trusted."`
	MaxInFlight    int           `env:"VITAE_MAX_IN_FLIGHT" envDefault:"8192" help:"Requests that each listener handles at once. Others get 503 with Retry-After."`
	MaxConnections int           `env:"VITAE_MAX_CONNECTIONS" envDefault:"16384" help:"Connections that each listener keeps open. One client address may have a quarter of them."`
	DrainPause     time.Duration `env:"VITAE_DRAIN_PAUSE" envDefault:"0s" help:"How long the gateway keeps serving after SIGTERM while /readyz reports 503; at most 1m."`
}

// longestPause is the maximum DrainPause. Load balancers stop sending requests much sooner.
const longestPause = time.Minute

// tiers returns the tiers in effect. They are empty if SurfaceTiers is off.
func (c Config) tiers() limits.Tiers {
	if !c.SurfaceTiers {
		return limits.Tiers{}
	}
	return c.Tiers
}

func (c Config) check() error {
	var bounds error
	if c.MaxInFlight < 1 || c.MaxConnections < 1 {
		bounds = errors.New("gateway: VITAE_MAX_IN_FLIGHT and VITAE_MAX_CONNECTIONS must be at least 1")
	}
	var pause error
	if c.DrainPause < 0 || c.DrainPause > longestPause {
		pause = fmt.Errorf("gateway: VITAE_DRAIN_PAUSE must be between 0s and %v", longestPause)
	}
	faults := []error{bounds, pause, c.checkProfileURL()}
	for _, l := range c.listeners() {
		faults = append(faults, checkURL(l.variable, l.url, bool(c.PlainHTTP)))
	}
	return errors.Join(faults...)
}

// checkProfileURL checks the URL of an external profile editor, which may have a path.
func (c Config) checkProfileURL() error {
	u, err := url.Parse(c.ProfileURL)
	if c.ProfileURL == "" || err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.User == nil {
		return nil
	}
	return errors.New("gateway: VITAE_PROFILE_URL must be an http or https URL")
}

// checkURL checks the public URL of a listener. By default, http is allowed only for loopback, because cookies
// then have neither the Secure attribute nor the __Host- prefix.
func checkURL(variable, value string, plainHTTP bool) error {
	u, err := url.Parse(value)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || u.User != nil ||
		u.RawQuery != "" || u.Fragment != "" || strings.HasSuffix(value, "/") {
		return fmt.Errorf("gateway: %s must be an http or https URL without a trailing slash", variable)
	}
	if u.Scheme == "http" && !plainHTTP && !isLoopback(u.Hostname()) {
		return fmt.Errorf("gateway: %s is http at %s, which is not this machine: use https, "+
			"or set VITAE_PLAIN_HTTP=on if the network itself is encrypted", variable, u.Hostname())
	}
	return nil
}

func isLoopback(host string) bool {
	address, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && address.IsLoopback()
}

// rings holds the gateway's signing keys.
type rings struct{ links, cookies, records keyring.Ring }

func (c Config) rings() (r rings, err error) {
	var links, cookies, records error
	r.links, links = c.CVLinkKeys.Named("cv_link")
	r.cookies, cookies = c.CookieKeys.Named("cookie")
	r.records, records = c.RecordKeys.Named("record")
	if err := errors.Join(links, cookies, records); err != nil {
		return r, fmt.Errorf("gateway: %w", err)
	}
	return r, nil
}

// Switch is a setting that is "on" or "off".
type Switch bool

// UnmarshalText parses "on" or "off".
func (s *Switch) UnmarshalText(text []byte) error {
	switch string(text) {
	case "on":
		*s = true
	case "off":
		*s = false
	default:
		return errors.New(`the value is neither "on" nor "off"`)
	}
	return nil
}
