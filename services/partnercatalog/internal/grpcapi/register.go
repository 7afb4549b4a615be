package grpcapi

import (
	"google.golang.org/grpc"

	"vitae.internal/pkg/clock"
	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
	"vitae.internal/services/partnercatalog/internal/company"
	"vitae.internal/services/partnercatalog/internal/job"
)

// Store stores the data of all use cases.
type Store interface {
	company.Store
	job.Store
}

// API implements the gRPC services.
type API struct {
	companies *company.Service
	jobs      *job.Service
}

// New returns an API. It returns an error if a dependency is missing.
func New(store Store, c clock.Clock) (API, error) {
	companies, err := company.NewService(company.Config{Store: store, Clock: c})
	if err != nil {
		return API{}, err
	}
	jobs, err := job.NewService(job.Config{Store: store, Clock: c})
	return API{companies, jobs}, err
}

// Register registers the services on a gRPC server.
func (a API) Register(r grpc.ServiceRegistrar) {
	partnercatalogv1.RegisterCompanyServiceServer(r, &companyServer{companies: a.companies})
	partnercatalogv1.RegisterCompanyPageServiceServer(r, &companyPageServer{companies: a.companies})
	partnercatalogv1.RegisterJobServiceServer(r, &jobServer{jobs: a.jobs})
	partnercatalogv1.RegisterJobPostingServiceServer(r, &postingServer{jobs: a.jobs})
}
