package grpcapi

import (
	"google.golang.org/grpc"

	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"

	"vitae.internal/services/partnercatalog/internal/company"
)

// Register adds the service's methods to a gRPC server.
func Register(r grpc.ServiceRegistrar, companies *company.Service) {
	partnercatalogv1.RegisterCompanyServiceServer(r, &companyServer{companies: companies})
	partnercatalogv1.RegisterCompanyPageServiceServer(r, &companyPageServer{companies: companies})
}
