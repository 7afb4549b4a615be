package app

import (
	"net/http"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"

	"vitae.internal/gateway/internal/admission"
	"vitae.internal/gateway/internal/api"
	"vitae.internal/gateway/internal/legacy"
)

// newLegacy makes the handler of the older interface's listener, behind the same
// chain as the REST edge.
func (g *Gateway) newLegacy() (http.Handler, error) {
	return legacy.New(legacy.Config{
		AppURL:     g.cfg.AppURL,
		PlatformOn: bool(g.cfg.DeveloperPlatform),
		Proxies:    g.cfg.TrustedProxies,
		OAuth:      authv1.NewOAuthServiceClient(g.parts.auth),
		Tokens:     authv1.NewLegacyTokenServiceClient(g.parts.auth),
		Profiles:   candidatev1.NewLegacyProfileServiceClient(g.parts.candidate),
		Verifier:   g.admits.verifier,
		Links:      g.admits.links,
		Partners: admission.Partners{
			Windows: g.admits.limiter, Rate: g.cfg.LegacyTier, Lifted: !bool(g.cfg.SurfaceTiers),
		},
		Forms:       admission.Surface{Name: api.FormSurface, Tier: g.admits.tiers.OAuth, Limiter: g.admits.limiter},
		Usage:       g.usage,
		Log:         g.log,
		MaxInFlight: g.cfg.MaxInFlight,
	})
}
