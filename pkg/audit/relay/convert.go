package relay

import (
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/vocabulary"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

var (
	kinds    = vocabulary.New[authv1.ActorKind]()
	outcomes = vocabulary.New[authv1.AuditOutcome]()
)

// OutcomeFromProto converts an outcome. It returns "" for the unspecified value.
func OutcomeFromProto(o authv1.AuditOutcome) audit.Outcome { return audit.Outcome(outcomes.Word(o)) }

func OutcomeToProto(o audit.Outcome) authv1.AuditOutcome { return outcomes.Value(string(o)) }

func EventsToProto(events []audit.Event) []*authv1.AuditEvent {
	out := make([]*authv1.AuditEvent, len(events))
	for i, e := range events {
		out[i] = &authv1.AuditEvent{
			Id: e.ID, At: timestamppb.New(e.At), Action: string(e.Action), Outcome: outcomes.Value(string(e.Outcome)), ErrorCode: e.Code,
			Actor:     &authv1.AuditActor{Kind: kinds.Value(string(e.Actor.Kind)), Id: e.Actor.ID, Caller: e.Caller},
			AccountId: e.AccountID, AppId: e.AppID, PersonId: e.PersonID, ObjectType: e.Object.Type, ObjectId: e.Object.ID,
			ClientAddress: e.ClientAddress, RequestId: e.RequestID, Details: e.Details,
		}
	}
	return out
}

func EventsFromProto(events []*authv1.AuditEvent) []audit.Event {
	out := make([]audit.Event, len(events))
	for i, e := range events {
		out[i] = audit.Event{
			ID: e.GetId(), At: e.GetAt().AsTime().Truncate(time.Microsecond), Action: audit.Action(e.GetAction()),
			Outcome: audit.Outcome(outcomes.Word(e.GetOutcome())), Code: e.GetErrorCode(),
			Actor: audit.Actor{Kind: audit.Kind(kinds.Word(e.GetActor().GetKind())), ID: e.GetActor().GetId()}, Caller: e.GetActor().GetCaller(),
			AccountID: e.GetAccountId(), AppID: e.GetAppId(), PersonID: e.GetPersonId(),
			Object:        audit.Object{Type: e.GetObjectType(), ID: e.GetObjectId()},
			ClientAddress: e.GetClientAddress(), RequestID: e.GetRequestId(), Details: e.GetDetails(),
		}
	}
	return out
}
