package grpcapi

import (
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	"vitae.internal/services/auth/internal/developer"
)

// planFromProto gives the standard plan if there is none.
func planFromProto(p *authv1.Plan) developer.Plan {
	if p == nil {
		return developer.Plan{Name: developer.Standard}
	}
	return developer.Plan{Name: developer.PlanName(planNames.Word(p.GetName())), PerMinute: p.GetPerMinute(), PerDay: p.GetPerDay()}
}

func planToProto(p developer.Plan) *authv1.Plan {
	return &authv1.Plan{Name: planNames.Value(string(p.Name)), PerMinute: p.PerMinute, PerDay: p.PerDay}
}

// accountToProto answers with the budget in force, which plans has for a named plan.
func accountToProto(a developer.Account, plans developer.Plans) *authv1.Account {
	return &authv1.Account{
		Id: a.ID, Name: a.Name, Email: a.Email, Plan: planToProto(plans.Of(a.Plan)),
		SuspendedAt: timeToProto(a.SuspendedAt), CreatedAt: timestamppb.New(a.CreatedAt),
		VerifiedAt: timeToProto(a.VerifiedAt), ClosedAt: timeToProto(a.ClosedAt),
	}
}

func appToProto(a developer.App) *authv1.App {
	return &authv1.App{
		Id: a.ID, AccountId: a.AccountID, Name: a.Name, LogoUrl: a.LogoURL, ClientId: a.ClientID,
		ClientType: clientTypes.Value(string(a.ClientType)), RedirectUris: a.RedirectURIs, Scopes: a.Scopes,
		Legacy: a.Legacy, CreatedAt: timestamppb.New(a.CreatedAt),
	}
}

func appCreationFromProto(r *authv1.CreateAppRequest, by string) developer.AppCreation {
	return developer.AppCreation{
		AccountID: r.GetAccountId(), Name: r.GetName(), LogoURL: r.GetLogoUrl(),
		ClientType: developer.ClientType(clientTypes.Word(r.GetClientType())), RedirectURIs: r.GetRedirectUris(),
		Scopes: r.GetScopes(), Legacy: r.GetLegacy(), By: by, ValidateOnly: r.GetValidateOnly(),
	}
}

func apiKeyToProto(k developer.APIKey) *authv1.ApiKey {
	return &authv1.ApiKey{
		Id: k.ID, AppId: k.AppID, Name: k.Name, Scopes: k.Scopes,
		ExpiresAt: timeToProto(k.ExpiresAt), CreatedAt: timestamppb.New(k.CreatedAt),
	}
}

func apiKeyCreationFromProto(r *authv1.CreateApiKeyRequest) developer.KeyCreation {
	return developer.KeyCreation{
		AppID: r.GetAppId(), Name: r.GetName(), Scopes: r.GetScopes(),
		ExpiresAt: timeFromProto(r.GetExpiresAt()), ValidateOnly: r.GetValidateOnly(),
	}
}

// timeFromProto cuts a time to microseconds, the precision of Postgres.
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
