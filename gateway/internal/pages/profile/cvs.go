package profile

import (
	"net/http"
	"slices"
	"time"

	"google.golang.org/protobuf/proto"

	"vitae.internal/gateway/internal/pages/profile/form"
	"vitae.internal/gateway/internal/pages/shell"
	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/pasted"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// cvPages serves the pages that list and manage a person's CVs (behaviour: profiles#cvs).
type cvPages struct {
	editorPages
	connections authv1.ConnectionServiceClient
	clock       clock.Clock
}

type cvsView struct {
	// Main is the main CV, or nil if it has no content.
	Main *cvView
	CVs  []cvView
	// Drafted reports whether the profile, which includes the main CV, has unsaved changes.
	Drafted bool
}

// cvView is a CV in the list or on a confirmation page.
type cvView struct {
	*candidatev1.CvReference
	// Apps are the names of the apps that can see the CV.
	Apps []string
	// Drafted reports whether the CV has unsaved changes.
	Drafted bool
}

// list shows the person's CVs (behaviour: profiles#cvs).
func (p cvPages) list(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	data, err := p.owned(r, who)
	if err != nil {
		return err
	}
	notice, err := p.TakeNotice(w, r, "title")
	if err != nil {
		return err
	}
	return p.Show(w, r, who, http.StatusOK, "cvs", web.View{Notice: notice, Data: data}, "cvs.title")
}

func (p cvPages) owned(r *http.Request, who shell.Person) (v cvsView, err error) {
	cvs, err := shell.ListCVs(r.Context(), p.profiles, who, "")
	if err != nil {
		return v, err
	}
	connections, err := shell.ListConnections(r.Context(), p.connections, who)
	if err != nil {
		return v, err
	}
	v.Drafted = slices.Contains(cvs.GetDrafts(), shell.MainCV)
	for _, one := range cvs.GetCvs() {
		cv := cvView{CvReference: one, Apps: appsSeeing(connections, one.GetId()), Drafted: slices.Contains(cvs.GetDrafts(), one.GetId())}
		if one.GetId() == shell.MainCV {
			v.Main = &cv
		} else {
			v.CVs = append(v.CVs, cv)
		}
	}
	return v, nil
}

// appsSeeing returns the names of the apps that can see a CV. Apps on the legacy interface see the main CV.
func appsSeeing(connections []*authv1.Connection, cvID string) (names []string) {
	for _, c := range connections {
		if c.GetPausedAt() == nil && (c.GetCvSharing() && c.GetCvId() == cvID || c.GetLegacy() && cvID == shell.MainCV) {
			names = append(names, c.GetApp().GetName())
		}
	}
	return names
}

type newView struct {
	cvsView
	Title, From string
	// Full reports whether the person has the maximum number of CVs.
	Full bool
}

// begin shows the form for a new CV.
func (p cvPages) begin(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	return p.showBegin(w, r, http.StatusOK, who, nil, newView{From: shell.MainCV})
}

func (p cvPages) showBegin(w http.ResponseWriter, r *http.Request, status int, who shell.Person, faults []web.Fault, data newView) error {
	var err error
	if data.cvsView, err = p.owned(r, who); err != nil {
		return err
	}
	return p.Show(w, r, who, status, "cvnew", web.View{Faults: faults, Data: data}, "cvs.new")
}

// create creates a CV from the editor's form, which an import may have filled, or as a copy of an existing CV.
func (p cvPages) create(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	e, keys, err := posted(r, "")
	if err != nil {
		return err
	}
	if do, ok := form.ReadDo(r.PostForm.Get("do")); ok {
		return p.arrange(w, r, who, e, keys, do)
	}
	from, copied := r.PostForm["from"]
	if copied && from[0] != "" {
		source, err := p.read(r, who, from[0])
		if err != nil {
			return err
		}
		e.doc.Content = source.doc.Content
	}
	resp, err := p.editor.CreateOwnCv(r.Context(), &candidatev1.CreateOwnCvRequest{SessionToken: who.Token, Title: e.title, Content: e.doc.Content})
	switch {
	case err == nil:
		return p.finishCreate(w, r, who, e, shell.CVsPath+"/"+resp.GetId())
	case errs.KindOf(err) == errs.Invalid && copied:
		faults, err := p.faults(r, err, keys, nil)
		if err != nil {
			return err
		}
		return p.showBegin(w, r, http.StatusUnprocessableEntity, who, faults, newView{Title: e.title, From: from[0]})
	case errs.HasCode(err, codeTooMany):
		faults, err := p.tooManyFault(r)
		if err != nil {
			return err
		}
		if copied {
			return p.showBegin(w, r, http.StatusConflict, who, faults, newView{Title: e.title, From: from[0], Full: true})
		}
		return p.draw(w, r, http.StatusConflict, who, e, web.View{Faults: faults}, editorView{Form: p.formOf(r, e.doc), Unsaved: true, Full: true})
	case errs.KindOf(err) == errs.Invalid:
		return p.showAgain(w, r, who, e, err, keys, editorView{})
	default:
		return profileFailure(err)
	}
}

// finishCreate saves the profile details that the person selected, and redirects after a CV was created at path.
// The CV is created first: if it is rejected, the profile is unchanged, and no app sees contact details that the
// page still shows as unsaved. If the profile cannot be saved afterwards, the CV is kept and a notice says what
// is missing. An error page would lead the person to submit the form again, which would create a second CV.
func (p cvPages) finishCreate(w http.ResponseWriter, r *http.Request, who shell.Person, e edited, path string) (err error) {
	next, notice := path, "notice.cv_created"
	if p.useOffers(r, who, r.PostForm) != nil {
		notice = "refused.profile_unsaved"
	} else if proto.Size(e.doc.Content) > 0 { // an empty CV has to be filled in first
		if next, err = p.afterSaving(r, who, path); err != nil {
			return err
		}
	}
	if next == path {
		p.Notify(w, notice, e.title)
	}
	web.SeeOther(w, next)
	return nil
}

// tooManyFault returns the error for a person with the maximum number of CVs. The form keeps its content.
func (p cvPages) tooManyFault(r *http.Request) ([]web.Fault, error) {
	fault, err := p.Fault(r, "editor", "cvs.full")
	return []web.Fault{fault}, err
}

// cvInPath returns the CV that the URL path identifies. It never returns the main CV.
func (p cvPages) cvInPath(r *http.Request, who shell.Person) (cvView, error) {
	owned, err := p.owned(r, who)
	if err != nil {
		return cvView{}, err
	}
	for _, one := range owned.CVs {
		if one.GetId() == r.PathValue("id") {
			return one, nil
		}
	}
	return cvView{}, web.NotFound()
}

// askDelete explains what deleting a CV does, and asks for confirmation.
func (p cvPages) askDelete(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	cv, err := p.cvInPath(r, who)
	if err != nil {
		return err
	}
	return p.Show(w, r, who, http.StatusOK, "cvdelete", web.View{Data: cv}, "cvs.delete.title")
}

// remove deletes a CV. It also succeeds if the CV no longer exists, because it was probably deleted in a
// different tab.
func (p cvPages) remove(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	_, err := p.editor.DeleteOwnCv(r.Context(), &candidatev1.DeleteOwnCvRequest{SessionToken: who.Token, Id: r.PathValue("id")})
	if err != nil && !errs.HasCode(err, codeCvGone) {
		return err
	}
	return p.GoTo(w, shell.CVsPath, "notice.cv_deleted", "")
}

type mainView struct {
	Chosen cvView
	// Main is the current main CV, or nil if there is none.
	Main *cvView
	// KeptTitle is the title under which the current main CV is kept when it is replaced.
	KeptTitle string
	// Full reports whether the person has the maximum number of CVs.
	Full bool
}

// askMain explains what changing the main CV means, and asks for confirmation
// (behaviour: profiles#replacing-the-main-cv).
func (p cvPages) askMain(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	return p.showMain(w, r, http.StatusOK, who, nil, mainView{})
}

func (p cvPages) showMain(w http.ResponseWriter, r *http.Request, status int, who shell.Person, faults []web.Fault, data mainView) (err error) {
	if data.Chosen, err = p.cvInPath(r, who); err != nil {
		return err
	}
	owned, err := p.owned(r, who)
	if err != nil {
		return err
	}
	data.Main = owned.Main
	if len(faults) == 0 {
		day, err := p.Language(r).PartialDate(p.clock.Now().UTC().Format(time.DateOnly))
		if err != nil {
			return err
		}
		if data.KeptTitle, err = p.Language(r).Text("cvs.main.kept_title", "date", day); err != nil {
			return err
		}
	}
	return p.Show(w, r, who, status, "cvmain", web.View{Faults: faults, Data: data}, "cvs.main.title")
}

// makeMain makes a CV the main CV.
func (p cvPages) makeMain(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	title := pasted.Line(r.PostForm.Get("kept_title"))
	_, err := p.editor.MakeMainCv(r.Context(), &candidatev1.MakeMainCvRequest{SessionToken: who.Token, Id: r.PathValue("id"), KeptTitle: title})
	if e, ok := errs.As(err); ok && e.Kind == errs.Invalid && len(e.Violations) > 0 {
		fault, err := p.Fault(r, "kept_title", explanation(e.Violations[0].Description))
		if err != nil {
			return err
		}
		return p.showMain(w, r, http.StatusUnprocessableEntity, who, []web.Fault{fault}, mainView{KeptTitle: title})
	}
	if errs.HasCode(err, codeTooMany) {
		faults, err := p.tooManyFault(r)
		if err != nil {
			return err
		}
		return p.showMain(w, r, http.StatusConflict, who, faults, mainView{KeptTitle: title, Full: true})
	}
	if err != nil {
		return cvFailure(err)
	}
	return p.GoTo(w, shell.ProfilePath, "notice.cv_main", "")
}
