package grpcapi

import (
	"context"

	"vitae.internal/pkg/grpcserver"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	"vitae.internal/services/candidate/internal/applicant"
	"vitae.internal/services/candidate/internal/message"
)

type applicantServer struct {
	candidatev1.UnimplementedApplicantServiceServer
	own *applicant.Service
}

func (s *applicantServer) ListOwnApplications(ctx context.Context, req *candidatev1.ListOwnApplicationsRequest) (*candidatev1.ListOwnApplicationsResponse, error) {
	page, err := s.own.List(ctx, grpcserver.Person(ctx), req.GetPageToken())
	if err != nil {
		return nil, err
	}
	return &candidatev1.ListOwnApplicationsResponse{Applications: message.List(page.Applications, ownToProto), NextPageToken: page.Next}, nil
}

func ownToProto(a applicant.Application) *candidatev1.OwnApplication {
	return &candidatev1.OwnApplication{
		ApplicationId: a.ID, JobTitle: a.Job.Title, Employer: a.Job.Employer, EmployerMasked: a.Job.Masked,
		Status: statuses.Value(string(a.Status)), AppliedAt: message.Time(a.AppliedAt), UpdatedAt: message.Time(a.UpdatedAt),
		StatusHistory: message.List(a.History, changeToProto), CvTitle: a.CvTitle, Filename: a.Filename,
		Reads: message.List(a.Reads, func(r applicant.Read) *candidatev1.OwnApplicationRead {
			return &candidatev1.OwnApplicationRead{AppName: r.AppName, Day: r.Day, Reads: r.Count, LastAt: message.Time(r.Latest)}
		}),
	}
}
