package grpcapi

import (
	"context"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/grpcserver"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	"vitae.internal/services/candidate/internal/message"
	"vitae.internal/services/candidate/internal/newprofile"
	"vitae.internal/services/candidate/internal/profile"
	"vitae.internal/services/candidate/internal/sharing"
)

type profileServer struct {
	candidatev1.UnimplementedProfileServiceServer
	profiles    *profile.Service
	newProfiles *newprofile.Service
	shared      *sharing.Service
}

func (s *profileServer) CreateProfile(ctx context.Context, req *candidatev1.CreateProfileRequest) (*candidatev1.CreateProfileResponse, error) {
	wanted := profileFromProto(req.GetProfile())
	if req.GetValidateOnly() {
		if err := s.profiles.ValidateCreate(ctx, wanted); err != nil {
			return nil, err
		}
		return &candidatev1.CreateProfileResponse{}, nil
	}
	created, err := s.profiles.Create(ctx, wanted)
	if err != nil {
		return nil, err
	}
	return &candidatev1.CreateProfileResponse{Profile: profileToProto(created)}, nil
}

func (s *profileServer) CreateOwnProfile(ctx context.Context, _ *candidatev1.CreateOwnProfileRequest) (*candidatev1.CreateOwnProfileResponse, error) {
	created, err := s.newProfiles.Create(ctx, grpcserver.Person(ctx))
	if err == nil && !created {
		audit.FromContext(ctx).Skip()
	}
	return &candidatev1.CreateOwnProfileResponse{}, err
}

func (s *profileServer) GetProfile(ctx context.Context, req *candidatev1.GetProfileRequest) (*candidatev1.GetProfileResponse, error) {
	var found profile.Profile
	var err error
	if by, ok := req.GetBy().(*candidatev1.GetProfileRequest_Username); ok {
		found, err = s.profiles.ByUsername(ctx, by.Username)
	} else {
		found, err = s.profiles.ByID(ctx, req.GetPersonId())
	}
	if err != nil {
		return nil, err
	}
	audit.FromContext(ctx).Note(audit.About{PersonID: found.ID, ObjectID: found.ID})
	return &candidatev1.GetProfileResponse{Profile: profileToProto(found)}, nil
}

func (s *profileServer) UpdateProfile(ctx context.Context, req *candidatev1.UpdateProfileRequest) (*candidatev1.UpdateProfileResponse, error) {
	mask := message.List(req.GetUpdateMask().GetPaths(), func(path string) profile.Field { return profile.Field(path) })
	updated, err := s.profiles.Update(ctx, profileFromProto(req.GetProfile()), mask)
	if err != nil {
		return nil, err
	}
	return &candidatev1.UpdateProfileResponse{Profile: profileToProto(updated)}, nil
}

func (s *profileServer) CreateCv(ctx context.Context, req *candidatev1.CreateCvRequest) (*candidatev1.CreateCvResponse, error) {
	content := req.GetContent()
	if req.GetValidateOnly() {
		if err := profile.ValidateCreateCv(req.GetTitle(), content); err != nil {
			return nil, err
		}
		return &candidatev1.CreateCvResponse{}, nil
	}
	created, err := s.profiles.CreateCv(ctx, req.GetPersonId(), req.GetTitle(), content)
	if err != nil {
		return nil, err
	}
	return &candidatev1.CreateCvResponse{Cv: cvToProto(created)}, nil
}

func (s *profileServer) GetCv(ctx context.Context, req *candidatev1.GetCvRequest) (*candidatev1.GetCvResponse, error) {
	found, err := s.profiles.Cv(ctx, req.GetId())
	if err != nil {
		return nil, err
	}
	audit.FromContext(ctx).Note(audit.About{PersonID: found.PersonID})
	return &candidatev1.GetCvResponse{Cv: cvToProto(found)}, nil
}

func (s *profileServer) UpdateCv(ctx context.Context, req *candidatev1.UpdateCvRequest) (*candidatev1.UpdateCvResponse, error) {
	updated, err := s.profiles.UpdateCv(ctx, profile.CvChange{
		Cv:         profile.Cv{ID: req.GetId(), Title: req.GetTitle(), Content: req.GetContent()},
		NewTitle:   req.Title != nil,
		NewContent: req.Content != nil,
	})
	if err != nil {
		return nil, err
	}
	return &candidatev1.UpdateCvResponse{Cv: cvToProto(updated)}, nil
}

func (s *profileServer) DeleteCv(ctx context.Context, req *candidatev1.DeleteCvRequest) (*candidatev1.DeleteCvResponse, error) {
	if err := s.profiles.DeleteCv(ctx, req.GetId()); err != nil {
		return nil, err
	}
	return &candidatev1.DeleteCvResponse{}, nil
}

func (s *profileServer) ListCvs(ctx context.Context, req *candidatev1.ListCvsRequest) (*candidatev1.ListCvsResponse, error) {
	choice, err := s.profiles.Choice(ctx, req.GetPersonId())
	if err != nil {
		return nil, err
	}
	return &candidatev1.ListCvsResponse{
		Cvs:      message.List(choice.Cvs, referenceToProto),
		Name:     choice.Name,
		HasPhoto: choice.HasPhoto,
	}, nil
}

func (s *profileServer) ListOwnCvs(ctx context.Context, req *candidatev1.ListOwnCvsRequest) (*candidatev1.ListOwnCvsResponse, error) {
	choice, err := s.profiles.Choice(ctx, grpcserver.Person(ctx))
	if err == nil && req.GetCvId() != "" {
		err = choice.Check(req.GetCvId())
	}
	if err != nil {
		return nil, err
	}
	return &candidatev1.ListOwnCvsResponse{
		Cvs:      message.List(choice.Cvs, referenceToProto),
		Name:     choice.Name,
		HasPhoto: choice.HasPhoto,
		Drafts:   choice.Drafts,
	}, nil
}

func (s *profileServer) GetPublicProfile(ctx context.Context, req *candidatev1.GetPublicProfileRequest) (*candidatev1.GetPublicProfileResponse, error) {
	page, err := s.shared.Public(ctx, req.GetUsername())
	if err != nil {
		return nil, err
	}
	out := &candidatev1.GetPublicProfileResponse{User: page.User}
	if page.Cv != nil {
		out.Cv, out.Template = page.Cv.SharedCv, templates.Value(string(page.Cv.Template))
	}
	return out, nil
}

func profileFromProto(p *candidatev1.Profile) profile.Profile {
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
			Details:         p.GetPersonalDetails(),
			Phone:           p.GetPhone(),
			Address:         p.GetAddress(),
		},
		Content: p.GetContent(),
	}
}

func profileToProto(p profile.Profile) *candidatev1.Profile {
	return &candidatev1.Profile{
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
		PersonalDetails: p.Details,
		Phone:           p.Phone,
		Address:         p.Address,
		Content:         p.Content,
		CreatedAt:       message.Time(p.CreatedAt),
		UpdatedAt:       message.Time(p.UpdatedAt),
	}
}

func cvToProto(c profile.Cv) *candidatev1.Cv {
	return &candidatev1.Cv{
		Id:        c.ID,
		PersonId:  c.PersonID,
		Title:     c.Title,
		Content:   c.Content,
		CreatedAt: message.Time(c.CreatedAt),
		UpdatedAt: message.Time(c.UpdatedAt),
		Template:  templates.Value(string(c.Template)),
	}
}

func referenceToProto(r profile.CvReference) *candidatev1.CvReference {
	return &candidatev1.CvReference{Id: r.ID, Title: r.Title, UpdatedAt: message.Time(r.UpdatedAt)}
}
