package grpcapi

import (
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	"vitae.internal/services/auth/internal/platform/developer"
)

// planFromProto returns the standard plan if p is nil.
func planFromProto(p *authv1.Plan) developer.Plan {
	if p == nil {
		return developer.Plan{Name: developer.Standard}
	}
	return developer.Plan{Name: developer.PlanName(planNames.Word(p.GetName())), PerMinute: p.GetPerMinute(), PerDay: p.GetPerDay()}
}

func planToProto(p developer.Plan) *authv1.Plan {
	return &authv1.Plan{Name: planNames.Value(string(p.Name)), PerMinute: p.PerMinute, PerDay: p.PerDay}
}

// accountToProto takes the current budget of a named plan from plans.
func accountToProto(a developer.Account, plans developer.Plans) *authv1.Account {
	return &authv1.Account{
		Id: a.ID, Name: a.Name, Email: a.Email, Plan: planToProto(plans.Of(a.Plan)),
		SuspendedAt: timeToProto(a.SuspendedAt), CreatedAt: timestamppb.New(a.CreatedAt),
		SuspensionReason: a.SuspensionReason, VerifiedAt: timeToProto(a.VerifiedAt), ClosedAt: timeToProto(a.ClosedAt),
	}
}

func apiKeyToProto(k developer.APIKey) *authv1.ApiKey {
	return &authv1.ApiKey{
		Id: k.ID, AppId: k.AppID, Name: k.Name, Scopes: k.Scopes,
		ExpiresAt: timeToProto(k.ExpiresAt), CreatedAt: timestamppb.New(k.CreatedAt), Hint: k.Hint, CreatedBy: k.CreatedBy,
		LastUsedAt: timeToProto(k.LastUsedAt), DeletedAt: timeToProto(k.DeletedAt),
	}
}

func apiKeyCreationFromProto(r *authv1.CreateApiKeyRequest, by string) developer.KeyCreation {
	return developer.KeyCreation{
		AppID: r.GetAppId(), Name: r.GetName(), Scopes: r.GetScopes(),
		ExpiresAt: timeFromProto(r.GetExpiresAt()), By: by, ValidateOnly: r.GetValidateOnly(),
	}
}

// timeFromProto truncates a time to microseconds, the precision of Postgres.
func timeFromProto(t *timestamppb.Timestamp) *time.Time {
	if t == nil {
		return nil
	}
	at := t.AsTime().Truncate(time.Microsecond)
	return &at
}

func timeToProto(t *time.Time) *timestamppb.Timestamp {
	if t == nil {
		return nil
	}
	return timestamppb.New(*t)
}
