package grpcapi

import (
	"context"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/grpcserver"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	"vitae.internal/services/candidate/internal/export"
)

type personDataServer struct {
	candidatev1.UnimplementedPersonDataServiceServer
	exports *export.Service
}

// exportStates maps those states of package export that people can see.
var exportStates = map[export.State]candidatev1.ExportState{
	export.BeingMade: candidatev1.ExportState_EXPORT_STATE_BEING_MADE,
	export.Ready:     candidatev1.ExportState_EXPORT_STATE_READY,
	export.Failed:    candidatev1.ExportState_EXPORT_STATE_FAILED,
}

func exportToProto(e export.Export) *candidatev1.Export {
	out := &candidatev1.Export{
		Id: e.ID, State: exportStates[e.State], Done: int32(e.Done), Steps: int32(e.Steps), RequestedAt: timestamppb.New(e.RequestedAt),
	}
	if e.State == export.Ready {
		out.ExpiresAt, out.Size = timestamppb.New(e.ExpiresAt), e.Size
	}
	return out
}

func (s *personDataServer) StartExport(ctx context.Context, req *candidatev1.StartExportRequest) (*candidatev1.StartExportResponse, error) {
	personID := grpcserver.Person(ctx)
	audit.FromContext(ctx).Note(audit.About{ObjectID: personID})
	e, err := s.exports.Start(ctx, personID, req.GetLanguage())
	if err != nil {
		return nil, err
	}
	return &candidatev1.StartExportResponse{Export: exportToProto(e)}, nil
}

func (s *personDataServer) GetExport(ctx context.Context, _ *candidatev1.GetExportRequest) (*candidatev1.GetExportResponse, error) {
	e, err := s.exports.Latest(ctx, grpcserver.Person(ctx))
	if errs.HasCode(err, export.ErrNotFound.Code) {
		return &candidatev1.GetExportResponse{}, nil
	}
	if err != nil {
		return nil, err
	}
	return &candidatev1.GetExportResponse{Export: exportToProto(e)}, nil
}

func (s *personDataServer) DownloadExport(req *candidatev1.DownloadExportRequest, stream grpc.ServerStreamingServer[candidatev1.DownloadExportResponse]) error {
	ctx := stream.Context()
	personID := grpcserver.Person(ctx)
	audit.FromContext(ctx).Note(audit.About{ObjectID: personID})
	e, content, err := s.exports.Open(ctx, personID, req.GetExportId())
	if err != nil {
		return err
	}
	defer content.Close()
	if err := stream.Send(&candidatev1.DownloadExportResponse{Piece: &candidatev1.DownloadExportResponse_Size{Size: e.Size}}); err != nil {
		return err
	}
	return sendAll(content, e.Size, func(piece []byte) error {
		return stream.Send(&candidatev1.DownloadExportResponse{Piece: &candidatev1.DownloadExportResponse_Chunk{Chunk: piece}})
	})
}
