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

func (s *meServer) GetMe(ctx context.Context, _ *candidatev1.GetMeRequest) (*candidatev1.GetMeResponse, error) {
	p := principal.FromContext(ctx)
	user, err := s.shared.User(ctx, consentFromProto(p))
	if err != nil {
		return nil, err
	}
	if user.Connection == nil {
		user.Connection = &candidatev1.ConnectionSummary{}
	}
	c := user.Connection
	c.Id, c.Scopes, c.CreatedAt = p.GetConnectionId(), p.GetScopes(), p.GetConnectedAt()
	return &candidatev1.GetMeResponse{User: user}, nil
}

// GetSharedCv also provides the content for the PDF behind a durable link.
func (s *meServer) GetSharedCv(ctx context.Context, _ *candidatev1.GetSharedCvRequest) (*candidatev1.GetSharedCvResponse, error) {
	p := principal.FromContext(ctx)
	shared, err := s.shared.Cv(ctx, consentFromProto(p))
	if err != nil {
		return nil, err
	}
	return &candidatev1.GetSharedCvResponse{Cv: shared.SharedCv, Template: templates.Value(string(shared.Template))}, nil
}

// consentFromProto returns the consent on which a call is based.
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
