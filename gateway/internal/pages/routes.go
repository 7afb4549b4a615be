package pages

import (
	"net/http"
	"slices"
	"time"

	"vitae.internal/gateway/internal/authorization"
	"vitae.internal/gateway/internal/pages/guides"
	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/picture"
	"vitae.internal/pkg/relyingparty"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// routes are all pages (behaviour: pages#addresses). The kit adds /static/{file} and
// /favicon.ico.
func routes(cfg Config, site *web.Site, documentation documentation, previews authorization.Previews) []web.Route {
	people := authv1.NewSessionServiceClient(cfg.Auth)
	oauth, connections := authv1.NewOAuthServiceClient(cfg.Auth), authv1.NewConnectionServiceClient(cfg.Auth)
	profiles := candidatev1.NewProfileServiceClient(cfg.Candidate)
	sessions := web.NewSessions(site, resolver{people})
	start := home{site, sessions, profiles}
	party, _ := relyingparty.Of(cfg.AppURL) // without a name there are no passkeys
	entry := signIn{site, sessions, people, oauth, cfg.ClientIP, cfg.Page, cfg.Clock, cfg.Log, authv1.NewPasskeyServiceClient(cfg.Auth), party}
	consent := consentPages{
		site: site, sessions: sessions, oauth: oauth, connections: connections, profiles: profiles,
		issuer: cfg.BaseURL, limit: cfg.Authorize, shown: cfg.Shown, clock: cfg.Clock, log: cfg.Log,
	}
	preview := previewPages{site, oauth, previews, cfg.Clock}
	apps := connectionPages{site, connections, profiles, cfg.Shown, cfg.Clock}
	public := publicPages{site, profiles, cfg.AppURL, cfg.Shown.PublicPDF}
	write := editorPages{
		site, candidatev1.NewEditorServiceClient(cfg.Candidate), profiles, connections, func() string { return cfg.Clock.Now().UTC().Format(time.DateOnly) }, newTurns(), picture.NewEncoderWithin(photoMemory), cfg.AppURL,
	}
	documents := documentPages{site, candidatev1.NewDocumentServiceClient(cfg.Candidate), cfg.OwnPDF}
	applied := applicationPages{site, candidatev1.NewApplicantServiceClient(cfg.Candidate)}
	own := func(h ownPage) web.Handler { return cfg.limited(sessions.Required(h)) }

	return slices.Concat(entry.routes(cfg, own), apps.routes(own), write.routes(cfg, consent, own), documents.routes(own), []web.Route{
		{Path: applicationsPath, Get: own(applied.list)},

		{Path: "/{$}", Get: cfg.limited(start.show)},
		{Path: "/.well-known/security.txt", Get: func(w http.ResponseWriter, r *http.Request) error {
			w.Header().Del("Vary")
			cfg.Security.ServeHTTP(w, r)
			return nil
		}},

		{Path: "/docs", Get: documentation.page},
		{Path: documentPath, Get: documentation.document},
		{Path: searchPath, Get: documentation.find},
		{Path: guides.Prefix + "{page...}", Get: documentation.page},

		{Path: authorizePath, Get: consent.form, Post: own(consent.decide), Platform: true},
		{Path: legacyAuthorizePath, Get: consent.form, Post: own(consent.decide), Platform: true},

		{Path: authorization.PreviewPath + "{token}", Get: cfg.limited(preview.show), Platform: true},

		{Path: logosPath + "{app}/{version}", Get: cfg.limited(logoPages{authv1.NewAppLogoServiceClient(cfg.Auth)}.show)},

		{Path: "/p/{username}", Get: cfg.limited(public.profile)},
		{Path: "/p/{username}/cv", Get: cfg.limited(public.cv)},
		{Path: "/p/{username}/cv.pdf", Get: cfg.limited(public.cvPDF)},
		{Path: "/p/{username}/photo", Get: cfg.limited(public.photo)},
	})
}

// ownPage is a page of the person who is signed in.
type ownPage = func(http.ResponseWriter, *http.Request, person) error

// routes are the pages of signing in, of creating an account, and of the account.
func (s signIn) routes(cfg Config, own func(ownPage) web.Handler) []web.Route {
	passwords := authv1.NewPasswordServiceClient(cfg.Auth)
	joining, forgotten := signUp{s, authv1.NewSignUpServiceClient(cfg.Auth)}, reset{s, passwords}
	keys := passkeyPages{s, s.keys, cfg.ConsoleURL}
	account := accountPages{s, passwords, keys}
	data := dataPages{s, authv1.NewPersonDataServiceClient(cfg.Auth), keys, candidatev1.NewPersonDataServiceClient(cfg.Candidate), cfg.ConsoleURL}
	return slices.Concat(data.routes(own), keys.routes(own), []web.Route{
		{Path: signInPath, Get: s.form, Post: s.submit, Anonymous: true},
		{Path: signInStartPath, Post: cfg.limited(s.startPasskey), Anonymous: true},
		{Path: signInPasskeyPath, Post: s.submitPasskey, Anonymous: true},
		{Path: signOutPath, Post: s.signOut},
		{Path: signUpPath, Get: joining.form, Post: cfg.limited(joining.submit), Anonymous: true},
		{Path: signUpSentPath, Get: joining.sent},
		{Path: signUpConfirmPath, Get: cfg.limited(joining.confirm), Post: cfg.limited(joining.complete), Anonymous: true},
		{Path: signUpStartPath, Post: cfg.limited(joining.startPasskey), Anonymous: true},
		{Path: resetPath, Get: forgotten.form, Post: cfg.limited(forgotten.submit), Anonymous: true},
		{Path: resetSentPath, Get: forgotten.sent},
		{Path: resetChoosePath, Get: cfg.limited(forgotten.choose), Post: cfg.limited(forgotten.replace), Anonymous: true},

		{Path: accountPath, Get: own(account.show)},
		{Path: accountLanguagePath, Post: own(account.setLanguage)},
		{Path: accountPasswordPath, Post: own(account.changePassword)},
		{Path: accountSessionsPath, Post: own(account.endAllSessions)},
		{Path: accountSessionPath, Post: own(account.endSession)},
		{Path: activityPath, Get: own(activityPages{s.site, authv1.NewAuditServiceClient(cfg.Auth)}.list)},
	})
}

// routes are the pages of the ways in to an account.
func (p passkeyPages) routes(own func(ownPage) web.Handler) []web.Route {
	sensitive := func(h ownPage) web.Handler { return own(p.proven(h)) }
	return []web.Route{
		{Path: confirmPath, Get: own(p.ask), Post: own(p.prove)},
		{Path: confirmStartPath, Post: own(p.startProof)},
		{Path: passkeyNewPath, Get: sensitive(p.form), Post: sensitive(p.add)},
		{Path: passkeyStartPath, Post: sensitive(p.start)},
		{Path: passkeyRenamePath, Get: own(p.askName), Post: own(p.rename)},
		{Path: passkeyRemovePath, Get: sensitive(p.askRemove), Post: sensitive(p.remove)},
		{Path: passwordRemovePath, Get: sensitive(p.askRemovePassword), Post: sensitive(p.removePassword)},
	}
}

// routes are the pages of connected apps.
func (p connectionPages) routes(own func(ownPage) web.Handler) []web.Route {
	return []web.Route{
		{Path: connectionsPath, Get: own(p.list)},
		{Path: connectionsPath + "/{id}/cv", Post: own(p.changeCV)},
		{Path: connectionsPath + "/{id}/sharing", Post: own(p.change(changeSharing))},
		{Path: connectionsPath + "/{id}/email", Post: own(p.change(changeEmail))},
		{Path: connectionsPath + "/{id}/photo", Post: own(p.change(changePhoto))},
		{Path: connectionsPath + "/{id}/contact", Post: own(p.change(changeContact))},
		{Path: connectionsPath + "/{id}/pause", Post: own(p.change(changePause))},
		{Path: connectionsPath + "/{id}/end", Post: own(p.setEnd)},
		{Path: connectionsPath + "/{id}/end-older", Post: own(p.endOlder)},
		{Path: connectionsPath + "/{id}/reads", Get: own(p.reads)},
		{Path: connectionsPath + "/{id}/receives", Get: own(p.receives), Platform: true},
		{Path: connectionsPath + "/{id}/receives/cv.pdf", Get: own(p.receivesPDF), Platform: true},
		{Path: connectionsPath + "/{id}/disconnect", Get: own(p.askDisconnect), Post: own(p.disconnect)},
	}
}

// limited spends a page of the client's address before the handler asks another part
// (behaviour: limits#pages).
func (c Config) limited(next web.Handler) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if err := c.Page(r); err != nil {
			return err
		}
		return next(w, r)
	}
}
