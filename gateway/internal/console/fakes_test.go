package console

import (
	"context"
	"strings"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/grpcx"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
	optionsv1 "vitae.internal/proto/gen/vitae/options/v1"
)

const (
	baseURL    = "https://api.vitae.example"
	appURL     = "https://vitae.example"
	consoleURL = "https://console.vitae.example"
)

var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// backend stands in for auth and candidate. It knows one app and the sessions that were
// opened.
type backend struct {
	authv1.ConsoleServiceClient
	authv1.OAuthServiceClient
	authv1.CredentialServiceClient
	authv1.AccountServiceClient
	authv1.DeveloperServiceClient
	authv1.MemberServiceClient
	authv1.AuditServiceClient
	authv1.UsageServiceClient
	candidatev1.MeServiceClient

	// live are the sessions by secret.
	live map[string]*authv1.GetConsoleSessionResponse
	// asked are the secrets of sessions that calls have carried, by method.
	asked map[string]string
	// verifier is what a code was exchanged with, revoked the tokens that were revoked.
	verifier string
	revoked  []string
	// app is the app of the account; update and key are what was asked of it last.
	app    *authv1.App
	update *authv1.UpdateAppRequest
	key    *authv1.CreateApiKeyRequest
	keys   []*authv1.ApiKey
	// events are those of the audit log with eventNames; audited is what was asked of it, and
	// moreEvents gives it a second page.
	events     []*authv1.AuditEvent
	eventNames []*authv1.EventName
	audited    []*authv1.ListEventsRequest
	moreEvents bool
	// mu guards live, asked, logged and searches, which a page may use at the same time.
	mu sync.Mutex
	// logged is the request log, newest first; searches are what was asked of it.
	logged   []*authv1.RequestEntry
	searches []*authv1.ListRequestsRequest
	// stops is how many searches find nothing although there are more.
	stops int
	// invitations are the open ones.
	invitations []*authv1.Invitation
	// forms are those that were taken; made counts what was made.
	forms map[string]bool
	made  int
	// fail is what changes answer, if it is set.
	fail error
	// overPages is what the tier of pages answers, if it is spent.
	overPages error
	budgetBackend
}

func newBackend() *backend {
	return &backend{
		live: map[string]*authv1.GetConsoleSessionResponse{}, asked: map[string]string{}, forms: map[string]bool{},
		app: &authv1.App{
			Id: "app_1", AccountId: "dev_1", Name: `<b>"Rasheed" & Co`, ClientId: "svc_ci_1", ClientType: authv1.ClientType_CLIENT_TYPE_CONFIDENTIAL,
			RedirectUris: []string{"https://rasheed.example/callback"}, Scopes: []string{"profile", "email"},
		},
	}
}

func member(role optionsv1.Role, ids ...string) *authv1.GetConsoleSessionResponse {
	s := &authv1.GetConsoleSessionResponse{PersonId: "usr_1", Name: "Layla", Email: "layla@vitae.example", EmailVerified: true, Proven: true}
	for _, id := range ids {
		s.Memberships = append(s.Memberships, &authv1.Membership{AccountId: id, AccountName: "Account " + id, Role: role, Plan: standardPlan()})
	}
	return s
}

// session gives the session that a call is made for.
func (b *backend) session(ctx context.Context, method string) (*authv1.GetConsoleSessionResponse, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	md, _ := metadata.FromOutgoingContext(ctx)
	secret := strings.Join(md.Get(grpcx.ConsoleSessionKey), " ")
	b.asked[method] = secret
	if s, ok := b.live[secret]; ok {
		return s, nil
	}
	return nil, errs.New(errs.Unauthenticated, "SESSION_ENDED", "ended")
}

func (b *backend) EnsureConsoleApp(context.Context, *authv1.EnsureConsoleAppRequest, ...grpc.CallOption) (*authv1.EnsureConsoleAppResponse, error) {
	return &authv1.EnsureConsoleAppResponse{AppId: "app_0", ClientId: "svc_ci_console", Scopes: []string{"profile", "email"}}, nil
}

func (b *backend) ExchangeCode(_ context.Context, r *authv1.ExchangeCodeRequest, _ ...grpc.CallOption) (*authv1.ExchangeCodeResponse, error) {
	if r.GetCode() != "good" {
		return nil, errs.New(errs.Invalid, "OAUTH_INVALID_GRANT", "no")
	}
	b.verifier = r.GetCodeVerifier()
	return &authv1.ExchangeCodeResponse{Tokens: &authv1.TokenPair{AccessToken: "an access token", RefreshToken: "a refresh token"}}, nil
}

func (b *backend) RevokeToken(_ context.Context, r *authv1.RevokeTokenRequest, _ ...grpc.CallOption) (*authv1.RevokeTokenResponse, error) {
	b.revoked = append(b.revoked, r.GetToken())
	return &authv1.RevokeTokenResponse{}, nil
}

func (b *backend) ResolveCredential(context.Context, *authv1.ResolveCredentialRequest, ...grpc.CallOption) (*authv1.ResolveCredentialResponse, error) {
	return &authv1.ResolveCredentialResponse{Record: &authv1.SessionRecord{Principal: &identityv1.Principal{PersonId: "usr_1"}}}, nil
}

func (b *backend) GetMe(context.Context, *candidatev1.GetMeRequest, ...grpc.CallOption) (*candidatev1.GetMeResponse, error) {
	return &candidatev1.GetMeResponse{User: &candidatev1.SignedInUser{Id: "usr_1", Name: "Layla"}}, nil
}

func (b *backend) OpenConsoleSession(_ context.Context, r *authv1.OpenConsoleSessionRequest, _ ...grpc.CallOption) (*authv1.OpenConsoleSessionResponse, error) {
	b.live["opened"] = member(optionsv1.Role_ROLE_OWNER, "dev_1")
	b.live["opened"].Name = r.GetName()
	return &authv1.OpenConsoleSessionResponse{SessionToken: "opened", ExpiresAt: timestamppb.New(now.Add(7 * 24 * time.Hour))}, nil
}

func (b *backend) GetConsoleSession(ctx context.Context, _ *authv1.GetConsoleSessionRequest, _ ...grpc.CallOption) (*authv1.GetConsoleSessionResponse, error) {
	return b.session(ctx, "GetConsoleSession")
}

func (b *backend) CloseConsoleSession(ctx context.Context, _ *authv1.CloseConsoleSessionRequest, _ ...grpc.CallOption) (*authv1.CloseConsoleSessionResponse, error) {
	_, err := b.session(ctx, "CloseConsoleSession")
	delete(b.live, b.asked["CloseConsoleSession"])
	return &authv1.CloseConsoleSessionResponse{}, err
}

func (b *backend) TakeConsoleForm(ctx context.Context, r *authv1.TakeConsoleFormRequest, _ ...grpc.CallOption) (*authv1.TakeConsoleFormResponse, error) {
	_, err := b.session(ctx, "TakeConsoleForm")
	if err == nil && len(r.GetForm()) < 16 {
		err = errs.New(errs.Invalid, "INVALID_ARGUMENT", "no form")
	}
	if err == nil && b.forms[r.GetForm()] {
		err = errs.New(errs.Exists, codeFormSent, "sent")
	}
	b.forms[r.GetForm()] = true
	return &authv1.TakeConsoleFormResponse{}, err
}

func (b *backend) GetAccount(ctx context.Context, r *authv1.GetAccountRequest, _ ...grpc.CallOption) (*authv1.GetAccountResponse, error) {
	_, err := b.session(ctx, "GetAccount")
	return &authv1.GetAccountResponse{Account: &authv1.Account{Id: r.GetId(), Name: "Account " + r.GetId(), Plan: &authv1.Plan{PerMinute: 300, PerDay: 20_000}}}, err
}

func (b *backend) CreateAccount(ctx context.Context, r *authv1.CreateAccountRequest, _ ...grpc.CallOption) (*authv1.CreateAccountResponse, error) {
	if b.fail != nil {
		return nil, b.fail
	}
	s, err := b.session(ctx, "CreateAccount")
	if err == nil {
		b.made++
		s.Memberships = append(s.Memberships, &authv1.Membership{AccountId: "dev_9", AccountName: r.GetName(), Role: optionsv1.Role_ROLE_OWNER})
	}
	return &authv1.CreateAccountResponse{Account: &authv1.Account{Id: "dev_9"}}, err
}

func (b *backend) ListApps(ctx context.Context, r *authv1.ListAppsRequest, _ ...grpc.CallOption) (*authv1.ListAppsResponse, error) {
	_, err := b.session(ctx, "ListApps "+r.GetAccountId())
	return &authv1.ListAppsResponse{Apps: []*authv1.ListedApp{{App: b.app, State: authv1.AppState_APP_STATE_LIVE, Connections: 3}}}, err
}

func (b *backend) GetApp(ctx context.Context, _ *authv1.GetAppRequest, _ ...grpc.CallOption) (*authv1.GetAppResponse, error) {
	_, err := b.session(ctx, "GetApp")
	return &authv1.GetAppResponse{App: b.app}, err
}

func (b *backend) CreateApp(ctx context.Context, _ *authv1.CreateAppRequest, _ ...grpc.CallOption) (*authv1.CreateAppResponse, error) {
	b.made++
	_, err := b.session(ctx, "CreateApp")
	return &authv1.CreateAppResponse{App: b.app, ClientSecret: "svc_cs_once"}, err
}

func (b *backend) UpdateApp(ctx context.Context, r *authv1.UpdateAppRequest, _ ...grpc.CallOption) (*authv1.UpdateAppResponse, error) {
	b.update = r
	if b.fail != nil {
		return nil, b.fail
	}
	_, err := b.session(ctx, "UpdateApp")
	return &authv1.UpdateAppResponse{App: b.app}, err
}

func (b *backend) ListClientSecrets(ctx context.Context, _ *authv1.ListClientSecretsRequest, _ ...grpc.CallOption) (*authv1.ListClientSecretsResponse, error) {
	_, err := b.session(ctx, "ListClientSecrets")
	return &authv1.ListClientSecretsResponse{Secrets: []*authv1.ClientSecret{{Id: "sec_1", CreatedBy: "usr_1", CreatedAt: timestamppb.New(now)}}}, err
}

func (b *backend) RotateClientSecret(ctx context.Context, _ *authv1.RotateClientSecretRequest, _ ...grpc.CallOption) (*authv1.RotateClientSecretResponse, error) {
	b.made++
	_, err := b.session(ctx, "RotateClientSecret")
	return &authv1.RotateClientSecretResponse{App: b.app, ClientSecret: "svc_cs_again"}, err
}

func (b *backend) ListApiKeys(ctx context.Context, _ *authv1.ListApiKeysRequest, _ ...grpc.CallOption) (*authv1.ListApiKeysResponse, error) {
	_, err := b.session(ctx, "ListApiKeys")
	return &authv1.ListApiKeysResponse{ApiKeys: b.keys}, err
}

func (b *backend) CreateApiKey(ctx context.Context, r *authv1.CreateApiKeyRequest, _ ...grpc.CallOption) (*authv1.CreateApiKeyResponse, error) {
	b.key = r
	if b.fail != nil {
		return nil, b.fail
	}
	b.made++
	_, err := b.session(ctx, "CreateApiKey")
	return &authv1.CreateApiKeyResponse{ApiKey: &authv1.ApiKey{Id: "key_1", Scopes: r.GetScopes()}, Secret: "svc_sk_once"}, err
}

func (b *backend) ListMembers(ctx context.Context, _ *authv1.ListMembersRequest, _ ...grpc.CallOption) (*authv1.ListMembersResponse, error) {
	s, err := b.session(ctx, "ListMembers")
	if err != nil {
		return nil, err
	}
	return &authv1.ListMembersResponse{Members: []*authv1.AccountMember{
		{PersonId: s.GetPersonId(), Name: s.GetName(), Email: s.GetEmail(), Role: s.GetMemberships()[0].GetRole()},
		{PersonId: "usr_2", Name: "Omar", Email: "omar@vitae.example", Role: optionsv1.Role_ROLE_VIEWER},
	}}, nil
}

func (b *backend) ListInvitations(context.Context, *authv1.ListInvitationsRequest, ...grpc.CallOption) (*authv1.ListInvitationsResponse, error) {
	return &authv1.ListInvitationsResponse{Invitations: b.invitations}, nil
}

func (b *backend) CreateInvitation(_ context.Context, r *authv1.CreateInvitationRequest, _ ...grpc.CallOption) (*authv1.CreateInvitationResponse, error) {
	b.made++
	return &authv1.CreateInvitationResponse{Invitation: &authv1.Invitation{Id: "inv_1", Email: r.GetEmail()}, Secret: "invited-once"}, b.fail
}

// ListEvents notes what is asked, and gives all events with the names that it knows.
func (b *backend) ListEvents(_ context.Context, r *authv1.ListEventsRequest, _ ...grpc.CallOption) (*authv1.ListEventsResponse, error) {
	b.audited = append(b.audited, proto.CloneOf(r))
	resp := &authv1.ListEventsResponse{Events: b.events, Names: b.eventNames}
	if b.moreEvents && r.GetPageToken() == "" {
		resp.NextPageToken = "more"
	}
	return resp, b.fail
}
