package grpcapi

import (
	"errors"

	"google.golang.org/grpc"

	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
	"vitae.internal/services/partnercatalog/internal/company"
	"vitae.internal/services/partnercatalog/internal/job"
)

// Config is the use cases behind the contract. Every field is required.
type Config struct {
	Companies *company.Service
	Jobs      *job.Service
}

// Register adds the service's methods to a gRPC server.
func Register(r grpc.ServiceRegistrar, c Config) error {
	if c.Companies == nil || c.Jobs == nil {
		return errors.New("grpcapi: Companies and Jobs are required")
	}
	partnercatalogv1.RegisterCompanyServiceServer(r, &companyServer{companies: c.Companies})
	partnercatalogv1.RegisterCompanyPageServiceServer(r, &companyPageServer{companies: c.Companies})
	partnercatalogv1.RegisterJobServiceServer(r, &jobServer{jobs: c.Jobs})
	partnercatalogv1.RegisterJobPostingServiceServer(r, &postingServer{jobs: c.Jobs})
	return nil
}
