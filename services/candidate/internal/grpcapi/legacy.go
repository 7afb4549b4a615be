package grpcapi

import (
	"context"

	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/principal"
	"vitae.internal/services/candidate/internal/projection"
	"vitae.internal/services/candidate/internal/sharing"
)

const legacyToken = identityv1.CredentialKind_CREDENTIAL_KIND_LEGACY_TOKEN

type legacyServer struct {
	candidatev1.UnimplementedLegacyProfileServiceServer
	shared *sharing.Service
}

// errNotLegacy is for a call of anyone but a token of the older interface: there no
// other credential is one.
var errNotLegacy = errs.New(errs.Unauthenticated, "PRINCIPAL_MISSING", "The call names no principal of the older interface.")

// GetLegacyProfile implements candidatev1.LegacyProfileServiceServer.
func (s *legacyServer) GetLegacyProfile(ctx context.Context, _ *candidatev1.GetLegacyProfileRequest) (*candidatev1.GetLegacyProfileResponse, error) {
	if principal.FromContext(ctx).GetKind() != legacyToken {
		return nil, errNotLegacy
	}
	p, err := require(ctx, projection.ScopeLegacy, legacyToken)
	if err != nil {
		return nil, err
	}
	shown, err := s.shared.Legacy(ctx, consentOf(p))
	if err != nil {
		return nil, err
	}
	return &candidatev1.GetLegacyProfileResponse{Profile: legacyToProto(shown)}, nil
}
