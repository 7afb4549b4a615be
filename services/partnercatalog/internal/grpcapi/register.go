package grpcapi

import (
	"google.golang.org/grpc"

	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
	"vitae.internal/services/partnercatalog/internal/company"
	"vitae.internal/services/partnercatalog/internal/job"
)

// API implements the gRPC services on top of these use cases. All fields are required.
type API struct {
	Companies *company.Service
	Jobs      *job.Service
}

// Register registers the services on a gRPC server.
func (a API) Register(r grpc.ServiceRegistrar) {
	partnercatalogv1.RegisterCompanyServiceServer(r, &companyServer{companies: a.Companies})
	partnercatalogv1.RegisterCompanyPageServiceServer(r, &companyPageServer{companies: a.Companies})
	partnercatalogv1.RegisterJobServiceServer(r, &jobServer{jobs: a.Jobs})
	partnercatalogv1.RegisterJobPostingServiceServer(r, &postingServer{jobs: a.Jobs})
}
