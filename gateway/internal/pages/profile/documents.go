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

// DocumentsPath is the page of a person's PDFs.
const DocumentsPath = "/documents"

// templateField names the template in forms and queries.
const templateField = "template"

// templates are the words of the templates.
var templates = vocabulary.New[cvrenderv1.CvTemplate]()

// documentPages are a person's CVs as PDFs (behaviour: pages#documents).
type documentPages struct {
	*shell.Shell
	documents candidatev1.DocumentServiceClient
	pdf       OwnPDF
}

type documentsView struct {
	Documents []documentView
}

// documentView is a CV that is available as a PDF.
type documentView struct {
	ID, Title string
	// Main means the main CV, whose title the page translates.
	Main      bool
	UpdatedAt time.Time
	Templates []templateChoice
}

// templateChoice is one of the templates that a CV can have.
type templateChoice struct {
	// Word is its name in forms and addresses, and ends the keys of its messages.
	Word   string
	Chosen bool
}

// list shows the person's CVs with the template of each.
func (p documentPages) list(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	resp, err := p.documents.ListDocuments(r.Context(), &candidatev1.ListDocumentsRequest{SessionToken: who.Token})
	if err != nil {
		return err
	}
	notice, err := p.TakeNotice(w, r, "cv")
	if err != nil {
		return err
	}
	v := web.View{Notice: notice, Data: documentsView{viewDocuments(resp.GetDocuments())}}
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

// choose keeps the template of a CV.
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
	case errs.HasCode(err, answer.CodeCVNotFound): // it may have been deleted in another tab
		notice = "refused.cv_foreign"
	case err != nil:
		return err
	}
	return p.GoTo(w, DocumentsPath, notice, "")
}

// open answers with the PDF of a CV: in the chosen template, or in the one that the query names.
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
