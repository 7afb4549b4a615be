package grpcapi

import (
	"google.golang.org/grpc"

	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	"vitae.internal/services/candidate/internal/application"
	"vitae.internal/services/candidate/internal/detail"
	"vitae.internal/services/candidate/internal/profile"
	"vitae.internal/services/candidate/internal/resume"
	"vitae.internal/services/candidate/internal/sharing"
)

// Services are the use cases behind the contract, all of them required.
type Services struct {
	Profiles     *profile.Service
	Shared       *sharing.Service
	Applications *application.Service
	Details      *detail.Service
	Resumes      *resume.Service
}

// Register adds the service's methods to a gRPC server.
func Register(r grpc.ServiceRegistrar, s Services) {
	candidatev1.RegisterMeServiceServer(r, &meServer{shared: s.Shared})
	candidatev1.RegisterLegacyProfileServiceServer(r, &legacyServer{shared: s.Shared})
	candidatev1.RegisterProfileServiceServer(r, &profileServer{profiles: s.Profiles, shared: s.Shared})
	candidatev1.RegisterApplicationIntakeServiceServer(r, &intakeServer{applications: s.Applications})
	candidatev1.RegisterApplicationServiceServer(r, &applicationServer{applications: s.Applications, details: s.Details})
	candidatev1.RegisterResumeServiceServer(r, &resumeServer{resumes: s.Resumes})
}
