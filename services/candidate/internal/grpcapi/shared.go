package grpcapi

import (
	"context"

	"vitae.internal/pkg/principal"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
	"vitae.internal/services/candidate/internal/profile"
	"vitae.internal/services/candidate/internal/projection"
	"vitae.internal/services/candidate/internal/sharing"
)

type meServer struct {
	candidatev1.UnimplementedMeServiceServer
	shared *sharing.Service
}

func (s *meServer) GetMe(ctx context.Context, _ *candidatev1.GetMeRequest) (*candidatev1.GetMeResponse, error) {
	p := principal.FromContext(ctx)
	user, err := s.shared.User(ctx, consentFromProto(p))
	if err != nil {
		return nil, err
	}
	out := userToProto(user)
	out.Connection = connectionToProto(p, user.Cv)
	return &candidatev1.GetMeResponse{User: out}, nil
}

// GetSharedCv is also the source of the PDF behind a durable link.
func (s *meServer) GetSharedCv(ctx context.Context, _ *candidatev1.GetSharedCvRequest) (*candidatev1.GetSharedCvResponse, error) {
	p := principal.FromContext(ctx)
	shared, err := s.shared.Cv(ctx, consentFromProto(p))
	if err != nil {
		return nil, err
	}
	return &candidatev1.GetSharedCvResponse{Cv: SharedCvToProto(shared), Template: templates.Value(string(shared.Template))}, nil
}

func userToProto(u projection.User) *candidatev1.SignedInUser {
	out := &candidatev1.SignedInUser{
		Id:         u.ID,
		Name:       u.Name,
		Username:   null(u.Username),
		Headline:   null(u.Headline),
		Locale:     null(u.Locale),
		AvatarUrl:  null(u.AvatarURL),
		ProfileUrl: null(u.ProfileURL),
	}
	if u.Email != "" {
		out.Email = &u.Email
	}
	return out
}

func connectionToProto(p *identityv1.Principal, shared *profile.CvReference) *candidatev1.ConnectionSummary {
	out := &candidatev1.ConnectionSummary{
		Id:        p.GetConnectionId(),
		Scopes:    p.GetScopes(),
		CreatedAt: p.GetConnectedAt(),
	}
	if shared != nil {
		out.Cv = referenceToProto(*shared)
	}
	return out
}

// SharedCvToProto converts a projection, also for cvrender.
func SharedCvToProto(s projection.SharedCv) *cvv1.SharedCv {
	out := &cvv1.SharedCv{
		Id:               s.ID,
		Title:            s.Title,
		UpdatedAt:        timestamp(s.UpdatedAt),
		IsMainCv:         s.IsMainCv,
		Language:         s.Language,
		Document:         cvDocumentToProto(s.Document),
		PersonalDetails:  detailsToProto(s.PersonalDetails),
		PublicProfileUrl: null(s.PublicProfileURL),
	}
	if s.Pdf != nil {
		out.Pdf = &cvv1.CvPdf{Url: s.Pdf.URL, ContentType: s.Pdf.ContentType}
	}
	return out
}

func cvDocumentToProto(d projection.Document) *cvv1.CvDocument {
	return &cvv1.CvDocument{
		Username:          d.Username,
		PublicCvUrl:       null(d.PublicCvURL),
		Name:              d.Name,
		Title:             null(d.Title),
		Summary:           null(d.Summary),
		Bio:               null(d.Bio),
		Location:          null(d.Location),
		AvatarUrl:         null(d.AvatarURL),
		ContactEmail:      null(d.ContactEmail),
		IsUaePassVerified: d.IsUAEPassVerified,
		Socials:           d.Socials,
		OpenToWork:        d.OpenToWork,
		Skills:            d.Skills,
		SkillGroups:       mapped(d.SkillGroups, skillGroupToProto),
		Languages:         d.Languages,
		Highlights:        mapped(d.Highlights, highlightToProto),
		Experiences:       mapped(d.Experiences, experienceToProto),
		Educations:        mapped(d.Educations, educationToProto),
		Certifications:    mapped(d.Certifications, certificationToProto),
		Projects:          mapped(d.Projects, projectToProto),
	}
}

// consentFromProto returns the consent of a call.
func consentFromProto(p *identityv1.Principal) sharing.Consent {
	return sharing.Consent{
		Grant: projection.Grant{
			Scopes:     p.GetScopes(),
			SharePhoto: p.GetSharePhoto(),
			PdfURL:     p.GetCvLinkUrl(),
			PhotoURL:   p.GetPhotoUrl(),
		},
		PersonID: p.GetPersonId(),
		CvID:     p.GetCvId(),
	}
}
