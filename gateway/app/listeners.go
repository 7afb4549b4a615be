package app

import (
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"

	"vitae.internal/gateway/internal/admission"
	"vitae.internal/gateway/internal/api"
	"vitae.internal/gateway/internal/api/openapi"
	"vitae.internal/gateway/internal/chain"
	"vitae.internal/gateway/internal/console"
	"vitae.internal/gateway/internal/legacy"
	"vitae.internal/gateway/internal/pages"
	"vitae.internal/pkg/clock"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
)

type listener struct {
	// name appears in logs and metrics.
	name string
	// addr is the listen address.
	addr string
	// url is the public URL. variable is the environment variable that sets it.
	url, variable string
	build         func(*Gateway) (chain.Listener, error)
}

// listeners returns the listeners of all interfaces.
func (c Config) listeners() []listener {
	return []listener{
		{name: api.Name, addr: c.PublicAddr, url: c.BaseURL, variable: "VITAE_BASE_URL", build: (*Gateway).newAPI},
		{name: pages.Name, addr: c.AppAddr, url: c.AppURL, variable: "VITAE_APP_URL", build: (*Gateway).newPages},
		{name: legacy.Name, addr: c.LegacyAddr, url: c.LegacyBaseURL, variable: "VITAE_LEGACY_BASE_URL", build: (*Gateway).newLegacy},
		{name: console.Name, addr: c.ConsoleAddr, url: c.ConsoleURL, variable: "VITAE_CONSOLE_URL", build: (*Gateway).newConsole},
	}
}

// built is a listener together with its handler.
type built struct {
	name, addr string
	handler    http.Handler
	// slowest is the longest timeout of any request.
	slowest time.Duration
	// readable wraps the socket with chain.Unreadable.
	readable func(*http.Server, net.Listener) net.Listener
}

// buildListeners builds all listeners.
func (g *Gateway) buildListeners() ([]built, error) {
	shared := chain.Config{
		Log: g.log, Proxies: g.cfg.TrustedProxies, Usage: g.usage,
		PlatformOn: bool(g.cfg.DeveloperPlatform), MaxInFlight: g.cfg.MaxInFlight, Memory: chain.NewMemory(),
	}
	var all []built
	for _, row := range g.cfg.listeners() {
		made, err := row.build(g)
		if err != nil {
			return nil, fmt.Errorf("gateway: %s: %w", row.name, err)
		}
		made.Name = row.name
		if made.Start != nil {
			g.atStart = append(g.atStart, made.Start)
		}
		made.Headers = withHSTS(made.Headers, row.url)
		handler, err := chain.New(shared, made)
		if err != nil {
			return nil, fmt.Errorf("gateway: %s: %w", row.name, err)
		}
		all = append(all, built{
			name: row.name, addr: row.addr, handler: handler, slowest: made.Slowest(),
			readable: func(s *http.Server, l net.Listener) net.Listener { return chain.Unreadable(s, l, shared, made) },
		})
	}
	return all, nil
}

// withHSTS adds Strict-Transport-Security if the public URL is https (RFC 6797).
func withHSTS(headers http.Header, url string) http.Header {
	if !strings.HasPrefix(url, "https://") {
		return headers
	}
	headers = headers.Clone()
	if headers == nil {
		headers = http.Header{}
	}
	headers.Set("Strict-Transport-Security", "max-age=31536000")
	return headers
}

func (g *Gateway) newAPI() (chain.Listener, error) {
	built, err := api.New(api.Config{
		BaseURL: g.cfg.BaseURL, AppURL: g.cfg.AppURL,
		Auth: g.parts.auth, Candidate: g.parts.candidate, Partnercatalog: g.parts.partnercatalog, Cvrender: g.parts.cvrender,
		Admission: g.admission.Shared, Reading: g.admission.reading, Introspected: g.admission.introspected, Log: g.log,
	})
	return g.withSecurityText(built), err
}

func (g *Gateway) newLegacy() (chain.Listener, error) {
	built, err := legacy.New(legacy.Config{
		AppURL: g.cfg.AppURL, Auth: g.parts.auth, Candidate: g.parts.candidate, Admission: g.admission.Shared,
		Partners: admission.Partners{Windows: g.admission.limiter, Rate: g.cfg.LegacyTier, Lifted: !bool(g.cfg.SurfaceTiers)},
		Log:      g.log,
	})
	return g.withSecurityText(built), err
}

func (g *Gateway) newPages() (chain.Listener, error) {
	specification, err := openapi.For(g.cfg.BaseURL, g.cfg.AppURL)
	if err != nil {
		return chain.Listener{}, err
	}
	shown, err := api.NewShown(api.ShownConfig{Candidate: g.parts.candidate, Cvrender: g.parts.cvrender, Log: g.log})
	if err != nil {
		return chain.Listener{}, err
	}
	older, err := legacy.NewShown(g.parts.candidate, g.log)
	if err != nil {
		return chain.Listener{}, err
	}
	return pages.New(pages.Config{
		Auth: g.parts.auth, Candidate: g.parts.candidate,
		Shown: pages.Shown{
			Me: shown.Me, CV: shown.CV, PDF: shown.PDF, Legacy: older, PublicPDF: shown.PublicPDF,
			Sign: func(p *identityv1.Principal) *identityv1.Principal {
				return admission.Signed(p, g.admission.Addresses)
			},
		},
		OwnPDF:  shown.Own.Serve,
		BaseURL: g.cfg.BaseURL, AppURL: g.cfg.AppURL, LegacyURL: g.cfg.LegacyBaseURL, ConsoleURL: g.cfg.ConsoleURL, ProfileURL: g.cfg.ProfileURL,
		Document: openapi.Serve(specification), Specification: specification, Security: g.securityText(),
		CookieKeys: g.rings.cookies, ClientIP: chain.ClientIP, Authorize: g.admission.Authorize().Charge,
		Page:       g.admission.Pages().Charge,
		PlatformOn: bool(g.cfg.DeveloperPlatform), Log: g.log, Clock: clock.System{},
	})
}

func (g *Gateway) newConsole() (chain.Listener, error) {
	return console.New(console.Config{
		Auth: g.parts.auth, Candidate: g.parts.candidate,
		BaseURL: g.cfg.BaseURL, AppURL: g.cfg.AppURL, URL: g.cfg.ConsoleURL,
		CookieKeys: g.rings.cookies, PlatformOn: bool(g.cfg.DeveloperPlatform), Log: g.log, Clock: clock.System{},
		Security: g.securityText(),
		Page:     g.admission.ConsolePages().Charge,
		Limits:   consoleLimits{g.admission},
	})
}
