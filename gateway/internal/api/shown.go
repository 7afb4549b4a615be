package api

import (
	"errors"
	"log/slog"
	"net/http"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/reflect/protoreflect"

	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/api/pdf"
	"vitae.internal/gateway/internal/api/rest"
	"vitae.internal/gateway/internal/contract"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
	cvrenderv1 "vitae.internal/proto/gen/vitae/cvrender/v1"
)

// Shown are the handlers with which the REST API answers for a person, without the gates
// before them: they answer for the principal of the request's context. Whoever serves them
// vouches for it. So a person sees what an app receives, by the code that the app is
// answered with (behaviour: pages#what-an-app-receives).
type Shown struct {
	// Me answers as GET /v1/me, CV as GET /v1/me/cv, PDF as GET /v1/me/cv.pdf.
	Me, CV, PDF http.Handler
	// PublicPDF answers with the PDF of what everybody may see of a person, for whom share
	// stands in the renderer's queue. It asks for no principal.
	PublicPDF func(w http.ResponseWriter, r *http.Request, cv *cvv1.SharedCv, template cvrenderv1.CvTemplate, share string) error
	// Own gives people the PDF of a CV of their own.
	Own pdf.Own
}

// ShownConfig is what Shown is made of. All of it is required.
type ShownConfig struct {
	// Connections to the parts.
	Candidate, Cvrender grpc.ClientConnInterface
	// Log gets the causes that answers do not show.
	Log *slog.Logger
}

// NewShown makes the handlers.
func NewShown(c ShownConfig) (Shown, error) {
	if c.Candidate == nil || c.Cvrender == nil || c.Log == nil {
		return Shown{}, errors.New("api: Candidate, Cvrender and Log are required")
	}
	me, err := c.method("GetMe")
	if err != nil {
		return Shown{}, err
	}
	cv, err := c.method("GetSharedCv")
	if err != nil {
		return Shown{}, err
	}
	pdfs := pdf.Handler{
		Candidate: candidatev1.NewMeServiceClient(c.Candidate), Photos: candidatev1.NewPhotoServiceClient(c.Candidate),
		Renderer: cvrenderv1.NewCvRenderServiceClient(c.Cvrender),
	}
	own := pdf.Own{Handler: pdfs, Documents: candidatev1.NewDocumentServiceClient(c.Candidate)}
	return Shown{Me: me, CV: cv, PDF: http.HandlerFunc(pdfs.Me), PublicPDF: pdfs.Public, Own: own}, nil
}

// method serves a method of MeService as its route does.
func (c ShownConfig) method(name protoreflect.Name) (http.Handler, error) {
	m, err := contract.MethodOf(candidatev1.File_vitae_candidate_v1_me_proto.Services().ByName("MeService"), name)
	if err != nil {
		return nil, err
	}
	failures := answer.Errors{Log: c.Log}
	mux := rest.NewMux(failures)
	if err := registerMe(mux, c.Candidate); err != nil {
		return nil, err
	}
	return rest.NewRoute(m, mux, failures)
}
