package activity

import (
	"context"

	"google.golang.org/protobuf/types/known/timestamppb"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	"vitae.internal/services/auth/internal/activity/usage"
)

type applicationReadServer struct {
	authv1.UnimplementedApplicationReadServiceServer
	usage *usage.Service
}

func (s *applicationReadServer) ListApplicationReads(ctx context.Context, req *authv1.ListApplicationReadsRequest) (*authv1.ListApplicationReadsResponse, error) {
	reads, err := s.usage.ApplicationReads(ctx, req.GetApplicationIds())
	if err != nil {
		return nil, err
	}
	resp := &authv1.ListApplicationReadsResponse{Reads: make([]*authv1.ApplicationRead, len(reads))}
	for i, r := range reads {
		resp.Reads[i] = &authv1.ApplicationRead{
			ApplicationId: r.ApplicationID, AppName: r.AppName, Day: usage.FormatDay(r.Day), Reads: r.Count, LastAt: timestamppb.New(r.Latest),
		}
	}
	return resp, nil
}
