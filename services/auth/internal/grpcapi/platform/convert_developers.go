package platform

import (
	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/pkg/vocabulary"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	optionsv1 "vitae.internal/proto/gen/vitae/options/v1"
	"vitae.internal/services/auth/internal/grpcapi/convert"
	"vitae.internal/services/auth/internal/platform/account"
	"vitae.internal/services/auth/internal/platform/app"
)

var (
	planNames         = vocabulary.New[authv1.PlanName]()
	planRequestStates = vocabulary.New[authv1.PlanRequestState]()
	clientTypes       = vocabulary.New[authv1.ClientType]()
	roles             = vocabulary.New[optionsv1.Role]()
)

// planFromProto converts a plan. It returns the standard plan for nil.
func planFromProto(p *authv1.Plan) account.Plan {
	if p == nil {
		return account.Plan{Name: account.Standard}
	}
	return account.Plan{Name: account.PlanName(planNames.Word(p.GetName())), PerMinute: p.GetPerMinute(), PerDay: p.GetPerDay()}
}

func PlanToProto(p account.Plan) *authv1.Plan {
	return &authv1.Plan{Name: planNames.Value(string(p.Name)), PerMinute: p.PerMinute, PerDay: p.PerDay}
}

// accountToProto converts an account. If the account has a named plan, it takes the budget from plans.
func accountToProto(a account.Account, plans account.Plans) *authv1.Account {
	return &authv1.Account{
		Id: a.ID, Name: a.Name, Email: a.Email, Plan: PlanToProto(plans.Of(a.Plan)),
		SuspendedAt: convert.TimeToProto(a.SuspendedAt), CreatedAt: timestamppb.New(a.CreatedAt),
		SuspensionReason: a.SuspensionReason, VerifiedAt: convert.TimeToProto(a.VerifiedAt), ClosedAt: convert.TimeToProto(a.ClosedAt),
	}
}

func apiKeyToProto(k app.APIKey) *authv1.ApiKey {
	return &authv1.ApiKey{
		Id: k.ID, AppId: k.AppID, Name: k.Name, Scopes: k.Scopes,
		ExpiresAt: convert.TimeToProto(k.ExpiresAt), CreatedAt: timestamppb.New(k.CreatedAt), Hint: k.Hint, CreatedBy: k.CreatedBy,
		LastUsedAt: convert.TimeToProto(k.LastUsedAt), DeletedAt: convert.TimeToProto(k.DeletedAt),
	}
}

func apiKeyCreationFromProto(r *authv1.CreateApiKeyRequest, by string) app.KeyCreation {
	return app.KeyCreation{
		AppID: r.GetAppId(), Name: r.GetName(), Scopes: r.GetScopes(),
		ExpiresAt: convert.TimeFromProto(r.GetExpiresAt()), By: by, ValidateOnly: r.GetValidateOnly(),
	}
}
