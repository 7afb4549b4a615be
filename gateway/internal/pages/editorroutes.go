package pages

import (
	"net/http"

	"vitae.internal/gateway/internal/pages/consent"
	"vitae.internal/gateway/internal/pages/shell"
	"vitae.internal/gateway/internal/web"
)

// routes are the pages of the editor. Where the host has an editor of its own, its address is
// all that is left of them (behaviour: profiles#external-editor).
func (p editorPages) routes(cfg Config, asking consent.Pages) []shell.Route {
	own := p.site.Own
	if cfg.ProfileURL != "" {
		elsewhere := func(w http.ResponseWriter, _ *http.Request) error {
			web.SeeOther(w, cfg.ProfileURL)
			return nil
		}
		return []shell.Route{{Route: web.Route{Path: shell.ProfilePath, Get: elsewhere}, Return: shell.Itself}, {Route: web.Route{Path: shell.CVsPath, Get: elsewhere}, Return: shell.Itself}}
	}
	return []shell.Route{
		{Route: web.Route{Path: shell.ProfilePath, Get: own(asking.Remembers(p.show)), Post: own(p.save), MaxForm: maxEditorForm}, Return: shell.Itself},
		{Route: web.Route{Path: shell.ProfilePath + "/preview", Get: own(p.preview)}, Return: shell.Itself},
		{Route: web.Route{Path: shell.ProfilePath + "/photo", Get: own(p.showPhoto), Post: own(p.replacePhoto), MaxUpload: maxPhotoForm, TooLarge: own(p.refuseLargePhoto)}, Return: shell.Itself},
		{Route: web.Route{Path: shell.CVsPath, Get: own(asking.Remembers(p.list))}, Return: shell.Itself},
		{Route: web.Route{Path: shell.CVsPath + "/new", Get: own(p.begin), Post: own(p.create), MaxForm: maxEditorForm}, Return: shell.Itself},
		{Route: web.Route{Path: shell.CVsPath + "/import", Get: own(p.showImport), Post: own(p.takeImport), MaxUpload: maxImport, TooLarge: own(p.refuseLargeImport)}, Return: shell.Itself},
		{Route: web.Route{Path: shell.CVsPath + "/{id}", Get: own(p.show), Post: own(p.save), MaxForm: maxEditorForm}, Return: shell.Itself},
		{Route: web.Route{Path: shell.CVsPath + "/{id}/preview", Get: own(p.preview)}, Return: shell.Itself},
		{Route: web.Route{Path: shell.CVsPath + "/{id}/delete", Get: own(p.askDelete), Post: own(p.remove)}, Return: shell.Itself},
		{Route: web.Route{Path: shell.CVsPath + "/{id}/main", Get: own(p.askMain), Post: own(p.makeMain)}, Return: shell.Itself},
	}
}

// cvsLink is where people find their CVs.
func (c Config) cvsLink() string {
	if c.ProfileURL != "" {
		return c.ProfileURL
	}
	return shell.CVsPath
}
