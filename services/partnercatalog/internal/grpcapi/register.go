package grpcapi

import (
	"google.golang.org/grpc"

	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
	"vitae.internal/services/partnercatalog/internal/company"
	"vitae.internal/services/partnercatalog/internal/job"
)

// Register adds the service's methods to a gRPC server.
func Register(r grpc.ServiceRegistrar, companies *company.Service, jobs *job.Service) {
	partnercatalogv1.RegisterCompanyServiceServer(r, &companyServer{companies: companies})
	partnercatalogv1.RegisterCompanyPageServiceServer(r, &companyPageServer{companies: companies})
	partnercatalogv1.RegisterJobServiceServer(r, &jobServer{jobs: jobs})
	partnercatalogv1.RegisterJobPostingServiceServer(r, &postingServer{jobs: jobs})
}
