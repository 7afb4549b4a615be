package grpcapi

import (
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
	"vitae.internal/services/candidate/internal/profile"
)

func profileFromProto(p *candidatev1.Profile) profile.Profile {
	d := p.GetPersonalDetails()
	return profile.Profile{
		Person: profile.Person{
			ID:              p.GetPersonId(),
			Email:           p.GetEmail(),
			EmailVerified:   p.GetEmailVerified(),
			Name:            p.GetName(),
			Username:        p.GetUsername(),
			Headline:        p.GetHeadline(),
			Locale:          p.GetLocale(),
			AvatarURL:       p.GetAvatarUrl(),
			UAEPassVerified: p.GetUaePassVerified(),
			OpenToWork:      p.GetOpenToWork(),
			Public:          p.GetProfilePublic(),
			Details: profile.Details{
				DateOfBirth:     d.GetDateOfBirth().GetValue(),
				Gender:          d.GetGender().GetValue(),
				MaritalStatus:   d.GetMaritalStatus().GetValue(),
				Nationality:     d.GetNationality().GetValue(),
				Residence:       d.GetResidence().GetValue(),
				VisaResidency:   d.GetVisaResidency().GetValue(),
				NationalService: d.GetNationalService().GetValue(),
				Dependents:      d.GetDependents().GetValue(),
			},
			Phone:   p.GetPhone(),
			Address: p.GetAddress(),
		},
		Content: contentFromProto(p.GetContent()),
	}
}

func profileToProto(p profile.Profile) *candidatev1.Profile {
	out := &candidatev1.Profile{
		PersonId:        p.ID,
		Email:           p.Email,
		EmailVerified:   p.EmailVerified,
		Name:            p.Name,
		Username:        p.Username,
		Headline:        p.Headline,
		Locale:          p.Locale,
		AvatarUrl:       p.PhotoAddress(),
		UaePassVerified: p.UAEPassVerified,
		OpenToWork:      p.OpenToWork,
		ProfilePublic:   p.Public,
		Phone:           p.Phone,
		Address:         p.Address,
		Content:         contentToProto(p.Content),
		CreatedAt:       timestamp(p.CreatedAt),
		UpdatedAt:       timestamp(p.UpdatedAt),
	}
	if p.Details != (profile.Details{}) {
		out.PersonalDetails = detailsToProto(&p.Details)
	}
	return out
}

func detailsToProto(d *profile.Details) *cvv1.PersonalDetails {
	if d == nil {
		return nil
	}
	return &cvv1.PersonalDetails{
		DateOfBirth:     null(d.DateOfBirth),
		Gender:          null(d.Gender),
		MaritalStatus:   null(d.MaritalStatus),
		Nationality:     null(d.Nationality),
		Residence:       null(d.Residence),
		VisaResidency:   null(d.VisaResidency),
		NationalService: null(d.NationalService),
		Dependents:      null(d.Dependents),
	}
}

func cvToProto(c profile.Cv) *candidatev1.Cv {
	return &candidatev1.Cv{
		Id:        c.ID,
		PersonId:  c.PersonID,
		Title:     c.Title,
		Content:   contentToProto(c.Content),
		CreatedAt: timestamp(c.CreatedAt),
		UpdatedAt: timestamp(c.UpdatedAt),
		Template:  templates.Value(string(c.Template)),
	}
}

func referenceToProto(r profile.CvReference) *candidatev1.CvReference {
	return &candidatev1.CvReference{Id: r.ID, Title: r.Title, UpdatedAt: timestamp(r.UpdatedAt)}
}
