package people

import (
	"context"

	"google.golang.org/protobuf/types/known/timestamppb"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	"vitae.internal/services/auth/internal/people/passkey"
	"vitae.internal/services/auth/internal/people/session"
	"vitae.internal/services/auth/internal/people/signup"
)

type passkeyServer struct {
	authv1.UnimplementedPasskeyServiceServer
	passkeys *passkey.Service
	signUps  *signup.Service
	sessions *session.Service
}

// purposes maps the ceremony purposes to the domain's purposes. Sign-up is not among them.
var purposes = map[authv1.CeremonyPurpose]passkey.Purpose{
	authv1.CeremonyPurpose_CEREMONY_PURPOSE_ADD:     passkey.Add,
	authv1.CeremonyPurpose_CEREMONY_PURPOSE_SIGN_IN: passkey.SignIn,
	authv1.CeremonyPurpose_CEREMONY_PURPOSE_PROVE:   passkey.Prove,
}

func (s *passkeyServer) StartCeremony(ctx context.Context, req *authv1.StartCeremonyRequest) (*authv1.StartCeremonyResponse, error) {
	var options []byte
	var err error
	if req.GetPurpose() == authv1.CeremonyPurpose_CEREMONY_PURPOSE_SIGN_UP {
		options, err = s.signUps.StartPasskey(ctx, req.GetBoundTo())
	} else {
		options, err = s.passkeys.Start(ctx, purposes[req.GetPurpose()], req.GetBoundTo())
	}
	if err != nil {
		return nil, err
	}
	return &authv1.StartCeremonyResponse{Options: options}, nil
}

func (s *passkeyServer) ListPasskeys(ctx context.Context, req *authv1.ListPasskeysRequest) (*authv1.ListPasskeysResponse, error) {
	all, password, err := s.passkeys.List(ctx, req.GetSessionToken())
	if err != nil {
		return nil, err
	}
	resp := &authv1.ListPasskeysResponse{HasPassword: password}
	for _, one := range all {
		resp.Passkeys = append(resp.Passkeys, passkeyToProto(one))
	}
	return resp, nil
}

func passkeyToProto(p passkey.Passkey) *authv1.Passkey {
	shown := &authv1.Passkey{Id: p.ID, Name: p.Name, CreatedAt: timestamppb.New(p.CreatedAt)}
	if p.UsedAt != nil {
		shown.UsedAt = timestamppb.New(*p.UsedAt)
	}
	return shown
}

func (s *passkeyServer) AddPasskey(ctx context.Context, req *authv1.AddPasskeyRequest) (*authv1.AddPasskeyResponse, error) {
	added, err := s.passkeys.Add(ctx, req.GetSessionToken(), req.GetName(), req.GetCredential())
	if err != nil {
		return nil, err
	}
	return &authv1.AddPasskeyResponse{Passkey: passkeyToProto(added)}, nil
}

func (s *passkeyServer) RenamePasskey(ctx context.Context, req *authv1.RenamePasskeyRequest) (*authv1.RenamePasskeyResponse, error) {
	return &authv1.RenamePasskeyResponse{}, s.passkeys.Rename(ctx, req.GetSessionToken(), req.GetId(), req.GetName())
}

func (s *passkeyServer) RemovePasskey(ctx context.Context, req *authv1.RemovePasskeyRequest) (*authv1.RemovePasskeyResponse, error) {
	return &authv1.RemovePasskeyResponse{}, s.passkeys.Remove(ctx, req.GetSessionToken(), req.GetId())
}

func (s *passkeyServer) RemovePassword(ctx context.Context, req *authv1.RemovePasswordRequest) (*authv1.RemovePasswordResponse, error) {
	return &authv1.RemovePasswordResponse{}, s.passkeys.RemovePassword(ctx, req.GetSessionToken())
}

func (s *passkeyServer) SignInWithPasskey(ctx context.Context, req *authv1.SignInWithPasskeyRequest) (*authv1.SignInWithPasskeyResponse, error) {
	opened, err := s.passkeys.SignIn(ctx, req.GetBoundTo(), req.GetCredential(), session.SignIn{
		ClientIP: req.GetClientIp(), Previous: req.GetPreviousSessionToken(), Device: req.GetDeviceToken(),
		Browser: browserFromProto(req.GetBrowser()), Language: req.GetLanguage(),
	})
	if err != nil {
		return nil, err
	}
	return &authv1.SignInWithPasskeyResponse{Session: openedToProto(opened)}, nil
}

func (s *passkeyServer) ProvePresence(ctx context.Context, req *authv1.ProvePresenceRequest) (*authv1.ProvePresenceResponse, error) {
	if answer := req.GetCredential(); len(answer) > 0 {
		return &authv1.ProvePresenceResponse{}, s.passkeys.Prove(ctx, req.GetSessionToken(), answer, req.GetClientIp())
	}
	return &authv1.ProvePresenceResponse{}, s.sessions.ProveByPassword(ctx, req.GetSessionToken(), session.SignIn{
		Password: req.GetPassword(), ClientIP: req.GetClientIp(), Device: req.GetDeviceToken(), DeviceSince: timeOf(req.GetDeviceSince()),
	})
}
