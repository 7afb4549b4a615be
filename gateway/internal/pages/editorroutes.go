package pages

import (
	"net/http"

	"vitae.internal/gateway/internal/web"
)

// routes are the pages of the editor. Where the host has an editor of its own, its address is
// all that is left of them (behaviour: profiles#external-editor).
func (p editorPages) routes(cfg Config, consent consentPages, own func(ownPage) web.Handler) []web.Route {
	if cfg.ProfileURL != "" {
		elsewhere := func(w http.ResponseWriter, _ *http.Request) error {
			web.SeeOther(w, cfg.ProfileURL)
			return nil
		}
		return []web.Route{{Path: profilePath, Get: elsewhere}, {Path: cvsPath, Get: elsewhere}}
	}
	return []web.Route{
		{Path: profilePath, Get: own(consent.remembers(p.show)), Post: own(p.save), MaxForm: maxEditorForm},
		{Path: profilePath + "/preview", Get: own(p.preview)},
		{Path: profilePath + "/photo", Get: own(p.showPhoto), Post: own(p.replacePhoto), MaxUpload: maxPhotoForm, TooLarge: own(p.refuseLargePhoto)},
		{Path: cvsPath, Get: own(consent.remembers(p.list))},
		{Path: cvsPath + "/new", Get: own(p.begin), Post: own(p.create), MaxForm: maxEditorForm},
		{Path: cvsPath + "/import", Get: own(p.showImport), Post: own(p.takeImport), MaxUpload: maxImport, TooLarge: own(p.refuseLargeImport)},
		{Path: cvsPath + "/{id}", Get: own(p.show), Post: own(p.save), MaxForm: maxEditorForm},
		{Path: cvsPath + "/{id}/preview", Get: own(p.preview)},
		{Path: cvsPath + "/{id}/delete", Get: own(p.askDelete), Post: own(p.remove)},
		{Path: cvsPath + "/{id}/main", Get: own(p.askMain), Post: own(p.makeMain)},
	}
}

// cvsLink is where people find their CVs.
func (c Config) cvsLink() string {
	if c.ProfileURL != "" {
		return c.ProfileURL
	}
	return cvsPath
}
