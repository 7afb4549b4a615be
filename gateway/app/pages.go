package app

import (
	"net/http"
	"time"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/sessionrecord"

	"vitae.internal/gateway/internal/api/openapi"
	"vitae.internal/gateway/internal/chain"
	"vitae.internal/gateway/internal/pages"
)

// pageTimeout is how long a page may take. With Redis down, disconnecting an app
// answers only when no record of its tokens can be left.
const pageTimeout = sessionrecord.WaitOut + 5*time.Second

// newPages makes the handler of the pages' listener, behind the same chain as the
// REST edge; the pages set their own headers.
func (g *Gateway) newPages() (http.Handler, error) {
	document, err := openapi.Handler(g.cfg.BaseURL, g.cfg.AppURL)
	if err != nil {
		return nil, err
	}
	p, err := pages.New(pages.Config{
		Sessions:    authv1.NewSessionServiceClient(g.parts.auth),
		OAuth:       authv1.NewOAuthServiceClient(g.parts.auth),
		Connections: authv1.NewConnectionServiceClient(g.parts.auth),
		Profiles:    candidatev1.NewProfileServiceClient(g.parts.candidate),
		BaseURL:     g.cfg.BaseURL,
		AppURL:      g.cfg.AppURL,
		LegacyURL:   g.cfg.LegacyBaseURL,
		Document:    document,
		CookieKey:   g.cfg.CookieKey.secret,
		ClientIP:    chain.ClientIP,
		Log:         g.log,
		Clock:       clock.System{},
		PlatformOff: !bool(g.cfg.DeveloperPlatform),
	})
	if err != nil {
		return nil, err
	}
	outer := chain.Outer{Listener: "pages", Log: g.log, Proxies: g.cfg.TrustedProxies, Fail: p.Fail, MaxInFlight: g.cfg.MaxInFlight}
	return outer.Wrap(chain.LimitBody(chain.RefuseLarge(chain.Deadline(pageTimeout, named(p))))), nil
}

// named tells logs and metrics which of its routes the pages' mux has taken.
func named(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			if r.Pattern != "" {
				chain.ExchangeOf(r.Context()).Route = r.Pattern
			}
		}()
		next.ServeHTTP(w, r)
	})
}
