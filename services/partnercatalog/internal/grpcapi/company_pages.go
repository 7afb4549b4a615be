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

func (s *companyPageServer) GetCompanyPage(ctx context.Context, req *partnercatalogv1.GetCompanyPageRequest) (*partnercatalogv1.GetCompanyPageResponse, error) {
	found, err := s.companies.Page(ctx, req.GetCompanyId())
	if err != nil {
		return nil, err
	}
	return &partnercatalogv1.GetCompanyPageResponse{Page: companyPageToProto(found)}, nil
}

func (s *companyPageServer) SetCompanyPage(ctx context.Context, req *partnercatalogv1.SetCompanyPageRequest) (*partnercatalogv1.SetCompanyPageResponse, error) {
	changed, err := s.companies.SetPage(ctx, company.Change{
		ID:        req.GetCompanyId(),
		Published: req.Published,
		Verified:  req.Verified,
		Banner:    req.Banner,
		Founded:   req.Founded,
	})
	if err != nil {
		return nil, err
	}
	return &partnercatalogv1.SetCompanyPageResponse{Page: companyPageToProto(changed)}, nil
}
