package profile

import (
	"net/http"
	"time"

	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/pages/shell"
	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/fault"
	"vitae.internal/pkg/vocabulary"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	cvrenderv1 "vitae.internal/proto/gen/vitae/cvrender/v1"
)

// DocumentsPath is the path of the page that lists a person's PDFs.
const DocumentsPath = "/documents"

// templateField is the name of the field that selects a template, in forms and query strings.
const templateField = "template"

// templates maps CV templates to the words used for them in forms and URLs.
var templates = vocabulary.New[cvrenderv1.CvTemplate]()

// documentPages serves a person's CVs as PDFs (behaviour: pages#documents).
type documentPages struct {
	*shell.Shell
	documents candidatev1.DocumentServiceClient
	pdf       OwnPDF
}

type documentsView struct {
	Documents []documentView
	// EmailVerified reports whether the PDFs contain the person's email address.
	EmailVerified bool
}

// documentView is a CV that is available as a PDF.
type documentView struct {
	ID, Title string
	// Main marks the main CV, for which the page shows a translated title.
	Main      bool
	UpdatedAt time.Time
	Templates []templateChoice
}

// templateChoice is a template that can be chosen for a CV.
type templateChoice struct {
	// Word is the template's name in forms and URLs, and the last part of its message keys.
	Word   string
	Chosen bool
}

// list shows the person's CVs and the template selected for each.
func (p documentPages) list(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	resp, err := p.documents.ListDocuments(r.Context(), &candidatev1.ListDocumentsRequest{SessionToken: who.Token})
	if err != nil {
		return err
	}
	notice, err := p.TakeNotice(w, r, "cv")
	if err != nil {
		return err
	}
	v := web.View{Notice: notice, Data: documentsView{viewDocuments(resp.GetDocuments()), who.GetEmailVerified()}}
	return p.Show(w, r, who, http.StatusOK, "documents", v, "documents.title")
}

func viewDocuments(all []*candidatev1.Document) (views []documentView) {
	for _, d := range all {
		v := documentView{
			ID: d.GetCv().GetId(), Title: d.GetCv().GetTitle(), Main: d.GetCv().GetId() == shell.MainCV, UpdatedAt: d.GetCv().GetUpdatedAt().AsTime(),
		}
		for _, t := range []cvrenderv1.CvTemplate{cvrenderv1.CvTemplate_CV_TEMPLATE_CLASSIC, cvrenderv1.CvTemplate_CV_TEMPLATE_COMPACT} {
			v.Templates = append(v.Templates, templateChoice{Word: templates.Word(t), Chosen: t == d.GetTemplate()})
		}
		views = append(views, v)
	}
	return views
}

// choose stores the template of a CV.
func (p documentPages) choose(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	chosen := templates.Value(r.PostForm.Get(templateField))
	if chosen == cvrenderv1.CvTemplate_CV_TEMPLATE_UNSPECIFIED {
		return web.ErrMalformed
	}
	if !fault.IsStorable(r.PathValue("id")) {
		return web.NotFound()
	}
	_, err := p.documents.ChooseTemplate(r.Context(), &candidatev1.ChooseTemplateRequest{
		SessionToken: who.Token, CvId: r.PathValue("id"), Template: chosen,
	})
	notice := "notice.template_" + templates.Word(chosen)
	switch {
	case errs.HasCode(err, answer.CodeCVNotFound): // it may have been deleted in a different tab
		notice = "refused.cv_foreign"
	case err != nil:
		return err
	}
	return p.GoTo(w, DocumentsPath, notice, "")
}

// open sends a CV as a PDF. It uses the template named in the query, or else the one that the person
// has chosen.
func (p documentPages) open(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	named := r.URL.Query().Get(templateField)
	wanted := templates.Value(named)
	if !fault.IsStorable(r.PathValue("id")) || named != "" && wanted == cvrenderv1.CvTemplate_CV_TEMPLATE_UNSPECIFIED {
		return web.NotFound()
	}
	err := p.pdf(w, r, who.Token, who.GetId(), r.PathValue("id"), wanted)
	if errs.HasCode(err, answer.CodeCVNotFound) {
		return web.NotFound()
	}
	return err
}
