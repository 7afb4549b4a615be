package profile

import (
	"errors"
	"net/http"
	"strconv"

	"vitae.internal/gateway/internal/pages/profile/form"
	cvimport "vitae.internal/gateway/internal/pages/profile/import"
	"vitae.internal/gateway/internal/pages/shell"
	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/errs"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// maxImport is the maximum size, in bytes, of a form with a file to import. It is that large because of
// archives; cvimport.MaxText limits other files.
const maxImport = MaxPhotoForm

// fileRetry is the number of seconds after which a person may retry an upload that was rejected because too
// many files were being read.
const fileRetry = 2

// fileOfOwn is the message key for a file that is rejected because another file of the same person is being
// processed.
const fileOfOwn = "cvimport.fault.own"

// importPages serves the pages that read CVs from files (behaviour: profiles#import).
type importPages struct {
	editorPages
	turns *turns
}

// showImport shows the upload form.
func (p importPages) showImport(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	return p.Show(w, r, who, http.StatusOK, "cvimport", web.View{}, "cvimport.title")
}

// takeImport reads a file and shows its content in the form for a new CV, with a list of the strings that
// could not be imported. Nothing is stored until the person submits that form (behaviour: profiles#import).
func (p importPages) takeImport(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	end, ok := p.turns.begin(who.GetId())
	if !ok {
		return p.refuseImport(w, r, http.StatusTooManyRequests, who, fileOfOwn)
	}
	defer end()
	e, file, err := p.readImport(r, who)
	if errors.Is(err, errBusy) {
		return p.refuseImport(w, r, http.StatusTooManyRequests, who, "cvimport.fault.busy")
	}
	if unreadable := (*cvimport.Unreadable)(nil); errors.As(err, &unreadable) {
		status := http.StatusUnprocessableEntity
		if unreadable.Reason == cvimport.ReasonBytes {
			status = http.StatusRequestEntityTooLarge
		}
		return p.refuseImport(w, r, status, who, "cvimport.fault."+unreadable.Reason, "where", unreadable.Where)
	}
	data := editorView{Imported: true, More: file.More}
	var failed error
	if data.Left, failed = p.left(r, who, file); failed != nil {
		return failed
	}
	if file.Person != nil {
		if data.Own, failed = p.offers(r, who, file.Person); failed != nil {
			return failed
		}
	}
	if e.doc.Content != nil && errs.KindOf(err) == errs.Invalid {
		return p.showAgain(w, r, who, e, err, form.Keys{}, data)
	}
	if err != nil {
		return err
	}
	data.Form, data.Unsaved = p.formOf(r, e.doc), true
	return p.draw(w, r, http.StatusOK, who, e, web.View{}, data)
}

// errBusy is returned while the maximum number of files is being read.
var errBusy = errors.New("pages: too many imports")

// readImport reads the file in a form as a new CV, and has the candidate service validate it. It releases its
// slot even after a panic. It returns errBusy; *cvimport.Unreadable; SERVICE_UNAVAILABLE if the request is
// canceled; or, together with the CV, an error of CreateOwnCv.
func (p importPages) readImport(r *http.Request, who shell.Person) (edited, cvimport.CV, error) {
	release, ok := p.turns.take()
	if !ok {
		return edited{}, cvimport.CV{}, errBusy
	}
	defer release()
	file, err := web.Upload(r, "file")
	if err != nil {
		return edited{}, cvimport.CV{}, err
	}
	if file == nil {
		return edited{}, cvimport.CV{}, &cvimport.Unreadable{Reason: "none"}
	}
	read, err := cvimport.Read(r.Context(), file)
	if r.Context().Err() != nil {
		err = errs.New(errs.Unavailable, errs.CodeUnavailable, "The request ended before the file was read.").WithCause(err)
	}
	if err != nil {
		return edited{}, cvimport.CV{}, err
	}
	e := edited{title: read.Title, doc: form.Document{Content: read.Content}}
	if e.title == "" {
		if e.title, err = p.Language(r).Text("cvimport.default_title"); err != nil {
			return edited{}, cvimport.CV{}, err
		}
	}
	_, err = p.editor.CreateOwnCv(r.Context(), &candidatev1.CreateOwnCvRequest{
		SessionToken: who.Token, Title: e.title, Content: e.doc.Content, ValidateOnly: true,
	})
	return e, read, err
}

// refuseLargeImport shows the form again if the submitted file is too large.
func (p importPages) refuseLargeImport(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	return p.refuseImport(w, r, http.StatusRequestEntityTooLarge, who, "cvimport.fault.bytes")
}

// refuseImport shows the form again, with the reason why the file could not be imported.
func (p importPages) refuseImport(w http.ResponseWriter, r *http.Request, status int, who shell.Person, key string, args ...any) error {
	if status == http.StatusTooManyRequests {
		w.Header().Set("Retry-After", strconv.Itoa(fileRetry))
	}
	fault, err := p.Fault(r, "file", key, args...)
	if err != nil {
		return err
	}
	return p.Show(w, r, who, status, "cvimport", web.View{Faults: []web.Fault{fault}}, "cvimport.title")
}
