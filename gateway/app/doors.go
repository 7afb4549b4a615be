package app

import (
	"net"
	"net/http"
	"strings"
	"time"

	"vitae.internal/gateway/internal/admission"
	"vitae.internal/gateway/internal/api"
	"vitae.internal/gateway/internal/api/openapi"
	"vitae.internal/gateway/internal/chain"
	"vitae.internal/gateway/internal/legacy"
	"vitae.internal/gateway/internal/pages"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/sessionrecord"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// door is a row of the table of doors.
type door struct {
	// addr is where the door listens, url its public address, variable the environment
	// variable of url.
	addr, url, variable string
	// make builds the door.
	make func(*Gateway) (chain.Door, error)
}

// doors lists all interfaces of the gateway, each with a listener of its own. A new
// interface is a row here and a package.
func (c Config) doors() []door {
	return []door{
		{c.PublicAddr, c.BaseURL, "VITAE_BASE_URL", (*Gateway).newAPI},
		{c.AppAddr, c.AppURL, "VITAE_APP_URL", (*Gateway).newPages},
		{c.LegacyAddr, c.LegacyBaseURL, "VITAE_LEGACY_BASE_URL", (*Gateway).newLegacy},
	}
}

// listener is a door that was built, with its address.
type listener struct {
	name, addr string
	handler    http.Handler
	// readable answers requests that net/http cannot read in the shape of the door.
	readable func(net.Listener) net.Listener
}

// open builds every door, in the same chain.
func (g *Gateway) open() ([]listener, error) {
	shared := chain.Config{
		Log: g.log, Proxies: g.cfg.TrustedProxies, Usage: g.usage,
		PlatformOn: bool(g.cfg.DeveloperPlatform), MaxInFlight: g.cfg.MaxInFlight,
	}
	var open []listener
	for _, row := range g.cfg.doors() {
		made, err := row.make(g)
		if err != nil {
			return nil, err
		}
		made.Headers = withHSTS(made.Headers, row.url)
		handler, err := chain.New(shared, made)
		if err != nil {
			return nil, err
		}
		open = append(open, listener{
			name: made.Name, addr: row.addr, handler: handler,
			readable: func(l net.Listener) net.Listener { return chain.Unreadable(l, shared, made) },
		})
	}
	return open, nil
}

// withHSTS adds the header by which browsers never again use http for an address
// that is https (RFC 6797).
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

func (g *Gateway) newAPI() (chain.Door, error) {
	door, err := api.New(api.Config{
		BaseURL: g.cfg.BaseURL, AppURL: g.cfg.AppURL,
		Auth: g.parts.auth, Candidate: g.parts.candidate, Partnercatalog: g.parts.partnercatalog, Cvrender: g.parts.cvrender,
		Verifier: g.admission.verifier, Limiter: g.admission.limiter, Tiers: g.admission.tiers, Links: g.admission.links, Photos: g.admission.photos,
		Log: g.log,
	})
	return g.withSecurityText(door), err
}

func (g *Gateway) newLegacy() (chain.Door, error) {
	door, err := legacy.New(legacy.Config{
		AppURL: g.cfg.AppURL,
		Auth:   g.parts.auth, Candidate: g.parts.candidate,
		Verifier: g.admission.verifier, Links: g.admission.links, Photos: g.admission.photos,
		Partners: admission.Partners{
			Windows: g.admission.limiter, Rate: g.cfg.LegacyTier, Lifted: !bool(g.cfg.SurfaceTiers),
		},
		Forms:     admission.Surface{Name: api.FormSurface, Tier: g.admission.tiers.OAuth, Limiter: g.admission.limiter},
		Authorize: g.admission.authorize(),
		MadeUp:    admission.MadeUp(g.admission.tiers, g.admission.limiter),
		Log:       g.log,
	})
	return g.withSecurityText(door), err
}

// pageTimeout is how long a page may take. If Redis is down, disconnecting an app
// answers only after every session record of its tokens has expired
// (behaviour: tokens#a-revoke-waits-for-redis).
const pageTimeout = sessionrecord.WaitOut + 5*time.Second

func (g *Gateway) newPages() (chain.Door, error) {
	document, err := openapi.Handler(g.cfg.BaseURL, g.cfg.AppURL)
	if err != nil {
		return chain.Door{}, err
	}
	site, err := pages.New(pages.Config{
		Sessions:    authv1.NewSessionServiceClient(g.parts.auth),
		OAuth:       authv1.NewOAuthServiceClient(g.parts.auth),
		Connections: authv1.NewConnectionServiceClient(g.parts.auth),
		Profiles:    candidatev1.NewProfileServiceClient(g.parts.candidate),
		BaseURL:     g.cfg.BaseURL,
		AppURL:      g.cfg.AppURL,
		LegacyURL:   g.cfg.LegacyBaseURL,
		Document:    document,
		Security:    g.securityText(),
		CookieKey:   g.cfg.CookieKey.secret,
		ClientIP:    chain.ClientIP,
		Authorize:   g.admission.authorize().Spend,
		Log:         g.log,
		Clock:       clock.System{},
		PlatformOn:  bool(g.cfg.DeveloperPlatform),
	})
	if err != nil {
		return chain.Door{}, err
	}
	return chain.Door{Name: "pages", Fail: site.Fail, Handler: site, WhilePlatformOff: true, Timeout: pageTimeout}, nil
}
