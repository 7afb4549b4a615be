package app_test

import (
	"context"
	"net/http/httptest"
	"sync"
	"testing"

	"google.golang.org/protobuf/proto"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/principal"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
)

// fakeLegacy is a fake of the services that the legacy interface calls. It accepts the client "id" with the
// secret "secret", which belongs to app_9.
type fakeLegacy struct {
	authv1.UnimplementedLegacyTokenServiceServer
	candidatev1.UnimplementedLegacyProfileServiceServer

	mu        sync.Mutex
	fault     error // returned by every call except the one that authenticates a client
	suspended bool
	asked     int // number of calls to authenticate a client
	exchanged []string
	revoked   [][]byte
	seen      *identityv1.Principal
	profile   *candidatev1.LegacyProfile
}

func (f *fakeLegacy) set(change func(*fakeLegacy)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change(f)
}

func (f *fakeLegacy) AuthenticateLegacyClient(_ context.Context, req *authv1.AuthenticateLegacyClientRequest) (*authv1.AuthenticateLegacyClientResponse, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.asked++
	if req.GetClient().GetClientId() != "id" || req.GetClient().GetClientSecret() != "secret" {
		return nil, errs.New(errs.Unauthenticated, "OAUTH_INVALID_CLIENT", "Client authentication failed.")
	}
	return &authv1.AuthenticateLegacyClientResponse{AppId: "app_9", AccountId: "dev_9", AccountSuspended: f.suspended}, nil
}

func (f *fakeLegacy) ExchangeLegacyCode(_ context.Context, req *authv1.ExchangeLegacyCodeRequest) (*authv1.ExchangeLegacyCodeResponse, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.exchanged = append(f.exchanged, req.GetCode())
	return &authv1.ExchangeLegacyCodeResponse{AccessToken: "svc_at_x", ExpiresIn: 3600, Scopes: []string{"profile:read"}}, f.fault
}

func (f *fakeLegacy) RevokeLegacyToken(_ context.Context, req *authv1.RevokeLegacyTokenRequest) (*authv1.RevokeLegacyTokenResponse, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.revoked = append(f.revoked, req.GetHash())
	return &authv1.RevokeLegacyTokenResponse{}, f.fault
}

func (f *fakeLegacy) GetLegacyProfile(ctx context.Context, _ *candidatev1.GetLegacyProfileRequest) (*candidatev1.GetLegacyProfileResponse, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.seen = principal.FromContext(ctx)
	return &candidatev1.GetLegacyProfileResponse{Profile: f.profile}, f.fault
}

// legacyScene is a scene with a legacy interface. token is a live token of app_9.
type legacyScene struct {
	*scene
	token string
}

func newLegacyScene(t *testing.T, options ...option) *legacyScene {
	t.Helper()
	s := &legacyScene{scene: newScene(t, options...), token: newToken()}
	s.legacy.profile = &candidatev1.LegacyProfile{Name: proto.String("Layla <&> ليلى")}
	s.auth.put(s.token, &authv1.SessionRecord{Principal: legacyPrincipal()})
	server := httptest.NewServer(s.gateway.Legacy())
	t.Cleanup(server.Close)
	s.url = server.URL
	return s
}

func legacyPrincipal() *identityv1.Principal {
	return &identityv1.Principal{
		Kind: identityv1.CredentialKind_CREDENTIAL_KIND_LEGACY_TOKEN, AccountId: "dev_9", AppId: "app_9",
		ConnectionId: "con_9", PersonId: "usr_1", Scopes: []string{"profile:read"}, GrantedScopes: []string{"profile:read"}, CvLinkId: linkID,
	}
}
