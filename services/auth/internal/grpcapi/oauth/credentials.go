package oauth

import (
	"context"

	"vitae.internal/pkg/credential"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	"vitae.internal/services/auth/internal/credentials/state"
)

type credentialServer struct {
	authv1.UnimplementedCredentialServiceServer
	credentials *state.Service
}

func (s *credentialServer) ResolveCredential(ctx context.Context, req *authv1.ResolveCredentialRequest) (*authv1.ResolveCredentialResponse, error) {
	if len(req.GetHash()) != len(credential.Digest{}) {
		return nil, state.ErrUnknown
	}
	kind := state.Kind(credentialKinds.Word(req.GetKind()))
	record, err := s.credentials.Resolve(ctx, kind, credential.Digest(req.GetHash()))
	if err != nil {
		return nil, err
	}
	return &authv1.ResolveCredentialResponse{Record: SessionRecordToProto(record)}, nil
}

func (s *credentialServer) ResolvePhotoAddress(ctx context.Context, req *authv1.ResolvePhotoAddressRequest) (*authv1.ResolvePhotoAddressResponse, error) {
	found, err := s.credentials.PhotoAddress(ctx, req.GetConnectionId(), req.GetVersion())
	if err != nil {
		return nil, err
	}
	return &authv1.ResolvePhotoAddressResponse{AccountId: found.AccountID, AppId: found.AppID, PersonId: found.PersonID}, nil
}
