package oauth

import (
	"google.golang.org/protobuf/types/known/timestamppb"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	"vitae.internal/services/auth/internal/oauth/authorize"
	"vitae.internal/services/auth/internal/oauth/client"
	"vitae.internal/services/auth/internal/oauth/grant"
	"vitae.internal/services/auth/internal/oauth/token"
)

func parametersFromProto(p *authv1.AuthorizationParameters) authorize.Parameters {
	return authorize.Parameters{
		ResponseType: p.GetResponseType(), ClientID: p.GetClientId(), RedirectURI: p.GetRedirectUri(),
		Scope: p.GetScope(), CodeChallenge: p.GetCodeChallenge(), CodeChallengeMethod: p.GetCodeChallengeMethod(),
		State: p.GetState(), Duplicated: p.GetDuplicated(), Legacy: p.GetLegacy(),
	}
}

func faultToProto(f *authorize.Fault) *authv1.AuthorizationFault {
	if f == nil {
		return nil
	}
	return &authv1.AuthorizationFault{Error: f.Code, Description: f.Description}
}

func credentialsFromProto(c *authv1.ClientAuthentication) client.Credentials {
	return client.Credentials{ID: c.GetClientId(), Secret: c.GetClientSecret()}
}

func tokensToProto(t grant.Tokens) *authv1.TokenPair {
	return &authv1.TokenPair{
		AccessToken: t.Access, RefreshToken: t.Refresh, ExpiresIn: int32(t.ExpiresIn.Seconds()), Scopes: t.Scopes,
	}
}

func descriptionToProto(d token.Description) *authv1.IntrospectTokenResponse {
	if !d.Active {
		return &authv1.IntrospectTokenResponse{}
	}
	return &authv1.IntrospectTokenResponse{
		Active: true, Scopes: d.Scopes, ClientId: d.ClientID, PersonId: d.PersonID,
		ExpiresAt: timestamppb.New(d.ExpiresAt), ConnectionId: d.ConnectionID,
	}
}
