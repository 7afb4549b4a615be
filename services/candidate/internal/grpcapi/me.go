package grpcapi

import (
	"context"

	"vitae.internal/pkg/principal"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
	"vitae.internal/services/candidate/internal/projection"
	"vitae.internal/services/candidate/internal/sharing"
)

type meServer struct {
	candidatev1.UnimplementedMeServiceServer
	shared *sharing.Service
}

// GetMe implements candidatev1.MeServiceServer.
func (s *meServer) GetMe(ctx context.Context, _ *candidatev1.GetMeRequest) (*candidatev1.GetMeResponse, error) {
	p := principal.FromContext(ctx)
	user, err := s.shared.User(ctx, consentOf(p))
	if err != nil {
		return nil, err
	}
	out := userToProto(user)
	out.Connection = connectionToProto(p, user.Cv)
	return &candidatev1.GetMeResponse{User: out}, nil
}

// GetSharedCv implements candidatev1.MeServiceServer. A durable link opens it
// too: its PDF is made of this answer.
func (s *meServer) GetSharedCv(ctx context.Context, _ *candidatev1.GetSharedCvRequest) (*candidatev1.GetSharedCvResponse, error) {
	p := principal.FromContext(ctx)
	shared, err := s.shared.Cv(ctx, consentOf(p))
	if err != nil {
		return nil, err
	}
	return &candidatev1.GetSharedCvResponse{Cv: sharedToProto(shared)}, nil
}

func consentOf(p *identityv1.Principal) sharing.Consent {
	return sharing.Consent{
		Grant: projection.Grant{
			Scopes:     p.GetScopes(),
			SharePhoto: p.GetSharePhoto(),
			PdfURL:     p.GetCvLinkUrl(),
		},
		PersonID: p.GetPersonId(),
		CvID:     p.GetCvId(),
	}
}
