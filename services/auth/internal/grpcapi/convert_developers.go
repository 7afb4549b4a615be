package grpcapi

import (
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	"vitae.internal/services/auth/internal/developer"
	"vitae.internal/services/auth/internal/recordpb"
)

// toPlan takes no plan for the standard one.
func toPlan(p *authv1.Plan) developer.Plan {
	if p == nil {
		return developer.Plan{Name: developer.Standard}
	}
	return developer.Plan{Name: recordpb.PlanName(p.GetName()), PerMinute: p.GetPerMinute(), PerDay: p.GetPerDay()}
}

func (d *Developers) fromAccount(a developer.Account) *authv1.Account {
	return &authv1.Account{
		Id: a.ID, Name: a.Name, Email: a.Email, Plan: recordpb.Plan(d.Plans.Of(a.Plan)),
		SuspendedAt: fromTime(a.SuspendedAt), CreatedAt: timestamppb.New(a.CreatedAt),
	}
}

func toClientType(t authv1.ClientType) developer.ClientType {
	if t == authv1.ClientType_CLIENT_TYPE_PUBLIC {
		return developer.Public
	}
	return developer.Confidential
}

func fromClientType(t developer.ClientType) authv1.ClientType {
	if t == developer.Public {
		return authv1.ClientType_CLIENT_TYPE_PUBLIC
	}
	return authv1.ClientType_CLIENT_TYPE_CONFIDENTIAL
}

func fromApp(a developer.App) *authv1.App {
	return &authv1.App{
		Id: a.ID, AccountId: a.AccountID, Name: a.Name, LogoUrl: a.LogoURL, ClientId: a.ClientID,
		ClientType: fromClientType(a.ClientType), RedirectUris: a.RedirectURIs, Scopes: a.Scopes,
		Legacy: a.Legacy, CreatedAt: timestamppb.New(a.CreatedAt),
	}
}

func fromAPIKey(k developer.APIKey) *authv1.ApiKey {
	return &authv1.ApiKey{
		Id: k.ID, AppId: k.AppID, Name: k.Name, Scopes: k.Scopes,
		ExpiresAt: fromTime(k.ExpiresAt), CreatedAt: timestamppb.New(k.CreatedAt),
	}
}

func toTime(t *timestamppb.Timestamp) *time.Time {
	if t == nil {
		return nil
	}
	at := t.AsTime().Truncate(time.Microsecond) // as Postgres keeps it
	return &at
}

func fromTime(t *time.Time) *timestamppb.Timestamp {
	if t == nil {
		return nil
	}
	return timestamppb.New(*t)
}
