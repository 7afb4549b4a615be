package pages

import (
	"net/http"
	"slices"

	"vitae.internal/gateway/internal/pages/account"
	"vitae.internal/gateway/internal/pages/connections"
	"vitae.internal/gateway/internal/pages/consent"
	"vitae.internal/gateway/internal/pages/credential"
	"vitae.internal/gateway/internal/pages/docs"
	"vitae.internal/gateway/internal/pages/docs/guides"
	"vitae.internal/gateway/internal/pages/entry"
	"vitae.internal/gateway/internal/pages/profile"
	"vitae.internal/gateway/internal/pages/public"
	"vitae.internal/gateway/internal/pages/shell"
	"vitae.internal/gateway/internal/web"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// routes returns the routes of all pages (behaviour: pages#addresses). Package web adds
// /static/{file} and /favicon.ico.
func routes(cfg Config, sh *shell.Shell) ([]shell.Route, error) {
	documentation, err := docs.Routes(sh, docs.Config{
		Addresses: guides.Addresses{Base: cfg.BaseURL, App: cfg.AppURL, Legacy: cfg.LegacyURL, Console: cfg.ConsoleURL},
		OpenAPI:   cfg.Document, Specification: cfg.Specification,
	})
	if err != nil {
		return nil, err
	}
	asking := consent.New(sh, consent.Config{
		Auth: cfg.Auth, Candidate: cfg.Candidate, Issuer: cfg.BaseURL, Charge: cfg.Authorize, Shown: cfg.Shown, CookieKeys: cfg.CookieKeys, Clock: cfg.Clock, Log: cfg.Log,
	})
	decisions, err := asking.Routes()
	if err != nil {
		return nil, err
	}
	forms := credential.New(sh, cfg.Auth, cfg.ClientIP, cfg.Clock, cfg.AppURL)
	start := home{sh, candidatev1.NewProfileServiceClient(cfg.Candidate)}
	return slices.Concat(
		entry.Routes(forms, cfg.Auth, cfg.Candidate, cfg.Log),
		decisions,
		connections.Routes(sh, connections.Config{Auth: cfg.Auth, Candidate: cfg.Candidate, Shown: cfg.Shown, Clock: cfg.Clock}),
		profile.Routes(sh, cfg.profile(asking.Remembers)),
		account.Routes(forms, account.Config{Auth: cfg.Auth, Candidate: cfg.Candidate, ConsoleURL: cfg.ConsoleURL, Log: cfg.Log}),
		public.Routes(sh, cfg.Candidate, cfg.AppURL, cfg.Shown.PublicPDF),
		documentation,
		shell.To("", []web.Route{
			{Path: "/{$}", Get: sh.Limited(start.show)},
			{Path: "/.well-known/security.txt", Get: func(w http.ResponseWriter, r *http.Request) error {
				w.Header().Del("Vary")
				cfg.Security.ServeHTTP(w, r)
				return nil
			}},
		}),
	), nil
}

func (c Config) profile(remembers func(shell.Page) shell.Page) profile.Config {
	return profile.Config{
		Auth: c.Auth, Candidate: c.Candidate, AppURL: c.AppURL, ExternalURL: c.ProfileURL, PDF: c.OwnPDF, Clock: c.Clock, Remembers: remembers,
	}
}
