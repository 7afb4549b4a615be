package grpcapi

import (
	"google.golang.org/grpc"

	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"

	"vitae.internal/services/candidate/internal/profile"
	"vitae.internal/services/candidate/internal/sharing"
)

// Register adds the service's methods to a gRPC server.
func Register(r grpc.ServiceRegistrar, profiles *profile.Service, shared *sharing.Service) {
	candidatev1.RegisterMeServiceServer(r, &meServer{shared: shared})
	candidatev1.RegisterProfileServiceServer(r, &profileServer{profiles: profiles, shared: shared})
}
