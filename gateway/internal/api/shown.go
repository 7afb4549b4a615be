package api

import (
	"context"
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

// Shown holds handlers of the REST API without authentication, for the pages that show people what an app
// receives (behaviour: pages#what-an-app-receives). The caller must put a verified principal into the request's
// context.
type Shown struct {
	// Me, CV and PDF serve GET /v1/me, /v1/me/cv and /v1/me/cv.pdf.
	Me, CV, PDF http.Handler
	// PublicPDF is the Public method of pdf.Handler. It needs no principal.
	PublicPDF func(w http.ResponseWriter, r *http.Request, cv *cvv1.SharedCv, template cvrenderv1.CvTemplate, share string) error
	Own       pdf.Own
}

// ShownConfig holds the dependencies of Shown. All of them are required.
type ShownConfig struct {
	// Candidate and Cvrender are connections to those services.
	Candidate, Cvrender grpc.ClientConnInterface
	// Log receives the causes that responses do not reveal.
	Log *slog.Logger
}

// NewShown returns the handlers. It returns an error if a dependency is missing.
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

// method returns the handler for a method of MeService.
func (c ShownConfig) method(name protoreflect.Name) (http.Handler, error) {
	m, err := contract.MethodOf(candidatev1.File_vitae_candidate_v1_me_proto.Services().ByName("MeService"), name)
	if err != nil {
		return nil, err
	}
	failures := answer.Errors{Log: c.Log}
	mux := rest.NewMux(failures)
	if err := registerMe(context.Background(), mux, c.Candidate); err != nil {
		return nil, err
	}
	return rest.NewRoute(m, mux, failures)
}
