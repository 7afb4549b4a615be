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

// Config is the environment of the gateway. cmd/gateway reads the certificate and
// the address for operations, as for every part.
type Config struct {
	// BaseURL is the public address of the REST API; no trailing slash.
	BaseURL string `env:"VITAE_BASE_URL" envDefault:"http://127.0.0.1:8080"`
	// PublicAddr is where the REST API listens.
	PublicAddr string `env:"VITAE_PUBLIC_ADDR" envDefault:"127.0.0.1:8080"`
	// AppURL is the public address of the pages; no trailing slash.
	AppURL string `env:"VITAE_APP_URL" envDefault:"http://127.0.0.1:8081"`
	// AppAddr is where the pages listen.
	AppAddr string `env:"VITAE_APP_ADDR" envDefault:"127.0.0.1:8081"`
	// LegacyBaseURL is the public address of the legacy interface; no trailing slash.
	LegacyBaseURL string `env:"VITAE_LEGACY_BASE_URL" envDefault:"http://127.0.0.1:8082"`
	// LegacyAddr is where the legacy interface listens.
	LegacyAddr string `env:"VITAE_LEGACY_ADDR" envDefault:"127.0.0.1:8082"`

	// ConsoleURL is the public address of the developer console; no trailing slash.
	ConsoleURL string `env:"VITAE_CONSOLE_URL" envDefault:"http://127.0.0.1:8083"`
	// ConsoleAddr is where the console listens.
	ConsoleAddr string `env:"VITAE_CONSOLE_ADDR" envDefault:"127.0.0.1:8083"`

	// ProfileURL is the host's own editor of profiles and CVs. With it the pages lead there
	// and have none.
	ProfileURL string `env:"VITAE_PROFILE_URL"`

	// gRPC targets of the parts, for example dns:///auth:9101.
	AuthTarget           string `env:"VITAE_AUTH_GRPC_ADDR" envDefault:"127.0.0.1:9101"`
	PartnercatalogTarget string `env:"VITAE_PARTNERCATALOG_GRPC_ADDR" envDefault:"127.0.0.1:9102"`
	CandidateTarget      string `env:"VITAE_CANDIDATE_GRPC_ADDR" envDefault:"127.0.0.1:9103"`
	CvrenderTarget       string `env:"VITAE_CVRENDER_GRPC_ADDR" envDefault:"127.0.0.1:9104"`

	// PlainHTTP is "on" where public addresses off the machine may be http. Passwords and
	// tokens then cross the network as they are, unless something else encrypts it.
	PlainHTTP Switch `env:"VITAE_PLAIN_HTTP" envDefault:"off"`

	// SecurityContact is where weaknesses are reported (security.txt).
	SecurityContact SecurityContact `env:"VITAE_SECURITY_CONTACT"`

	// Redis has the session records and the counters of the limits.
	Redis redisx.Config

	// CVLinkKeys sign durable CV links and the addresses of photos. All replicas share
	// them. A key that is taken away ends what it has signed.
	CVLinkKeys keyring.Ring `env:"VITAE_CV_LINK_KEYS"`
	// CVLinkKey is a ring of one key, as releases before this one had it.
	CVLinkKey keyring.Single `env:"VITAE_CV_LINK_KEY"`
	// CookieKeys sign forms and cookies of the pages. All replicas share them.
	CookieKeys keyring.Ring `env:"VITAE_COOKIE_KEYS"`
	// CookieKey is a ring of one key, as releases before this one had it.
	CookieKey keyring.Single `env:"VITAE_COOKIE_KEY"`
	// RecordKeys tell the session records that auth has written, which signs with the
	// same ring.
	RecordKeys keyring.Ring `env:"VITAE_RECORD_KEYS"`

	// DeveloperPlatform closes everything for partners when it is "off".
	DeveloperPlatform Switch `env:"VITAE_DEVELOPER_PLATFORM" envDefault:"on"`
	// LegacyTier limits each app at the legacy interface.
	LegacyTier limits.Rate `env:"VITAE_TIER_LEGACY" envDefault:"100/1h"`
	// SurfaceTiers lifts all tiers when it is "off"; account budgets stay.
	SurfaceTiers Switch `env:"VITAE_SURFACE_TIERS" envDefault:"on"`
	// Tiers are the limits of the surfaces.
	Tiers limits.Tiers
	// UsageBuffer is how many entries of the request log may wait for auth, at about
	// 300 bytes each. The least is 1000.
	UsageBuffer int `env:"VITAE_USAGE_BUFFER" envDefault:"50000"`
	// TrustedProxies are the networks whose X-Forwarded-For is believed.
	TrustedProxies chain.Proxies `env:"VITAE_TRUSTED_PROXIES"`
	// MaxInFlight is how many requests a listener serves at a time. More get 503.
	MaxInFlight int `env:"VITAE_MAX_IN_FLIGHT" envDefault:"8192"`
	// MaxConnections is how many connections a listener holds at a time, and an address a
	// quarter of them.
	MaxConnections int `env:"VITAE_MAX_CONNECTIONS" envDefault:"16384"`
	// DrainPause is how long the gateway serves on after the signal to stop, unready
	// already, so that whoever balances it has time to send requests elsewhere.
	DrainPause time.Duration `env:"VITAE_DRAIN_PAUSE" envDefault:"0s"`
}

// longestPause is a bound of DrainPause: a deployment that waits longer waits for nothing.
const longestPause = time.Minute

// tiers are the tiers in force.
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
	for _, d := range c.doors() {
		faults = append(faults, checkURL(d.variable, d.url, bool(c.PlainHTTP)))
	}
	return errors.Join(faults...)
}

// checkProfileURL checks the address of the host's own editor. It may be a path anywhere.
func (c Config) checkProfileURL() error {
	u, err := url.Parse(c.ProfileURL)
	if c.ProfileURL == "" || err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.User == nil {
		return nil
	}
	return errors.New("gateway: VITAE_PROFILE_URL must be an http or https URL")
}

// checkURL checks the public address of a door. An http address makes the cookies of
// the pages travel without Secure and __Host-, so it is taken for this machine alone.
func checkURL(variable, value string, plainHTTP bool) error {
	u, err := url.Parse(value)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || u.User != nil ||
		u.RawQuery != "" || u.Fragment != "" || strings.HasSuffix(value, "/") {
		return fmt.Errorf("gateway: %s must be an http or https URL without a trailing slash", variable)
	}
	if u.Scheme == "http" && !plainHTTP && !isLoopback(u.Hostname()) {
		return fmt.Errorf("gateway: %s is http at %s, off this machine: make it https, "+
			"or set VITAE_PLAIN_HTTP=on if the network itself is encrypted", variable, u.Hostname())
	}
	return nil
}

func isLoopback(host string) bool {
	address, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && address.IsLoopback()
}

// rings are the keys that the gateway signs and verifies with.
type rings struct{ links, cookies, records keyring.Ring }

func (c Config) rings() (r rings, err error) {
	var links, cookies, records error
	r.links, links = keyring.Choose("cv_link", c.CVLinkKeys, c.CVLinkKey)
	r.cookies, cookies = keyring.Choose("cookie", c.CookieKeys, c.CookieKey)
	r.records, records = c.RecordKeys.Named("record")
	if err := errors.Join(links, cookies, records); err != nil {
		return r, fmt.Errorf("gateway: %w", err)
	}
	return r, nil
}

// Switch is "on" or "off".
type Switch bool

// UnmarshalText reads a switch.
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
