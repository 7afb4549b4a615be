package grpcapi

import (
	"context"

	"vitae.internal/pkg/paging"
	"vitae.internal/pkg/principal"
	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
	"vitae.internal/services/partnercatalog/internal/company"
)

type companyServer struct {
	partnercatalogv1.UnimplementedCompanyServiceServer
	companies *company.Service
}

func (s *companyServer) ListCompanies(ctx context.Context, req *partnercatalogv1.ListCompaniesRequest) (*partnercatalogv1.ListCompaniesResponse, error) {
	appID := principal.FromContext(ctx).GetAppId()
	page, err := paging.Parse(req.Page, req.PageSize)
	if err != nil {
		return nil, err
	}
	list, total, err := s.companies.List(ctx, appID, page.Offset(), int64(page.Size))
	if err != nil {
		return nil, err
	}
	out := &partnercatalogv1.ListCompaniesResponse{Paging: page.Of(total)}
	for _, c := range list {
		out.Companies = append(out.Companies, companyToProto(c))
	}
	return out, nil
}

func (s *companyServer) GetCompany(ctx context.Context, req *partnercatalogv1.GetCompanyRequest) (*partnercatalogv1.GetCompanyResponse, error) {
	appID := principal.FromContext(ctx).GetAppId()
	found, err := s.companies.Get(ctx, appID, req.GetCompanyId())
	if err != nil {
		return nil, err
	}
	return &partnercatalogv1.GetCompanyResponse{Company: companyToProto(found)}, nil
}

func (s *companyServer) CreateCompany(ctx context.Context, req *partnercatalogv1.CreateCompanyRequest) (*partnercatalogv1.CreateCompanyResponse, error) {
	appID := principal.FromContext(ctx).GetAppId()
	wanted := companyFromProto(req)
	if req.GetValidateOnly() {
		if err := s.companies.ValidateCreate(ctx, appID, wanted); err != nil {
			return nil, err
		}
		return &partnercatalogv1.CreateCompanyResponse{}, nil
	}
	created, existed, err := s.companies.Create(ctx, appID, wanted)
	if err != nil {
		return nil, err
	}
	return &partnercatalogv1.CreateCompanyResponse{Company: companyToProto(created), Existed: existed}, nil
}

func (s *companyServer) UpdateCompany(ctx context.Context, req *partnercatalogv1.UpdateCompanyRequest) (*partnercatalogv1.UpdateCompanyResponse, error) {
	appID := principal.FromContext(ctx).GetAppId()
	change, err := companyChangeFromProto(req)
	if err != nil {
		return nil, err
	}
	changed, err := s.companies.Update(ctx, appID, change)
	if err != nil {
		return nil, err
	}
	return &partnercatalogv1.UpdateCompanyResponse{Company: companyToProto(changed)}, nil
}
