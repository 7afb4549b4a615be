package app_test

import (
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"

	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/grpcx"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// acting are the apps that auth says have authenticated, in each of the calls with a code,
// a refresh token and an access token.
func (w *world) acting(c *authv1.ClientAuthentication, code, refresh, access string) map[string]string {
	told := map[string]string{}
	for name, call := range map[string]func(grpc.CallOption) error{
		"exchange": func(o grpc.CallOption) error {
			return second(w.oauth.ExchangeCode(w.Context(), &authv1.ExchangeCodeRequest{Client: c, Code: code, RedirectUri: redirectURI, CodeVerifier: verifier}, o))
		},
		"refresh": func(o grpc.CallOption) error {
			return second(w.oauth.RefreshToken(w.Context(), &authv1.RefreshTokenRequest{Client: c, RefreshToken: refresh}, o))
		},
		"introspect": func(o grpc.CallOption) error {
			return second(w.oauth.IntrospectToken(w.Context(), &authv1.IntrospectTokenRequest{Client: c, Token: access}, o))
		},
		"revoke": func(o grpc.CallOption) error {
			return second(w.oauth.RevokeToken(w.Context(), &authv1.RevokeTokenRequest{Client: c, Token: access}, o))
		},
	} {
		var trailer metadata.MD
		_ = call(grpc.Trailer(&trailer))
		acting := grpcx.ActingOf(trailer)
		told[name] = acting.AppID + " " + acting.AccountID
	}
	return told
}

// The gateway writes the app into the line of the request, and into the request log of the
// account. Nobody may write into that of another.
func TestAuthTellsWhichAppHasProvenItself(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.person("a@example.com")
	secret, public := w.confidential(), w.client(authv1.ClientType_CLIENT_TYPE_PUBLIC)
	wrong := credential.New(credential.ClientSecret)
	made := credential.New
	nobody, unknown := " ", map[string]string{"exchange": " ", "refresh": " ", "introspect": " ", "revoke": " "}
	all := func(c client) map[string]string {
		own := c.app.GetId() + " " + c.app.GetAccountId()
		return map[string]string{"exchange": own, "refresh": own, "introspect": own, "revoke": own}
	}
	check := func(name string, got, want map[string]string) {
		t.Helper()
		for call, app := range want {
			if got[call] != app {
				t.Errorf("%s, %s: %q, want %q", name, call, got[call], app)
			}
		}
	}
	tokens := w.connect(p, secret, everything...)
	check("a secret", w.acting(secret.auth(), w.consent(p, secret, everything...), tokens.GetRefreshToken(), tokens.GetAccessToken()), all(secret))
	check("a secret with codes and tokens that are none", w.acting(secret.auth(), made(credential.AuthorizationCode), made(credential.RefreshToken), made(credential.AccessToken)), all(secret))
	check("a wrong secret", w.acting(&authv1.ClientAuthentication{ClientId: secret.app.GetClientId(), ClientSecret: &wrong},
		w.consent(p, secret, everything...), made(credential.RefreshToken), made(credential.AccessToken)), unknown)

	tokens = w.connect(p, public, everything...)
	own := all(public)
	own["introspect"] = nobody // that a token is described proves nothing, since anybody may ask
	check("a public client with what is its own", w.acting(public.auth(), w.consent(p, public, everything...), tokens.GetRefreshToken(), tokens.GetAccessToken()), own)
	check("somebody who knows its id", w.acting(public.auth(), made(credential.AuthorizationCode), made(credential.RefreshToken), made(credential.AccessToken)), unknown)
}
