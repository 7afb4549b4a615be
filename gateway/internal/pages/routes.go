package pages

import (
	"net/http"
	"slices"
	"time"

	"vitae.internal/gateway/internal/authorization"
	"vitae.internal/gateway/internal/pages/account"
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
	oauth, connections := authv1.NewOAuthServiceClient(cfg.Auth), authv1.NewConnectionServiceClient(cfg.Auth)
	profiles := candidatev1.NewProfileServiceClient(cfg.Candidate)
	start := home{sh, profiles}
	forms := credential.New(sh, cfg.Auth, cfg.ClientIP, cfg.Clock, cfg.AppURL)
	consent := consentPages{
		site: sh, oauth: oauth, connections: connections, profiles: profiles,
		issuer: cfg.BaseURL, limit: cfg.Authorize, shown: cfg.Shown, clock: cfg.Clock, log: cfg.Log,
	}
	preview := previewPages{sh, oauth, previews, cfg.Clock}
	apps := connectionPages{sh, connections, profiles, cfg.Shown, cfg.Clock}
	write := editorPages{
		sh, candidatev1.NewEditorServiceClient(cfg.Candidate), profiles, connections, func() string { return cfg.Clock.Now().UTC().Format(time.DateOnly) }, newTurns(), picture.NewEncoderWithin(photoMemory), cfg.AppURL,
	}
	documents := documentPages{sh, candidatev1.NewDocumentServiceClient(cfg.Candidate), cfg.OwnPDF}
	logos := logoPages{authv1.NewAppLogoServiceClient(cfg.Auth)}

	return slices.Concat(documentation, public.Routes(sh, cfg.Candidate, cfg.AppURL, cfg.Shown.PublicPDF), entry.Routes(forms, cfg.Auth), account.Routes(forms, account.Config{Auth: cfg.Auth, Candidate: cfg.Candidate, ConsoleURL: cfg.ConsoleURL, Log: cfg.Log}), apps.routes(), write.routes(cfg, consent), documents.routes(), []shell.Route{
		{Route: web.Route{Path: "/{$}", Get: sh.Limited(start.show)}},
		{Route: web.Route{Path: "/.well-known/security.txt", Get: func(w http.ResponseWriter, r *http.Request) error {
			w.Header().Del("Vary")
			cfg.Security.ServeHTTP(w, r)
			return nil
		}}},

		{Route: web.Route{Path: shell.ConsentPath, Get: consent.form, Post: sh.Own(consent.decide), Platform: true}, Return: shell.Itself},
		{Route: web.Route{Path: shell.LegacyConsentPath, Get: consent.form, Post: sh.Own(consent.decide), Platform: true}, Return: shell.Itself},

		{Route: web.Route{Path: authorization.PreviewPath + "{token}", Get: sh.Limited(preview.show), Platform: true}},

		{Route: web.Route{Path: shell.LogosPath + "{app}/{version}", Get: sh.Limited(logos.show)}},
	}), nil
}

// routes are the pages of connected apps.
func (p connectionPages) routes() []shell.Route {
	own := p.site.Own
	return []shell.Route{
		{Route: web.Route{Path: shell.ConnectionsPath, Get: own(p.list)}, Return: shell.Itself},
		{Route: web.Route{Path: shell.ConnectionsPath + "/{id}/cv", Post: own(p.changeCV)}},
		{Route: web.Route{Path: shell.ConnectionsPath + "/{id}/sharing", Post: own(p.change(changeSharing))}},
		{Route: web.Route{Path: shell.ConnectionsPath + "/{id}/email", Post: own(p.change(changeEmail))}},
		{Route: web.Route{Path: shell.ConnectionsPath + "/{id}/photo", Post: own(p.change(changePhoto))}},
		{Route: web.Route{Path: shell.ConnectionsPath + "/{id}/contact", Post: own(p.change(changeContact))}},
		{Route: web.Route{Path: shell.ConnectionsPath + "/{id}/pause", Post: own(p.change(changePause))}},
		{Route: web.Route{Path: shell.ConnectionsPath + "/{id}/end", Post: own(p.setEnd)}},
		{Route: web.Route{Path: shell.ConnectionsPath + "/{id}/end-older", Post: own(p.endOlder)}},
		{Route: web.Route{Path: shell.ConnectionsPath + "/{id}/reads", Get: own(p.reads)}},
		{Route: web.Route{Path: shell.ConnectionsPath + "/{id}/receives", Get: own(p.receives), Platform: true}},
		{Route: web.Route{Path: shell.ConnectionsPath + "/{id}/receives/cv.pdf", Get: own(p.receivesPDF), Platform: true}},
		{Route: web.Route{Path: shell.ConnectionsPath + "/{id}/disconnect", Get: own(p.askDisconnect), Post: own(p.disconnect)}},
	}
}
