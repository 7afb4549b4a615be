package grpcapi

import (
	"context"

	"vitae.internal/pkg/audit"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	"vitae.internal/services/candidate/internal/profile"
	"vitae.internal/services/candidate/internal/sharing"
)

type documentServer struct {
	candidatev1.UnimplementedDocumentServiceServer
	profiles *profile.Service
	shared   *sharing.Service
}

// ListDocuments implements candidatev1.DocumentServiceServer.
func (s *documentServer) ListDocuments(ctx context.Context, req *candidatev1.ListDocumentsRequest) (*candidatev1.ListDocumentsResponse, error) {
	found, err := s.profiles.Documents(ctx, req.GetPersonId())
	if err != nil {
		return nil, err
	}
	return &candidatev1.ListDocumentsResponse{Documents: mapped(found, func(d profile.Document) *candidatev1.Document {
		return &candidatev1.Document{Cv: referenceToProto(d.CvReference), Template: templates.Value(string(d.Template))}
	})}, nil
}

// GetDocument implements candidatev1.DocumentServiceServer.
func (s *documentServer) GetDocument(ctx context.Context, req *candidatev1.GetDocumentRequest) (*candidatev1.GetDocumentResponse, error) {
	audit.FromContext(ctx).Note(audit.About{PersonID: req.GetPersonId()})
	shared, err := s.shared.Document(ctx, req.GetPersonId(), req.GetCvId())
	if err != nil {
		return nil, err
	}
	return &candidatev1.GetDocumentResponse{Cv: SharedCvToProto(shared), Template: templates.Value(string(shared.Template))}, nil
}

// ChooseTemplate implements candidatev1.DocumentServiceServer.
func (s *documentServer) ChooseTemplate(ctx context.Context, req *candidatev1.ChooseTemplateRequest) (*candidatev1.ChooseTemplateResponse, error) {
	chosen := profile.Template(templates.Word(req.GetTemplate()))
	if err := s.profiles.ChooseTemplate(ctx, req.GetPersonId(), req.GetCvId(), chosen); err != nil {
		return nil, err
	}
	return &candidatev1.ChooseTemplateResponse{}, nil
}
