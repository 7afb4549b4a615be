// Package profile serves the pages on which people edit their profile and CVs: the editor, imports, the
// photo and the CVs as PDFs.
package profile

import (
	"embed"
	"html/template"
	"net/http"
	"slices"

	"google.golang.org/grpc"

	"vitae.internal/gateway/internal/pages/shell"
	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/picture"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	cvrenderv1 "vitae.internal/proto/gen/vitae/cvrender/v1"
)

// Files holds the templates, a stylesheet and scripts.
//
//go:embed templates static
var Files embed.FS

// Functions are the functions for the templates.
var Functions = template.FuncMap{"focused": focused, "focusedEntry": focusedEntry, "held": held}

// OwnPDF responds with the PDF of one of the person's own CVs, in the given template or else in the one
// that the person has chosen. If it fails, it writes nothing and returns CV_NOT_FOUND or
// SERVICE_UNAVAILABLE.
type OwnPDF = func(w http.ResponseWriter, r *http.Request, sessionToken, personID, cvID string, t cvrenderv1.CvTemplate) error

// Config holds the dependencies and settings of the pages.
type Config struct {
	// Auth and Candidate are connections to those services.
	Auth, Candidate grpc.ClientConnInterface
	// AppURL is the URL of the web app, without a trailing slash.
	AppURL string
	// ExternalURL is the URL of the host site's own editor, which replaces this one, or "" if there is none
	// (behaviour: profiles#external-editor).
	ExternalURL string
	PDF         OwnPDF
	Clock       clock.Clock
	// Remembers wraps a page so that it remembers the consent page to return to.
	Remembers func(shell.Page) shell.Page
}

// CVsLink returns the path or URL of the page that lists a person's CVs.
func (c Config) CVsLink() string {
	if c.ExternalURL != "" {
		return c.ExternalURL
	}
	return shell.CVsPath
}

// Routes returns the routes of the pages.
func Routes(sh *shell.Shell, cfg Config) []shell.Route {
	own := sh.Own
	documents := documentPages{sh, candidatev1.NewDocumentServiceClient(cfg.Candidate), cfg.PDF}
	return slices.Concat(editorRoutes(sh, cfg),
		shell.To(shell.Itself, []web.Route{{Path: DocumentsPath, Get: own(documents.list)}}),
		shell.To(DocumentsPath, []web.Route{
			{Path: DocumentsPath + "/{id}/template", Post: own(documents.choose)},
			{Path: DocumentsPath + "/{id}/cv.pdf", Get: own(documents.open)},
		}),
	)
}

// editorRoutes returns the routes of the editor. They redirect to the host site's own editor if it has one.
func editorRoutes(sh *shell.Shell, cfg Config) []shell.Route {
	if cfg.ExternalURL != "" {
		elsewhere := func(w http.ResponseWriter, _ *http.Request) error {
			web.SeeOther(w, cfg.ExternalURL)
			return nil
		}
		return shell.To(shell.Itself, []web.Route{{Path: shell.ProfilePath, Get: elsewhere}, {Path: shell.CVsPath, Get: elsewhere}})
	}
	editor := editorPages{sh, candidatev1.NewEditorServiceClient(cfg.Candidate), candidatev1.NewProfileServiceClient(cfg.Candidate), cfg.AppURL}
	cvs := cvPages{editor, authv1.NewConnectionServiceClient(cfg.Auth), cfg.Clock}
	turns := newTurns()
	photo, imports := photoPages{editor, turns, picture.NewEncoderWithin(photoMemory)}, importPages{editor, turns}
	own, one := sh.Own, shell.CVsPath+"/{id}"
	return shell.To(shell.Itself, []web.Route{
		{Path: shell.ProfilePath, Get: own(cfg.Remembers(editor.show)), Post: own(editor.save), MaxForm: maxEditorForm},
		{Path: shell.ProfilePath + "/preview", Get: own(editor.preview)},
		sh.Uploading(web.Route{Path: photoPath, Get: own(photo.showPhoto), MaxUpload: MaxPhotoForm}, photo.replacePhoto, photo.refuseLargePhoto),
		{Path: shell.CVsPath, Get: own(cfg.Remembers(cvs.list))},
		{Path: shell.CVsPath + "/new", Get: own(cvs.begin), Post: own(cvs.create), MaxForm: maxEditorForm},
		sh.Uploading(web.Route{Path: shell.CVsPath + "/import", Get: own(imports.showImport), MaxUpload: maxImport}, imports.takeImport, imports.refuseLargeImport),
		{Path: one, Get: own(editor.show), Post: own(editor.save), MaxForm: maxEditorForm},
		{Path: one + "/preview", Get: own(editor.preview)},
		{Path: one + "/delete", Get: own(cvs.askDelete), Post: own(cvs.remove)},
		{Path: one + "/main", Get: own(cvs.askMain), Post: own(cvs.makeMain)},
	})
}
