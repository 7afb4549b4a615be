package pdf

import (
	"net/http"

	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	cvrenderv1 "vitae.internal/proto/gen/vitae/cvrender/v1"
)

// Own serves people the PDFs of their own CVs (behaviour: pages#documents).
type Own struct {
	Handler
	// Documents has the CVs as their owners see them.
	Documents candidatev1.DocumentServiceClient
}

// Serve answers with the PDF of a person's CV: in the template that the person has chosen, or
// in t if it names one. The session is that of the person with the id personID, whose share of
// the renderer is used. It writes nothing if it fails. Errors: SESSION_ENDED, CV_NOT_FOUND,
// SERVICE_UNAVAILABLE.
func (o Own) Serve(w http.ResponseWriter, r *http.Request, sessionToken, personID, cvID string, t cvrenderv1.CvTemplate) error {
	found, err := o.Documents.GetDocument(r.Context(), &candidatev1.GetDocumentRequest{SessionToken: sessionToken, CvId: cvID})
	if err != nil {
		return err
	}
	if t == cvrenderv1.CvTemplate_CV_TEMPLATE_UNSPECIFIED {
		t = found.GetTemplate()
	}
	return o.write(w, r, drawing{cv: found.GetCv(), template: t, personID: personID})
}
