package grpcapi

import (
	"context"

	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	"vitae.internal/services/candidate/internal/application"
	"vitae.internal/services/candidate/internal/clients/partnercatalog"
)

type applicationIntakeServer struct {
	candidatev1.UnimplementedApplicationIntakeServiceServer
	applications *application.Service
}

func (s *applicationIntakeServer) Apply(ctx context.Context, req *candidatev1.ApplyRequest) (*candidatev1.ApplyResponse, error) {
	wanted := requestFromProto(req)
	if req.GetValidateOnly() {
		if err := s.applications.ValidateApply(wanted, partnercatalog.PostingFromProto(req.GetPosting())); err != nil {
			return nil, err
		}
		return &candidatev1.ApplyResponse{}, nil
	}
	made, err := s.applications.Apply(ctx, wanted)
	if err != nil {
		return nil, err
	}
	return &candidatev1.ApplyResponse{Application: applicationToProto(made)}, nil
}

func (s *applicationIntakeServer) AdvanceApplication(ctx context.Context, req *candidatev1.AdvanceApplicationRequest) (*candidatev1.AdvanceApplicationResponse, error) {
	moved, err := s.applications.Advance(ctx, req.GetApplicationId(), application.Status(statuses.Word(req.GetStatus())))
	if err != nil {
		return nil, err
	}
	return &candidatev1.AdvanceApplicationResponse{Application: applicationToProto(moved)}, nil
}

func (s *applicationIntakeServer) RejectApplication(ctx context.Context, req *candidatev1.RejectApplicationRequest) (*candidatev1.RejectApplicationResponse, error) {
	moved, err := s.applications.Reject(ctx, req.GetApplicationId())
	if err != nil {
		return nil, err
	}
	return &candidatev1.RejectApplicationResponse{Application: applicationToProto(moved)}, nil
}

func (s *applicationIntakeServer) WithdrawApplication(ctx context.Context, req *candidatev1.WithdrawApplicationRequest) (*candidatev1.WithdrawApplicationResponse, error) {
	moved, err := s.applications.Withdraw(ctx, req.GetApplicationId())
	if err != nil {
		return nil, err
	}
	return &candidatev1.WithdrawApplicationResponse{Application: applicationToProto(moved)}, nil
}
