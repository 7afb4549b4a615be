package grpcapi

import (
	"google.golang.org/protobuf/types/known/timestamppb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"

	"vitae.internal/services/partnercatalog/internal/company"
)

// null turns text into a wrapper, unset when it is empty: in the domain, empty
// text stands for none.
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
