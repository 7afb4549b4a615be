package pages

import (
	"net/http"
	"slices"
	"time"

	"vitae.internal/gateway/internal/authorization"
	"vitae.internal/gateway/internal/pages/account"
	"vitae.internal/gateway/internal/pages/connections"
	"vitae.internal/gateway/internal/pages/credential"
	"vitae.internal/gateway/internal/pages/docs"
	"vitae.internal/gateway/internal/pages/docs/guides"
	"vitae.internal/gateway/internal/pages/entry"
	"vitae.internal/gateway/internal/pages/public"
	"vitae.internal/gateway/internal/pages/shell"
	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/picture"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// routes are all pages (behaviour: pages#addresses). The kit adds /static/{file} and
// /favicon.ico.
func routes(cfg Config, sh *shell.Shell) ([]shell.Route, error) {
	previews, err := authorization.NewPreviews(cfg.CookieKeys, cfg.Clock)
	if err != nil {
		return nil, err
	}
	documentation, err := docs.Routes(sh, docs.Config{
		Addresses: guides.Addresses{Base: cfg.BaseURL, App: cfg.AppURL, Legacy: cfg.LegacyURL, Console: cfg.ConsoleURL},
		OpenAPI:   cfg.Document, Specification: cfg.Specification,
	})
	if err != nil {
		return nil, err
	}
	oauth, connected := authv1.NewOAuthServiceClient(cfg.Auth), authv1.NewConnectionServiceClient(cfg.Auth)
	profiles := candidatev1.NewProfileServiceClient(cfg.Candidate)
	start := home{sh, profiles}
	forms := credential.New(sh, cfg.Auth, cfg.ClientIP, cfg.Clock, cfg.AppURL)
	consent := consentPages{
		site: sh, oauth: oauth, connections: connected, profiles: profiles,
		issuer: cfg.BaseURL, limit: cfg.Authorize, shown: cfg.Shown, clock: cfg.Clock, log: cfg.Log,
	}
	preview := previewPages{sh, oauth, previews, cfg.Clock}
	write := editorPages{
		sh, candidatev1.NewEditorServiceClient(cfg.Candidate), profiles, connected, func() string { return cfg.Clock.Now().UTC().Format(time.DateOnly) }, newTurns(), picture.NewEncoderWithin(photoMemory), cfg.AppURL,
	}
	documents := documentPages{sh, candidatev1.NewDocumentServiceClient(cfg.Candidate), cfg.OwnPDF}

	return slices.Concat(documentation, public.Routes(sh, cfg.Candidate, cfg.AppURL, cfg.Shown.PublicPDF), entry.Routes(forms, cfg.Auth), account.Routes(forms, account.Config{Auth: cfg.Auth, Candidate: cfg.Candidate, ConsoleURL: cfg.ConsoleURL, Log: cfg.Log}), connections.Routes(sh, connections.Config{Auth: cfg.Auth, Candidate: cfg.Candidate, Shown: cfg.Shown, Clock: cfg.Clock}), write.routes(cfg, consent), documents.routes(), []shell.Route{
		{Route: web.Route{Path: "/{$}", Get: sh.Limited(start.show)}},
		{Route: web.Route{Path: "/.well-known/security.txt", Get: func(w http.ResponseWriter, r *http.Request) error {
			w.Header().Del("Vary")
			cfg.Security.ServeHTTP(w, r)
			return nil
		}}},

		{Route: web.Route{Path: shell.ConsentPath, Get: consent.form, Post: sh.Own(consent.decide), Platform: true}, Return: shell.Itself},
		{Route: web.Route{Path: shell.LegacyConsentPath, Get: consent.form, Post: sh.Own(consent.decide), Platform: true}, Return: shell.Itself},

		{Route: web.Route{Path: authorization.PreviewPath + "{token}", Get: sh.Limited(preview.show), Platform: true}},
	}), nil
}
