package grpcapi

import (
	"context"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	"vitae.internal/services/auth/internal/livestate"
	"vitae.internal/services/auth/internal/recordpb"
)

// Credentials serves CredentialService.
type Credentials struct {
	authv1.UnimplementedCredentialServiceServer
	Resolver *livestate.Resolver
}

// ResolveCredential implements authv1.CredentialServiceServer.
func (c *Credentials) ResolveCredential(ctx context.Context, req *authv1.ResolveCredentialRequest) (*authv1.ResolveCredentialResponse, error) {
	kind, known := recordpb.Kind(req.GetKind())
	if !known || len(req.GetHash()) != len(livestate.Hash{}) {
		return nil, livestate.ErrUnknown
	}
	record, err := c.Resolver.Resolve(ctx, kind, livestate.Hash(req.GetHash()))
	if err != nil {
		return nil, err
	}
	return &authv1.ResolveCredentialResponse{Record: recordpb.From(record)}, nil
}
