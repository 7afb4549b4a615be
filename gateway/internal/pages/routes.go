package pages

import (
	"net/http"
	"slices"
	"time"

	"vitae.internal/gateway/internal/authorization"
	"vitae.internal/gateway/internal/pages/docs"
	"vitae.internal/gateway/internal/pages/docs/guides"
	"vitae.internal/gateway/internal/pages/public"
	"vitae.internal/gateway/internal/pages/shell"
	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/picture"
	"vitae.internal/pkg/relyingparty"
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
	party, _ := relyingparty.Of(cfg.AppURL) // without a name there are no passkeys
	entry := signIn{sh, authv1.NewSessionServiceClient(cfg.Auth), oauth, cfg.ClientIP, cfg.Page, cfg.Clock, cfg.Log, authv1.NewPasskeyServiceClient(cfg.Auth), party}
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
	applied := applicationPages{sh, candidatev1.NewApplicantServiceClient(cfg.Candidate)}
	logos := logoPages{authv1.NewAppLogoServiceClient(cfg.Auth)}

	return slices.Concat(documentation, public.Routes(sh, cfg.Candidate, cfg.AppURL, cfg.Shown.PublicPDF), entry.routes(cfg), apps.routes(), write.routes(cfg, consent), documents.routes(), []shell.Route{
		{Route: web.Route{Path: applicationsPath, Get: sh.Own(applied.list)}, Return: shell.Itself},

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

// routes are the pages of signing in, of creating an account, and of the account.
func (s signIn) routes(cfg Config) []shell.Route {
	passwords := authv1.NewPasswordServiceClient(cfg.Auth)
	joining, forgotten := signUp{s, authv1.NewSignUpServiceClient(cfg.Auth)}, reset{s, passwords}
	keys := passkeyPages{s, s.keys, cfg.ConsoleURL}
	account := accountPages{s, passwords, keys}
	data := dataPages{s, authv1.NewPersonDataServiceClient(cfg.Auth), keys, candidatev1.NewPersonDataServiceClient(cfg.Candidate), cfg.ConsoleURL}
	activity := activityPages{s.site, authv1.NewAuditServiceClient(cfg.Auth)}
	own, limited := s.site.Own, s.site.Limited
	toSignIn := func(r *http.Request) string { return shell.SignInTo(s.site.PostedReturn(r)) }
	form := func(r *http.Request) string { return shell.WithReturn(r.URL.Path, s.site.PostedReturn(r)) }
	link := func(r *http.Request) string { return linkTo(r.URL.Path, r.PostForm.Get(tokenField)) }
	return slices.Concat(data.routes(), keys.routes(), []shell.Route{
		{Route: web.Route{Path: shell.SignInPath, Get: s.form, Post: s.submit, Anonymous: true}, Form: toSignIn},
		{Route: web.Route{Path: signInStartPath, Post: limited(s.startPasskey), Anonymous: true}},
		{Route: web.Route{Path: signInPasskeyPath, Post: s.submitPasskey, Anonymous: true}, Form: toSignIn},
		{Route: web.Route{Path: shell.SignOutPath, Post: s.signOut}},
		{Route: web.Route{Path: signUpPath, Get: joining.form, Post: limited(joining.submit), Anonymous: true}, Form: form},
		{Route: web.Route{Path: signUpSentPath, Get: joining.sent}},
		{Route: web.Route{Path: signUpConfirmPath, Get: limited(joining.confirm), Post: limited(joining.complete), Anonymous: true}, Form: link},
		{Route: web.Route{Path: signUpStartPath, Post: limited(joining.startPasskey), Anonymous: true}},
		{Route: web.Route{Path: resetPath, Get: forgotten.form, Post: limited(forgotten.submit), Anonymous: true}, Form: form},
		{Route: web.Route{Path: resetSentPath, Get: forgotten.sent}},
		{Route: web.Route{Path: resetChoosePath, Get: limited(forgotten.choose), Post: limited(forgotten.replace), Anonymous: true}, Form: link},

		{Route: web.Route{Path: shell.AccountPath, Get: own(account.show)}, Return: shell.Itself},
		{Route: web.Route{Path: accountLanguagePath, Post: own(account.setLanguage)}, Return: shell.AccountPath},
		{Route: web.Route{Path: accountPasswordPath, Post: own(account.changePassword)}, Return: shell.AccountPath},
		{Route: web.Route{Path: accountSessionsPath, Post: own(account.endAllSessions)}, Return: shell.AccountPath},
		{Route: web.Route{Path: accountSessionPath, Post: own(account.endSession)}, Return: shell.AccountPath},
		{Route: web.Route{Path: activityPath, Get: own(activity.list)}, Return: activityPath},
	})
}

// routes are the pages of the ways in to an account.
func (p passkeyPages) routes() []shell.Route {
	own := p.entry.site.Own
	sensitive := func(h shell.Page) web.Handler { return own(p.proven(h)) }
	return []shell.Route{
		{Route: web.Route{Path: confirmPath, Get: own(p.ask), Post: own(p.prove)}, Return: shell.AccountPath},
		{Route: web.Route{Path: confirmStartPath, Post: own(p.startProof)}, Return: shell.AccountPath},
		{Route: web.Route{Path: passkeyNewPath, Get: sensitive(p.form), Post: sensitive(p.add)}, Return: shell.AccountPath},
		{Route: web.Route{Path: passkeyStartPath, Post: sensitive(p.start)}, Return: shell.AccountPath},
		{Route: web.Route{Path: passkeyRenamePath, Get: own(p.askName), Post: own(p.rename)}, Return: shell.AccountPath},
		{Route: web.Route{Path: passkeyRemovePath, Get: sensitive(p.askRemove), Post: sensitive(p.remove)}, Return: shell.AccountPath},
		{Route: web.Route{Path: passwordRemovePath, Get: sensitive(p.askRemovePassword), Post: sensitive(p.removePassword)}, Return: shell.AccountPath},
	}
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
