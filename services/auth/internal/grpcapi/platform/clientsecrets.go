package platform

import (
	"context"

	"google.golang.org/protobuf/types/known/timestamppb"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	"vitae.internal/services/auth/internal/grpcapi/convert"
	"vitae.internal/services/auth/internal/platform/app"
)

func (s *developerServer) RotateClientSecret(ctx context.Context, req *authv1.RotateClientSecretRequest) (*authv1.RotateClientSecretResponse, error) {
	rotated, err := s.apps.RotateSecret(ctx, app.SecretRotation{
		AppID: req.GetAppId(), Overlap: req.GetOverlap().AsDuration(), EndOlder: req.GetEndOlder(), By: actorOf(ctx),
	})
	if err != nil {
		return nil, err
	}
	return &authv1.RotateClientSecretResponse{
		App: AppToProto(rotated.App), ClientSecret: rotated.Secret, Secrets: clientSecretsToProto(rotated.Live),
	}, nil
}

func (s *developerServer) ListClientSecrets(ctx context.Context, req *authv1.ListClientSecretsRequest) (*authv1.ListClientSecretsResponse, error) {
	secrets, err := s.apps.ClientSecrets(ctx, req.GetAppId())
	if err != nil {
		return nil, err
	}
	return &authv1.ListClientSecretsResponse{Secrets: clientSecretsToProto(secrets)}, nil
}

func (s *developerServer) DeleteClientSecret(ctx context.Context, req *authv1.DeleteClientSecretRequest) (*authv1.DeleteClientSecretResponse, error) {
	return &authv1.DeleteClientSecretResponse{}, s.apps.DeleteClientSecret(ctx, app.SecretDeletion{
		SecretID: req.GetId(), AllowLast: req.GetAllowLast(),
	})
}

func (s *developerServer) SetClientSecretExpiry(ctx context.Context, req *authv1.SetClientSecretExpiryRequest) (*authv1.SetClientSecretExpiryResponse, error) {
	secret, err := s.apps.SetClientSecretExpiry(ctx, app.SecretExpiry{
		SecretID: req.GetId(), ExpiresAt: convert.TimeFromProto(req.GetExpiresAt()), AllowLast: req.GetAllowLast(),
	})
	if err != nil {
		return nil, err
	}
	return &authv1.SetClientSecretExpiryResponse{Secret: clientSecretToProto(secret)}, nil
}

func clientSecretsToProto(secrets []app.ClientSecret) []*authv1.ClientSecret {
	out := make([]*authv1.ClientSecret, 0, len(secrets))
	for _, s := range secrets {
		out = append(out, clientSecretToProto(s))
	}
	return out
}

func clientSecretToProto(s app.ClientSecret) *authv1.ClientSecret {
	return &authv1.ClientSecret{
		Id: s.ID, AppId: s.AppID, CreatedAt: timestamppb.New(s.CreatedAt), CreatedBy: s.CreatedBy,
		LastUsedAt: convert.TimeToProto(s.LastUsedAt), ExpiresAt: convert.TimeToProto(s.ExpiresAt),
	}
}
