package grpcapi

import (
	"errors"

	"google.golang.org/grpc"

	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	"vitae.internal/services/candidate/internal/applicant"
	"vitae.internal/services/candidate/internal/application"
	"vitae.internal/services/candidate/internal/detail"
	"vitae.internal/services/candidate/internal/erasure"
	"vitae.internal/services/candidate/internal/export"
	"vitae.internal/services/candidate/internal/photo"
	"vitae.internal/services/candidate/internal/profile"
	"vitae.internal/services/candidate/internal/resume"
	"vitae.internal/services/candidate/internal/sharing"
)

// Config holds the use cases. All are required.
type Config struct {
	Profiles     *profile.Service
	Shared       *sharing.Service
	Applications *application.Service
	Applicants   *applicant.Service
	Details      *detail.Service
	Resumes      *resume.Service
	Photos       *photo.Service
	Exports      *export.Service
	Erasures     *erasure.Service
	Editor       *profile.Editor
}

// API has the gRPC services of candidate.
type API struct{ useCases Config }

// New returns an API.
func New(c Config) (*API, error) {
	if c.Profiles == nil || c.Shared == nil || c.Applications == nil || c.Applicants == nil || c.Details == nil || c.Resumes == nil || c.Photos == nil ||
		c.Exports == nil || c.Erasures == nil || c.Editor == nil {
		return nil, errors.New("grpcapi: Profiles, Shared, Applications, Applicants, Details, Resumes, Photos, Exports, Erasures and Editor are required")
	}
	return &API{useCases: c}, nil
}

// Register adds the services to a gRPC server.
func (a *API) Register(r grpc.ServiceRegistrar) {
	c := a.useCases
	candidatev1.RegisterMeServiceServer(r, &meServer{shared: c.Shared})
	candidatev1.RegisterLegacyProfileServiceServer(r, &legacyProfileServer{shared: c.Shared})
	candidatev1.RegisterProfileServiceServer(r, &profileServer{profiles: c.Profiles, shared: c.Shared})
	candidatev1.RegisterDocumentServiceServer(r, &documentServer{profiles: c.Profiles, shared: c.Shared})
	candidatev1.RegisterApplicationIntakeServiceServer(r, &applicationIntakeServer{applications: c.Applications})
	candidatev1.RegisterApplicantServiceServer(r, &applicantServer{own: c.Applicants})
	candidatev1.RegisterApplicationServiceServer(r, &applicationServer{applications: c.Applications, details: c.Details})
	candidatev1.RegisterResumeServiceServer(r, &resumeServer{resumes: c.Resumes})
	candidatev1.RegisterPersonDataServiceServer(r, &personDataServer{exports: c.Exports, erasures: c.Erasures})
	candidatev1.RegisterPhotoServiceServer(r, &photoServer{photos: c.Photos})
	candidatev1.RegisterEditorServiceServer(r, &editorServer{editor: c.Editor, shared: c.Shared})
}
