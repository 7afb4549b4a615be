package grpcapi

import (
	"context"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/grpcserver"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	"vitae.internal/services/candidate/internal/message"
	"vitae.internal/services/candidate/internal/profile"
	"vitae.internal/services/candidate/internal/sharing"
)

type editorServer struct {
	candidatev1.UnimplementedEditorServiceServer
	editor *profile.Editor
	shared *sharing.Service
}

func (s *editorServer) GetOwnProfile(ctx context.Context, req *candidatev1.GetOwnProfileRequest) (*candidatev1.GetOwnProfileResponse, error) {
	personID := grpcserver.Person(ctx)
	found, version, err := s.editor.Profile(ctx, personID)
	if err != nil {
		return nil, err
	}
	draft, err := s.draft(ctx, personID, profile.MainCvID)
	if err != nil {
		return nil, err
	}
	return &candidatev1.GetOwnProfileResponse{Profile: profileToProto(found), Version: version, Draft: draft}, nil
}

func (s *editorServer) SaveOwnProfile(ctx context.Context, req *candidatev1.SaveOwnProfileRequest) (*candidatev1.SaveOwnProfileResponse, error) {
	personID := grpcserver.Person(ctx)
	audit.FromContext(ctx).Note(audit.About{ObjectID: personID})
	changed := profileFromProto(req.GetProfile())
	changed.ID = personID
	mask := message.List(req.GetUpdateMask().GetPaths(), func(path string) profile.Field { return profile.Field(path) })
	version, err := s.editor.SaveProfile(ctx, changed, mask, profile.From{Version: req.GetVersion(), Draft: req.GetDraftRevision()})
	if err != nil {
		return nil, err
	}
	return &candidatev1.SaveOwnProfileResponse{Version: version}, nil
}

func (s *editorServer) GetOwnCv(ctx context.Context, req *candidatev1.GetOwnCvRequest) (*candidatev1.GetOwnCvResponse, error) {
	personID := grpcserver.Person(ctx)
	found, version, err := s.editor.Cv(ctx, personID, req.GetId())
	if err != nil {
		return nil, err
	}
	draft, err := s.draft(ctx, personID, req.GetId())
	if err != nil {
		return nil, err
	}
	return &candidatev1.GetOwnCvResponse{Cv: cvToProto(found), Version: version, Draft: draft}, nil
}

func (s *editorServer) CreateOwnCv(ctx context.Context, req *candidatev1.CreateOwnCvRequest) (*candidatev1.CreateOwnCvResponse, error) {
	personID := grpcserver.Person(ctx)
	content := req.GetContent()
	if req.GetValidateOnly() {
		if err := profile.ValidateCreateCv(req.GetTitle(), content); err != nil {
			return nil, err
		}
		return &candidatev1.CreateOwnCvResponse{}, nil
	}
	created, err := s.editor.CreateCv(ctx, personID, req.GetTitle(), content)
	if err != nil {
		return nil, err
	}
	return &candidatev1.CreateOwnCvResponse{Id: created.ID}, nil
}

func (s *editorServer) SaveOwnCv(ctx context.Context, req *candidatev1.SaveOwnCvRequest) (*candidatev1.SaveOwnCvResponse, error) {
	personID := grpcserver.Person(ctx)
	version, err := s.editor.SaveCv(ctx, profile.Cv{
		ID: req.GetId(), PersonID: personID, Title: req.GetTitle(), Content: req.GetContent(),
	}, profile.From{Version: req.GetVersion(), Draft: req.GetDraftRevision()})
	if err != nil {
		return nil, err
	}
	return &candidatev1.SaveOwnCvResponse{Version: version}, nil
}

func (s *editorServer) DeleteOwnCv(ctx context.Context, req *candidatev1.DeleteOwnCvRequest) (*candidatev1.DeleteOwnCvResponse, error) {
	personID := grpcserver.Person(ctx)
	if err := s.editor.DeleteCv(ctx, personID, req.GetId()); err != nil {
		return nil, err
	}
	return &candidatev1.DeleteOwnCvResponse{}, nil
}

func (s *editorServer) MakeMainCv(ctx context.Context, req *candidatev1.MakeMainCvRequest) (*candidatev1.MakeMainCvResponse, error) {
	personID := grpcserver.Person(ctx)
	audit.FromContext(ctx).Note(audit.About{ObjectID: personID})
	if err := s.editor.MakeMain(ctx, personID, req.GetId(), req.GetKeptTitle()); err != nil {
		return nil, err
	}
	return &candidatev1.MakeMainCvResponse{}, nil
}

func (s *editorServer) PreviewOwnCv(ctx context.Context, req *candidatev1.PreviewOwnCvRequest) (*candidatev1.PreviewOwnCvResponse, error) {
	personID := grpcserver.Person(ctx)
	var written *profile.Profile
	if req.GetWritten() != nil {
		p := profileFromProto(req.GetWritten())
		written = &p
	}
	page, err := s.shared.Preview(ctx, personID, req.GetId(), written)
	if err != nil {
		return nil, err
	}
	out := &candidatev1.PreviewOwnCvResponse{User: page.User}
	if page.Cv != nil {
		out.Cv = page.Cv.SharedCv
	}
	return out, nil
}

func (s *editorServer) SaveOwnDraft(ctx context.Context, req *candidatev1.SaveOwnDraftRequest) (*candidatev1.SaveOwnDraftResponse, error) {
	revision, err := s.editor.SaveDraft(ctx, profile.Draft{
		PersonID: grpcserver.Person(ctx), Document: req.GetId(), Form: req.GetForm(), Version: req.GetVersion(), Revision: req.GetRevision(),
	})
	if err != nil {
		return nil, err
	}
	return &candidatev1.SaveOwnDraftResponse{Revision: revision}, nil
}

func (s *editorServer) DiscardOwnDraft(ctx context.Context, req *candidatev1.DiscardOwnDraftRequest) (*candidatev1.DiscardOwnDraftResponse, error) {
	err := s.editor.DiscardDraft(ctx, profile.Draft{PersonID: grpcserver.Person(ctx), Document: req.GetId(), Revision: req.GetRevision()})
	if err != nil {
		return nil, err
	}
	return &candidatev1.DiscardOwnDraftResponse{}, nil
}

// draft returns the draft of a document, or nil if there is none.
func (s *editorServer) draft(ctx context.Context, personID, document string) (*candidatev1.Draft, error) {
	d, err := s.editor.Draft(ctx, personID, document)
	if err != nil || d.Revision == 0 {
		return nil, err
	}
	return &candidatev1.Draft{Form: d.Form, Version: d.Version, Revision: d.Revision, SavedAt: message.Time(d.SavedAt)}, nil
}
