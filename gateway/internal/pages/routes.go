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
)

// routes are all pages (behaviour: pages#addresses). The kit adds /static/{file} and
// /favicon.ico.
func routes(cfg Config, p parts, site *web.Site, documentation documentation, previews authorization.Previews) []web.Route {
	sessions := web.NewSessions(site, people{p.sessions})
	start := home{site, sessions, p.profiles}
	party, _ := relyingparty.Of(cfg.AppURL) // without a name there are no passkeys
	entry := signIn{site, sessions, p.sessions, p.oauth, cfg.ClientIP, cfg.Page, cfg.Clock, cfg.Log, p.passkeys, party}
	consent := consentPages{
		site: site, sessions: sessions, oauth: p.oauth, connections: p.connections, profiles: p.profiles,
		issuer: cfg.BaseURL, limit: cfg.Authorize, shown: cfg.Shown, clock: cfg.Clock, log: cfg.Log,
	}
	preview := previewPages{site, p.oauth, previews, cfg.Clock}
	apps := connectionPages{site, p.connections, p.profiles, cfg.Shown, cfg.Clock}
	public := publicPages{site, p.profiles, cfg.AppURL, cfg.Shown.PublicPDF}
	write := editorPages{
		site, p.editor, p.profiles, p.connections, func() string { return cfg.Clock.Now().UTC().Format(time.DateOnly) }, newTurns(), picture.NewEncoderWithin(photoMemory), cfg.AppURL,
	}
	documents := documentPages{site, p.documents, cfg.OwnPDF}
	applied := applicationPages{site, p.applicants}
	own := func(h ownPage) web.Handler { return cfg.limited(sessions.Required(h)) }

	return slices.Concat(entry.routes(cfg, p, own), apps.routes(own), write.routes(cfg, consent, own), documents.routes(own), []web.Route{
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

		{Path: logosPath + "{app}/{version}", Get: cfg.limited(logoPages{p.logos}.show)},

		{Path: "/p/{username}", Get: cfg.limited(public.profile)},
		{Path: "/p/{username}/cv", Get: cfg.limited(public.cv)},
		{Path: "/p/{username}/cv.pdf", Get: cfg.limited(public.cvPDF)},
		{Path: "/p/{username}/photo", Get: cfg.limited(public.photo)},
	})
}

// ownPage is a page of the person who is signed in.
type ownPage = func(http.ResponseWriter, *http.Request, person) error

// routes are the pages of signing in, of creating an account, and of the account.
func (s signIn) routes(cfg Config, p parts, own func(ownPage) web.Handler) []web.Route {
	joining, forgotten := signUp{s, p.signUps}, reset{s, p.passwords}
	keys := passkeyPages{s, p.passkeys, cfg.ConsoleURL}
	account := accountPages{s, p.passwords, keys}
	data := dataPages{s, p.data, keys, p.exports, cfg.ConsoleURL}
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
		{Path: activityPath, Get: own(activityPages{s.site, p.activity}.list)},
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
