package grpcapi

import (
	"context"

	"vitae.internal/pkg/principal"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	"vitae.internal/services/candidate/internal/projection"
	"vitae.internal/services/candidate/internal/sharing"
)

type legacyProfileServer struct {
	candidatev1.UnimplementedLegacyProfileServiceServer
	shared *sharing.Service
}

func (s *legacyProfileServer) GetLegacyProfile(ctx context.Context, _ *candidatev1.GetLegacyProfileRequest) (*candidatev1.GetLegacyProfileResponse, error) {
	shown, err := s.shared.Legacy(ctx, consentFromProto(principal.FromContext(ctx)))
	if err != nil {
		return nil, err
	}
	return &candidatev1.GetLegacyProfileResponse{Profile: legacyProfileToProto(shown)}, nil
}

func legacyProfileToProto(p projection.LegacyProfile) *candidatev1.LegacyProfile {
	out := &candidatev1.LegacyProfile{
		Name:           optional(p.Name),
		Email:          optional(p.Email),
		PhoneNumber:    optional(p.PhoneNumber),
		Location:       optional(p.Location),
		Headline:       optional(p.Headline),
		CvUrl:          optional(p.CvURL),
		ProfilePicture: optional(p.ProfilePicture),
		Skills:         p.Skills,
		Experience:     mapped(p.Experience, legacyExperienceToProto),
		Education:      mapped(p.Education, legacyEducationToProto),
		Certifications: mapped(p.Certifications, legacyCertificationToProto),
		Languages:      p.Languages,
	}
	if p.Socials != (projection.LegacySocials{}) {
		out.SocialLinks = &candidatev1.LegacySocialLinks{
			Linkedin: optional(p.Socials.LinkedIn), Github: optional(p.Socials.GitHub), Portfolio: optional(p.Socials.Portfolio),
		}
	}
	return out
}

func legacyExperienceToProto(e projection.LegacyExperience) *candidatev1.LegacyExperience {
	return &candidatev1.LegacyExperience{
		Title: e.Title, Company: e.Company, Location: optional(e.Location),
		StartDate: optional(e.StartDate), EndDate: optional(e.EndDate), Current: e.Current,
		Description: optional(e.Description),
	}
}

func legacyEducationToProto(e projection.LegacyEducation) *candidatev1.LegacyEducation {
	return &candidatev1.LegacyEducation{
		Degree: optional(e.Degree), Institution: e.Institution, GraduationYear: optional(e.GraduationYear), Field: optional(e.Field),
	}
}

func legacyCertificationToProto(c projection.LegacyCertification) *candidatev1.LegacyCertification {
	return &candidatev1.LegacyCertification{Name: c.Name, Issuer: c.Issuer, Year: optional(c.Year)}
}
