package grpcapi

import (
	"errors"

	"google.golang.org/grpc"

	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
	"vitae.internal/services/partnercatalog/internal/company"
	"vitae.internal/services/partnercatalog/internal/job"
)

// Config contains the use cases. Every field is required.
type Config struct {
	Companies *company.Service
	Jobs      *job.Service
}

// API is the gRPC services of partnercatalog.
type API struct{ useCases Config }

// New returns the services. It fails if a use case is missing.
func New(c Config) (*API, error) {
	if c.Companies == nil || c.Jobs == nil {
		return nil, errors.New("grpcapi: Companies and Jobs are required")
	}
	return &API{useCases: c}, nil
}

// Register adds the services to a gRPC server.
func (a *API) Register(r grpc.ServiceRegistrar) {
	c := a.useCases
	partnercatalogv1.RegisterCompanyServiceServer(r, &companyServer{companies: c.Companies})
	partnercatalogv1.RegisterCompanyPageServiceServer(r, &companyPageServer{companies: c.Companies})
	partnercatalogv1.RegisterJobServiceServer(r, &jobServer{jobs: c.Jobs})
	partnercatalogv1.RegisterJobPostingServiceServer(r, &postingServer{jobs: c.Jobs})
}
