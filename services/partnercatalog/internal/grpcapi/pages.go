package grpcapi

import (
	"context"

	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"

	"vitae.internal/services/partnercatalog/internal/company"
)

type companyPageServer struct {
	partnercatalogv1.UnimplementedCompanyPageServiceServer
	companies *company.Service
}

// GetCompanyPage implements partnercatalogv1.CompanyPageServiceServer.
func (s *companyPageServer) GetCompanyPage(ctx context.Context, req *partnercatalogv1.GetCompanyPageRequest) (*partnercatalogv1.GetCompanyPageResponse, error) {
	found, err := s.companies.Page(ctx, req.GetCompanyId())
	if err != nil {
		return nil, err
	}
	return &partnercatalogv1.GetCompanyPageResponse{Page: companyPageToProto(found)}, nil
}
