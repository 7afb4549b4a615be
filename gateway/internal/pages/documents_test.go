package pages

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/pkg/errs"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	cvrenderv1 "vitae.internal/proto/gen/vitae/cvrender/v1"
)

func documentsOfLayla() []*candidatev1.Document {
	return []*candidatev1.Document{
		{Cv: &candidatev1.CvReference{Id: "master", Title: "Main CV", UpdatedAt: timestamppb.New(now)}, Template: cvrenderv1.CvTemplate_CV_TEMPLATE_CLASSIC},
		{Cv: &candidatev1.CvReference{Id: "cv_3", Title: "السيرة الذاتية بالعربية", UpdatedAt: timestamppb.New(now.AddDate(0, -5, 0))}, Template: cvrenderv1.CvTemplate_CV_TEMPLATE_COMPACT},
	}
}

func (b *backend) ListDocuments(context.Context, *candidatev1.ListDocumentsRequest, ...grpc.CallOption) (*candidatev1.ListDocumentsResponse, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return &candidatev1.ListDocumentsResponse{Documents: b.documents}, b.fail
}

func (b *backend) ChooseTemplate(_ context.Context, req *candidatev1.ChooseTemplateRequest, _ ...grpc.CallOption) (*candidatev1.ChooseTemplateResponse, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	d, err := b.document(req.GetSessionToken(), req.GetCvId())
	if err := cmpErr(b.fail, err); err != nil {
		return nil, err
	}
	d.Template = req.GetTemplate()
	return &candidatev1.ChooseTemplateResponse{}, nil
}

func (b *backend) document(sessionToken, cvID string) (*candidatev1.Document, error) {
	at := slices.IndexFunc(b.documents, func(d *candidatev1.Document) bool { return d.GetCv().GetId() == cvID })
	if at < 0 || !b.sessions[sessionToken] {
		return nil, errs.New(errs.NotFound, "CV_NOT_FOUND", "no such CV")
	}
	return b.documents[at], nil
}

// ownPDF answers with the names of the CV and the template.
func (b *backend) ownPDF(w http.ResponseWriter, _ *http.Request, sessionToken, personID, cvID string, t cvrenderv1.CvTemplate) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	d, err := b.document(sessionToken, cvID)
	if err := cmpErr(b.fail, err); err != nil {
		return err
	}
	if personID != b.person().GetId() {
		return errors.New("the share of the renderer is somebody else's")
	}
	if t == cvrenderv1.CvTemplate_CV_TEMPLATE_UNSPECIFIED {
		t = d.GetTemplate()
	}
	_, err = fmt.Fprintf(w, "%%PDF %s %v", cvID, t)
	return err
}

func TestAPersonChoosesTheTemplateOfEachCv(t *testing.T) {
	t.Parallel()
	v := visit(t, "https://app.vitae.example")
	if page := v.get("/documents"); page.Header.Get("Location") != "/sign-in?return=%2Fdocuments" {
		t.Errorf("somebody who is not signed in is sent to %q", page.Header.Get("Location"))
	}
	v.signIn()
	page := v.get("/documents")
	for _, want := range []string{"Your documents", "Main CV", "السيرة الذاتية بالعربية", "Last changed on 9 March 2026", "Classic", "Compact", "Save template", "Download PDF"} {
		if !strings.Contains(page.text(), want) {
			t.Errorf("does not show %q: %s", want, page.text())
		}
	}
	for at, word := range []string{"classic", "compact"} {
		if !strings.Contains(page.body, fmt.Sprintf(`id="document-%d-%s" type="radio" name="template" value="%s" checked`, at, word, word)) {
			t.Errorf("the template of the document %d is not checked", at)
		}
	}
	if n := strings.Count(page.body, " checked"); n != 2 {
		t.Errorf("%d templates are checked, want one for each CV", n)
	}
	v.follow(v.post("/documents/master/template", url.Values{"template": {"compact"}}), "/documents").reports(t, "Saved. The PDF of this CV now uses the compact template.")
	if got := v.backend.documents[0].GetTemplate(); got != cvrenderv1.CvTemplate_CV_TEMPLATE_COMPACT {
		t.Errorf("chosen: %v", got)
	}
}

func TestTheOwnPdfIsInTheChosenTemplateUnlessTheAddressNamesOne(t *testing.T) {
	t.Parallel()
	v := visit(t, "https://app.vitae.example")
	v.signIn()
	for address, want := range map[string]string{
		"/documents/cv_3/cv.pdf": "%PDF cv_3 CV_TEMPLATE_COMPACT", "/documents/master/cv.pdf": "%PDF master CV_TEMPLATE_CLASSIC",
		"/documents/cv_3/cv.pdf?template=classic": "%PDF cv_3 CV_TEMPLATE_CLASSIC", "/documents/master/cv.pdf?template=compact": "%PDF master CV_TEMPLATE_COMPACT",
	} {
		if got := v.get(address); got.StatusCode != http.StatusOK || got.body != want {
			t.Errorf("%s: %d %q, want %q", address, got.StatusCode, got.body, want)
		}
	}
	for _, address := range []string{"/documents/cv_none/cv.pdf", "/documents/master/cv.pdf?template=pretty", "/documents/a%00/cv.pdf"} {
		if got := v.get(address); got.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %d", address, got.StatusCode)
		}
	}
}

func TestATemplateThatIsNoneAndACvThatIsGoneChangeNothing(t *testing.T) {
	t.Parallel()
	v := visit(t, "https://app.vitae.example")
	v.signIn()
	if got := v.post("/documents/master/template", url.Values{"template": {"pretty"}}); got.StatusCode != http.StatusBadRequest {
		t.Errorf("a template that is none: %d", got.StatusCode)
	}
	v.follow(v.post("/documents/cv_gone/template", url.Values{"template": {"compact"}}), "/documents").refuses(t, "That CV is no longer available. Nothing was changed.")
	if v.backend.documents[0].GetTemplate() != cvrenderv1.CvTemplate_CV_TEMPLATE_CLASSIC {
		t.Error("something was changed")
	}
	v.backend.documents = nil
	if page := v.get("/documents"); !strings.Contains(page.text(), "You don’t have a CV yet.") {
		t.Errorf("without a CV: %s", page.text())
	}
}
