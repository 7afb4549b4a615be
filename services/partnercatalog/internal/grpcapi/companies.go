package grpcapi

import (
	"context"

	"google.golang.org/protobuf/types/known/timestamppb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"vitae.internal/pkg/fault"
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

// null returns a wrapper for a string field that is null in JSON if s is empty.
func null(s string) *wrapperspb.StringValue {
	if s == "" {
		return nil
	}
	return wrapperspb.String(s)
}

func companyToProto(c company.Company) *partnercatalogv1.Company {
	return &partnercatalogv1.Company{
		Id:            c.ID,
		Name:          c.Name,
		Slug:          c.Slug,
		Tagline:       null(c.Tagline),
		Description:   null(c.Description),
		Location:      null(c.Location),
		Website:       null(c.Website),
		Industry:      null(c.Industry),
		EmployeeCount: null(c.EmployeeCount),
		Founded:       null(c.Founded),
		Logo:          null(c.Logo),
		Banner:        null(c.Banner),
		Published:     c.Published,
		Verified:      c.Verified,
		ExternalId:    null(c.ExternalID),
		CreatedAt:     timestamppb.New(c.CreatedAt),
		UpdatedAt:     timestamppb.New(c.UpdatedAt),
	}
}

func companyPageToProto(c company.Company) *partnercatalogv1.CompanyPage {
	return &partnercatalogv1.CompanyPage{
		Company: companyToProto(c),
		AppId:   c.AppID,
		Socials: socialsToProto(c.Socials),
	}
}

func socialsToProto(s company.Socials) *partnercatalogv1.SocialLinks {
	link := func(platform company.Platform) *string {
		if link, ok := s[platform]; ok {
			return &link
		}
		return nil
	}
	return &partnercatalogv1.SocialLinks{
		Linkedin:  link(company.LinkedIn),
		Instagram: link(company.Instagram),
		Youtube:   link(company.YouTube),
		Whatsapp:  link(company.WhatsApp),
		Tiktok:    link(company.TikTok),
		X:         link(company.X),
		Facebook:  link(company.Facebook),
	}
}

func companyFromProto(req *partnercatalogv1.CreateCompanyRequest) company.New {
	return company.New{
		Name:          req.GetName(),
		Industry:      req.GetIndustry(),
		EmployeeCount: req.GetEmployeeCount(),
		Location:      req.GetLocation(),
		Description:   req.GetDescription(),
		Slug:          req.Slug,
		Website:       req.Website,
		Logo:          req.Logo,
		ExternalID:    req.ExternalId,
	}
}

// companyChangeFromProto converts the fields named in the mask. It returns
// PUBLIC_API_VALIDATION_ERROR for `update_mask` if the mask is invalid.
func companyChangeFromProto(req *partnercatalogv1.UpdateCompanyRequest) (company.Change, error) {
	change := company.Change{ID: req.GetCompanyId()}
	for _, path := range req.GetUpdateMask().GetPaths() {
		switch path {
		case "name":
			change.Name = &req.Name
		case "tagline":
			change.Tagline = &req.Tagline
		case "description":
			change.Description = &req.Description
		case "location":
			change.Location = &req.Location
		case "website":
			change.Website, change.ClearWebsite = req.Website, req.Website == nil
		case "industry":
			change.Industry = &req.Industry
		case "employee_count":
			change.EmployeeCount = &req.EmployeeCount
		case "logo":
			change.Logo, change.ClearLogo = req.Logo, req.Logo == nil
		case "socials":
			change.Socials = socialsFromProto(req.GetSocials())
		case "slug":
			change.Slug = &req.Slug
		case "external_id":
			change.ExternalID, change.NoExternalID = req.ExternalId, req.ExternalId == nil
		default:
			return company.Change{}, fault.Of(fault.CodeValidation, "update_mask",
				"must name top-level fields of a company that can be sent")
		}
	}
	return change, nil
}

// socialsFromProto converts the links in a request, including empty ones.
func socialsFromProto(links *partnercatalogv1.SocialLinks) company.Socials {
	if links == nil {
		return nil
	}
	out := company.Socials{}
	for platform, link := range map[company.Platform]*string{
		company.LinkedIn:  links.Linkedin,
		company.Instagram: links.Instagram,
		company.YouTube:   links.Youtube,
		company.WhatsApp:  links.Whatsapp,
		company.TikTok:    links.Tiktok,
		company.X:         links.X,
		company.Facebook:  links.Facebook,
	} {
		if link != nil {
			out[platform] = *link
		}
	}
	return out
}
