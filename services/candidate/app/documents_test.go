package app_test

import (
	"testing"

	"google.golang.org/protobuf/proto"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/principal"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	cvrenderv1 "vitae.internal/proto/gen/vitae/cvrender/v1"
)

const (
	classic = cvrenderv1.CvTemplate_CV_TEMPLATE_CLASSIC
	compact = cvrenderv1.CvTemplate_CV_TEMPLATE_COMPACT
)

// documents returns a DocumentService client with the gateway's certificate.
func (r *running) documents() candidatev1.DocumentServiceClient {
	return candidatev1.NewDocumentServiceClient(r.dial("gateway"))
}

func (r *running) choose(personID, cvID string, t cvrenderv1.CvTemplate) error {
	_, err := r.documents().ChooseTemplate(r.t.Context(), &candidatev1.ChooseTemplateRequest{SessionToken: sessionOf(personID), CvId: cvID, Template: t})
	return err
}

// templatesOf returns the templates of a person's documents by CV id.
func (r *running) templatesOf(personID string) map[string]cvrenderv1.CvTemplate {
	r.t.Helper()
	resp, err := r.documents().ListDocuments(r.t.Context(), &candidatev1.ListDocumentsRequest{SessionToken: sessionOf(personID)})
	if err != nil {
		r.t.Fatal(err)
	}
	got := map[string]cvrenderv1.CvTemplate{}
	for _, d := range resp.GetDocuments() {
		got[d.GetCv().GetId()] = d.GetTemplate()
	}
	return got
}

func TestTemplateIsSharedWithCV(t *testing.T) {
	t.Parallel()
	r := start(t)
	r.create(full("usr_1"))
	own := r.createCv("usr_1", "For banks", &candidatev1.CvContent{Summary: "Banker"})
	if got := r.templatesOf("usr_1"); len(got) != 2 || got["master"] != classic || got[own.GetId()] != classic {
		t.Errorf("before a template is chosen: %v", got)
	}
	reader := consent("usr_1", "master", "profile", "cv:read")
	before, err := r.getSharedCv(reader)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.choose("usr_1", "master", compact); err != nil {
		t.Fatal(err)
	}
	if got := r.templatesOf("usr_1"); got["master"] != compact || got[own.GetId()] != classic {
		t.Errorf("after the compact template was chosen for the main CV: %v", got)
	}
	shared, err := r.me.GetSharedCv(principal.NewContext(r.t.Context(), reader), &candidatev1.GetSharedCvRequest{})
	if err != nil || shared.GetTemplate() != compact || !proto.Equal(shared.GetCv(), before) {
		t.Errorf("apps get %v, %v, want the same CV with the compact template", shared, err)
	}
	page, err := r.pages.GetPublicProfile(t.Context(), &candidatev1.GetPublicProfileRequest{Username: "sara"})
	if err != nil || page.GetTemplate() != compact {
		t.Errorf("the public page has %v, %v", page.GetTemplate(), err)
	}
	if err := r.choose("usr_1", own.GetId(), compact); err != nil {
		t.Fatal(err)
	}
	read, err := r.internal.GetCv(t.Context(), &candidatev1.GetCvRequest{Id: own.GetId()})
	if err != nil || read.GetCv().GetTemplate() != compact || !proto.Equal(read.GetCv().GetUpdatedAt(), own.GetUpdatedAt()) {
		t.Errorf("the other CV is %v, %v, although choosing a template does not change a CV", read.GetCv(), err)
	}
	title := "For large banks"
	changed, err := r.internal.UpdateCv(t.Context(), &candidatev1.UpdateCvRequest{Id: own.GetId(), Title: &title})
	if err != nil || changed.GetCv().GetTemplate() != compact {
		t.Errorf("updating the CV resets the template: %v, %v", changed.GetCv(), err)
	}
}

func TestOnlyOwnerChoosesTemplate(t *testing.T) {
	t.Parallel()
	r := start(t)
	r.create(full("usr_1"))
	r.create(bare("usr_2"))
	own := r.createCv("usr_1", "For banks", &candidatev1.CvContent{Summary: "Banker"})
	for name, c := range map[string]struct{ person, cv string }{
		"the CV of another person": {"usr_2", own.GetId()}, "an unknown CV": {"usr_1", "cv_none"},
		"an unknown person": {"usr_none", "master"}, "an id that cannot be stored": {"usr_1\x00", "master"},
	} {
		if err := r.choose(c.person, c.cv, compact); !errs.HasCode(err, "CV_NOT_FOUND") {
			t.Errorf("%s: %v", name, err)
		}
		_, err := r.documents().GetDocument(t.Context(), &candidatev1.GetDocumentRequest{SessionToken: sessionOf(c.person), CvId: c.cv})
		if !errs.HasCode(err, "CV_NOT_FOUND") {
			t.Errorf("%s can be read: %v", name, err)
		}
	}
	if err := r.choose("usr_1", "master", 0); errs.KindOf(err) != errs.Invalid {
		t.Errorf("a request without a template: %v", err)
	}
	if got := r.templatesOf("usr_1"); got["master"] != classic || got[own.GetId()] != classic {
		t.Errorf("rejected requests have changed the templates: %v", got)
	}
	if got := r.templatesOf("usr_none"); len(got) != 0 {
		t.Errorf("an unknown person has the documents %v", got)
	}
}

func TestOwnDocumentMatchesFullConsent(t *testing.T) {
	t.Parallel()
	r := start(t)
	r.create(full("usr_1"))
	all := consent("usr_1", "master", "profile", "email", "cv:read", "cv:contact")
	all.SharePhoto = true
	want, err := r.getSharedCv(all)
	if err != nil {
		t.Fatal(err)
	}
	got, err := r.documents().GetDocument(t.Context(), &candidatev1.GetDocumentRequest{SessionToken: sessionOf("usr_1"), CvId: "master"})
	if err != nil {
		t.Fatal(err)
	}
	if got.GetCv().GetDocument().GetAvatarUrl() == nil || got.GetCv().GetPdf() != nil {
		t.Errorf("the photo is %v, the link %v", got.GetCv().GetDocument().GetAvatarUrl(), got.GetCv().GetPdf())
	}
	// The document contains a placeholder instead of the photo's URL, and no link.
	want.Pdf, want.Document.AvatarUrl, got.Cv.Document.AvatarUrl = nil, nil, nil
	equal(t, "the person's own document", got.GetCv(), want)
}
