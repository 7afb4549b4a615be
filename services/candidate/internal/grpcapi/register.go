package grpcapi

import (
	"google.golang.org/grpc"

	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	"vitae.internal/services/candidate/internal/applicant"
	"vitae.internal/services/candidate/internal/application"
	"vitae.internal/services/candidate/internal/detail"
	"vitae.internal/services/candidate/internal/export"
	"vitae.internal/services/candidate/internal/newprofile"
	"vitae.internal/services/candidate/internal/photo"
	"vitae.internal/services/candidate/internal/profile"
	"vitae.internal/services/candidate/internal/resume"
	"vitae.internal/services/candidate/internal/sharing"
)

// API implements the gRPC services on top of these use cases. All fields are required.
type API struct {
	Profiles     *profile.Service
	Shared       *sharing.Service
	Applications *application.Service
	Applicants   *applicant.Service
	Details      *detail.Service
	Resumes      *resume.Service
	Photos       *photo.Service
	Exports      *export.Service
	NewProfiles  *newprofile.Service
	Editor       *profile.Editor
}

// Register adds the services to a gRPC server.
func (a API) Register(r grpc.ServiceRegistrar) {
	candidatev1.RegisterMeServiceServer(r, &meServer{shared: a.Shared})
	candidatev1.RegisterLegacyProfileServiceServer(r, &legacyProfileServer{shared: a.Shared})
	candidatev1.RegisterProfileServiceServer(r, &profileServer{profiles: a.Profiles, newProfiles: a.NewProfiles, shared: a.Shared})
	candidatev1.RegisterDocumentServiceServer(r, &documentServer{profiles: a.Profiles, shared: a.Shared})
	candidatev1.RegisterApplicationIntakeServiceServer(r, &applicationIntakeServer{applications: a.Applications})
	candidatev1.RegisterApplicantServiceServer(r, &applicantServer{own: a.Applicants})
	candidatev1.RegisterApplicationServiceServer(r, &applicationServer{applications: a.Applications, details: a.Details})
	candidatev1.RegisterResumeServiceServer(r, &resumeServer{resumes: a.Resumes})
	candidatev1.RegisterPersonDataServiceServer(r, &personDataServer{exports: a.Exports})
	candidatev1.RegisterPhotoServiceServer(r, &photoServer{photos: a.Photos})
	candidatev1.RegisterEditorServiceServer(r, &editorServer{editor: a.Editor, shared: a.Shared})
}
