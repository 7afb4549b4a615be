package people

import (
	"context"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	"vitae.internal/services/auth/internal/people/session"
	"vitae.internal/services/auth/internal/people/signup"
)

type signUpServer struct {
	authv1.UnimplementedSignUpServiceServer
	signUps *signup.Service
}

func (s *signUpServer) StartSignUp(ctx context.Context, req *authv1.StartSignUpRequest) (*authv1.StartSignUpResponse, error) {
	pending, err := s.signUps.Start(ctx, signup.Wanted{
		Name: req.GetName(), Email: req.GetEmail(), Password: req.GetPassword(), Language: req.GetLanguage(),
		ClientIP: req.GetClientIp(), Pending: req.GetPending(),
	})
	return &authv1.StartSignUpResponse{Pending: pending}, err
}

func (s *signUpServer) GetSignUp(ctx context.Context, req *authv1.GetSignUpRequest) (*authv1.GetSignUpResponse, error) {
	p, err := s.signUps.Get(ctx, req.GetToken())
	if err != nil {
		return nil, err
	}
	return &authv1.GetSignUpResponse{Email: p.Email}, nil
}

func (s *signUpServer) CompleteSignUp(ctx context.Context, req *authv1.CompleteSignUpRequest) (*authv1.CompleteSignUpResponse, error) {
	in := session.SignIn{
		Password: req.GetPassword(), ClientIP: req.GetClientIp(), Previous: req.GetPreviousSessionToken(),
		Device: req.GetDeviceToken(), DeviceSince: timeOf(req.GetDeviceSince()), Browser: browserFromProto(req.GetBrowser()), Language: req.GetLanguage(),
	}
	var opened session.Opened
	var err error
	if answer := req.GetPasskey(); len(answer) > 0 {
		opened, err = s.signUps.CompleteWithPasskey(ctx, req.GetToken(), req.GetPasskeyName(), answer, in)
	} else {
		opened, err = s.signUps.Complete(ctx, req.GetToken(), in)
	}
	if err != nil {
		return nil, err
	}
	return &authv1.CompleteSignUpResponse{Session: openedToProto(opened)}, nil
}

func (s *signUpServer) ListNewProfiles(ctx context.Context, req *authv1.ListNewProfilesRequest) (*authv1.ListNewProfilesResponse, error) {
	list, err := s.signUps.NewProfiles(ctx, req.GetPersonId())
	resp := &authv1.ListNewProfilesResponse{Profiles: make([]*authv1.NewProfile, len(list))}
	for i, p := range list {
		resp.Profiles[i] = &authv1.NewProfile{Person: personToProto(p.Person), Name: p.Name}
	}
	return resp, err
}

func (s *signUpServer) DropNewProfile(ctx context.Context, req *authv1.DropNewProfileRequest) (*authv1.DropNewProfileResponse, error) {
	return &authv1.DropNewProfileResponse{}, s.signUps.DropNewProfile(ctx, req.GetPersonId())
}
