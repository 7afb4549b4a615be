package activity

import (
	"context"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/audit/relay"
	"vitae.internal/pkg/grpcserver"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	"vitae.internal/services/auth/internal/activity/auditlog"
	"vitae.internal/services/auth/internal/grpcapi/platform"
	"vitae.internal/services/auth/internal/people/session"
)

type auditServer struct {
	authv1.UnimplementedAuditServiceServer
	log       *auditlog.Service
	sessions  *session.Service
	countries Countries
}

func (s *auditServer) RecordEvents(ctx context.Context, req *authv1.RecordEventsRequest) (*authv1.RecordEventsResponse, error) {
	return &authv1.RecordEventsResponse{}, s.log.RecordEvents(ctx, grpcserver.Caller(ctx), relay.EventsFromProto(req.GetEvents()))
}

func (s *auditServer) ListEvents(ctx context.Context, req *authv1.ListEventsRequest) (*authv1.ListEventsResponse, error) {
	audit.FromContext(ctx).Note(audit.About{AccountID: req.GetAccountId(), AppID: req.GetAppId(), PersonID: req.GetPersonId()})
	search := auditlog.Search{
		AccountID: req.GetAccountId(), AppID: req.GetAppId(), PersonID: req.GetPersonId(), Actions: req.GetActions(),
		Outcome: relay.OutcomeFromProto(req.GetOutcome()), PageToken: req.GetPageToken(), PageSize: int(req.GetPageSize()), ByMember: platform.PersonOf(ctx) != "",
	}
	if from := req.GetFrom(); from != nil {
		search.From = from.AsTime()
	}
	if to := req.GetTo(); to != nil {
		search.To = to.AsTime()
	}
	events, next, err := s.log.Events(ctx, search)
	if err != nil {
		return nil, err
	}
	named, err := s.log.Names(ctx, search, events)
	if err != nil {
		return nil, err
	}
	resp := &authv1.ListEventsResponse{Events: relay.EventsToProto(events), NextPageToken: next}
	for _, n := range named {
		resp.Names = append(resp.Names, &authv1.EventName{Id: n.ID, Name: n.Name, Ended: n.Ended})
	}
	return resp, nil
}
