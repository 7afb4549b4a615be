package grpcapi

import (
	"context"

	"vitae.internal/pkg/grpcserver"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	"vitae.internal/services/candidate/internal/message"
	"vitae.internal/services/candidate/internal/profile"
	"vitae.internal/services/candidate/internal/sharing"
)

type documentServer struct {
	candidatev1.UnimplementedDocumentServiceServer
	profiles *profile.Service
	shared   *sharing.Service
}

func (s *documentServer) ListDocuments(ctx context.Context, _ *candidatev1.ListDocumentsRequest) (*candidatev1.ListDocumentsResponse, error) {
	found, err := s.profiles.Documents(ctx, grpcserver.Person(ctx))
	if err != nil {
		return nil, err
	}
	return &candidatev1.ListDocumentsResponse{Documents: message.List(found, func(d profile.Document) *candidatev1.Document {
		return &candidatev1.Document{Cv: referenceToProto(d.CvReference), Template: templates.Value(string(d.Template))}
	})}, nil
}

func (s *documentServer) GetDocument(ctx context.Context, req *candidatev1.GetDocumentRequest) (*candidatev1.GetDocumentResponse, error) {
	shared, err := s.shared.Document(ctx, grpcserver.Person(ctx), req.GetCvId())
	if err != nil {
		return nil, err
	}
	return &candidatev1.GetDocumentResponse{Cv: shared.SharedCv, Template: templates.Value(string(shared.Template))}, nil
}

func (s *documentServer) ChooseTemplate(ctx context.Context, req *candidatev1.ChooseTemplateRequest) (*candidatev1.ChooseTemplateResponse, error) {
	chosen := profile.Template(templates.Word(req.GetTemplate()))
	if err := s.profiles.ChooseTemplate(ctx, grpcserver.Person(ctx), req.GetCvId(), chosen); err != nil {
		return nil, err
	}
	return &candidatev1.ChooseTemplateResponse{}, nil
}
