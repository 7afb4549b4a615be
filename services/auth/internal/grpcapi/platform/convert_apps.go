package platform

import (
	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/pkg/fault"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	"vitae.internal/services/auth/internal/grpcapi/convert"
	"vitae.internal/services/auth/internal/platform/app"
)

func AppToProto(a app.App) *authv1.App {
	return &authv1.App{
		Id: a.ID, AccountId: a.AccountID, Name: a.Name, Description: a.Description, LogoUrl: a.LogoURL, LogoVersion: a.LogoVersion,
		Homepage: a.Homepage, PrivacyPolicy: a.PrivacyPolicy, Terms: a.Terms, Support: a.Support, ClientId: a.ClientID,
		ClientType: clientTypes.Value(string(a.ClientType)), RedirectUris: a.RedirectURIs, Scopes: a.Scopes,
		Legacy: a.Legacy, CreatedAt: timestamppb.New(a.CreatedAt), CreatedBy: a.CreatedBy,
		UpdatedAt: timestamppb.New(a.UpdatedAt), DeletedAt: convert.TimeToProto(a.DeletedAt),
	}
}

func appCreationFromProto(r *authv1.CreateAppRequest, by string) app.Creation {
	return app.Creation{
		AccountID: r.GetAccountId(), Name: r.GetName(), Description: r.GetDescription(), LogoURL: r.GetLogoUrl(),
		Homepage: r.GetHomepage(), PrivacyPolicy: r.GetPrivacyPolicy(), Terms: r.GetTerms(), Support: r.GetSupport(), Logo: r.GetLogo(),
		ClientType: app.ClientType(clientTypes.Word(r.GetClientType())), RedirectURIs: r.GetRedirectUris(),
		Scopes: r.GetScopes(), Legacy: r.GetLegacy(), By: by, ValidateOnly: r.GetValidateOnly(),
	}
}

// appUpdateFromProto reads the fields named in the update mask. Errors: Invalid for update_mask.
func appUpdateFromProto(r *authv1.UpdateAppRequest) (app.Update, error) {
	u := app.Update{AppID: r.GetId()}
	texts := map[string]struct {
		to   **string
		text *string
	}{
		"name": {&u.Name, &r.Name}, "description": {&u.Description, &r.Description}, "logo_url": {&u.LogoURL, &r.LogoUrl},
		"homepage": {&u.Homepage, &r.Homepage}, "privacy_policy": {&u.PrivacyPolicy, &r.PrivacyPolicy},
		"terms": {&u.Terms, &r.Terms}, "support": {&u.Support, &r.Support},
	}
	faults := fault.Argument()
	for _, path := range r.GetUpdateMask().GetPaths() {
		text, isText := texts[path]
		switch {
		case isText:
			*text.to = text.text
		case path == "redirect_uris":
			u.RedirectURIs = &r.RedirectUris
		case path == "scopes":
			u.Scopes = &r.Scopes
		case path == "logo":
			u.Logo = &r.Logo
		case path == "client_type" || path == "legacy":
			faults.Add("update_mask", "names %s, which is fixed when an app is created", path)
		default:
			faults.Add("update_mask", "names %.40q, which is not a field that can be changed", path)
		}
	}
	return u, faults.Err()
}
