package activity

import (
	"context"
	"strconv"

	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/audit/relay"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

func (s *auditServer) ListOwnEvents(ctx context.Context, req *authv1.ListOwnEventsRequest) (*authv1.ListOwnEventsResponse, error) {
	who, _, err := s.sessions.Get(ctx, req.GetSessionToken())
	if err != nil {
		return nil, err
	}
	events, apps, next, err := s.log.Own(ctx, who.ID, req.GetPageToken(), int(req.GetPageSize()))
	if err != nil {
		return nil, err
	}
	resp := &authv1.ListOwnEventsResponse{NextPageToken: next}
	for _, e := range events {
		resp.Events = append(resp.Events, s.ownEventToProto(e, apps[e.AppID]))
	}
	return resp, nil
}

func (s *auditServer) ownEventToProto(e audit.Event, app string) *authv1.OwnEvent {
	repeated, _ := strconv.ParseInt(e.Details[audit.Repeated], 10, 32) // zero if the event was not repeated
	country := ""
	if e.Actor.Kind == audit.Person || e.Actor.Kind == audit.Anonymous {
		country = s.countries.Country(e.ClientAddress)
	}
	return &authv1.OwnEvent{
		At: timestamppb.New(e.At), Action: string(e.Action), Outcome: relay.OutcomeToProto(e.Outcome), AppName: app,
		Browser:    &authv1.Browser{Name: e.Details[audit.Browser], System: e.Details[audit.System]},
		ByOperator: e.Actor.Kind == audit.Operator || e.Actor.Kind == audit.Service, Repeated: int32(repeated), Country: country,
		Details: ownDetails(e),
	}
}

// ownDetails returns those details of an event that the person it concerns may see.
func ownDetails(e audit.Event) map[string]string {
	told := map[string]string{}
	for _, name := range []string{audit.Sharing, audit.ShareEmail, audit.ShareContact, audit.SharePhoto, audit.Paused, audit.EndsAt, audit.Kept} {
		if value, ok := e.Details[name]; ok {
			told[name] = value
		}
	}
	return told
}
