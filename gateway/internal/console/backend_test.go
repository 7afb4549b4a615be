package console_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/gateway/internal/console/shell"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/grpcx"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
	optionsv1 "vitae.internal/proto/gen/vitae/options/v1"
)

const (
	owner     = optionsv1.Role_ROLE_OWNER
	developer = optionsv1.Role_ROLE_DEVELOPER
	viewer    = optionsv1.Role_ROLE_VIEWER
)

var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// backend is a fake of the auth and candidate services. It implements grpc.ClientConnInterface and
// shell.Limits. A method without a configured response returns an empty message.
type backend struct {
	mu      sync.Mutex
	answers map[string]func(proto.Message) (proto.Message, error)
	// fail maps methods to the errors that they return.
	fail map[string]error
	// calls records every request.
	calls []proto.Message
	// unsendable lists the methods that received a message that gRPC cannot encode.
	unsendable []string

	// live maps session tokens to sessions. session is the session of the current call.
	live    map[string]*authv1.GetConsoleSessionResponse
	session *authv1.GetConsoleSessionResponse
	// forms is the set of form tokens that have already been submitted.
	forms map[string]bool

	// app is the only app, unless apps is set. keys belong to every app; byApp lists the keys of
	// each app.
	app         *authv1.App
	apps        []*authv1.ListedApp
	keys        []*authv1.ApiKey
	byApp       map[string][]*authv1.ApiKey
	invitations []*authv1.Invitation

	events     []*authv1.AuditEvent
	eventNames []*authv1.EventName
	usage      []*authv1.Usage
	minutes    []*authv1.MinuteUsage
	routes     []*authv1.RouteStats
	refusals   []*authv1.Refusals
	plans      []*authv1.PlanRequest
	// logged is the request log, newest first. The next searches, stops in number, end before they
	// find a request.
	logged []*authv1.RequestEntry
	stops  int

	// tooMany is the error that the page rate limit returns. pages counts the pages charged to it.
	tooMany       error
	pages         int
	standing      shell.Standing
	standingFault error
	standings     int
}

func newBackend() *backend {
	b := &backend{
		answers: map[string]func(proto.Message) (proto.Message, error){}, fail: map[string]error{},
		live: map[string]*authv1.GetConsoleSessionResponse{}, forms: map[string]bool{}, byApp: map[string][]*authv1.ApiKey{},
		app: &authv1.App{
			Id: "app_1", AccountId: "dev_1", Name: `<b>"Rasheed" & Co`, ClientId: "svc_ci_1", ClientType: authv1.ClientType_CLIENT_TYPE_CONFIDENTIAL,
			RedirectUris: []string{"https://rasheed.example/callback"}, Scopes: []string{"profile", "email"},
		},
	}
	b.answerSignIn()
	b.answerAccounts()
	b.answerApps()
	b.answerActivity()
	return b
}

// answer sets the response to requests of type Q.
func answer[Q, R proto.Message](b *backend, f func(Q) (R, error)) {
	var request Q
	b.answers[method(request)] = func(m proto.Message) (proto.Message, error) { return f(m.(Q)) }
}

// method returns the name of the method that takes requests of this type.
func method(request proto.Message) string {
	return strings.TrimSuffix(string(request.ProtoReflect().Descriptor().Name()), "Request")
}

// sent returns the recorded requests of type Q.
func sent[Q proto.Message](b *backend) (all []Q) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, call := range b.calls {
		if q, ok := call.(Q); ok {
			all = append(all, q)
		}
	}
	return all
}

// changes returns the names of the methods called, except read-only methods and methods used to sign in
// or to register a form.
func (b *backend) changes() (all []string) {
	for _, call := range b.calls {
		switch name := method(call); {
		case strings.HasPrefix(name, "Get"), strings.HasPrefix(name, "List"), name == "TakeConsoleForm", name == "EnsureConsoleApp":
		default:
			all = append(all, name)
		}
	}
	return all
}

// withoutSession lists the methods that are called before a session exists.
var withoutSession = []string{"EnsureConsoleApp", "ExchangeCode", "RevokeToken", "ResolveCredential", "GetMe", "OpenConsoleSession"}

func (b *backend) Invoke(ctx context.Context, full string, args, reply any, _ ...grpc.CallOption) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	request := args.(proto.Message)
	if _, err := proto.Marshal(request); err != nil {
		b.unsendable = append(b.unsendable, full)
		return err
	}
	name := method(request)
	b.calls = append(b.calls, proto.Clone(request))
	md, _ := metadata.FromOutgoingContext(ctx)
	b.session = b.live[strings.Join(md.Get(grpcx.ConsoleSessionKey), " ")]
	if b.session == nil && !slices.Contains(withoutSession, name) {
		return errs.New(errs.Unauthenticated, "SESSION_ENDED", "ended")
	}
	if err := b.fail[name]; err != nil {
		return err
	}
	if f, known := b.answers[name]; known {
		response, err := f(request)
		if err != nil {
			return err
		}
		proto.Merge(reply.(proto.Message), response)
	}
	return nil
}

func (b *backend) NewStream(context.Context, *grpc.StreamDesc, string, ...grpc.CallOption) (grpc.ClientStream, error) {
	return nil, errors.ErrUnsupported
}

func (b *backend) charge(*http.Request) error {
	b.pages++
	return b.tooMany
}

func (b *backend) Standing(context.Context, string) (shell.Standing, error) {
	b.standings++
	s := b.standing
	s.Now, s.MinuteEnds, s.DayEnds = now, now.Add(time.Minute), now.Add(12*time.Hour)
	return s, b.standingFault
}

func (b *backend) Surfaces() []shell.Surface {
	return []shell.Surface{
		{Name: "/v1 with an API key", CountedFor: "the app", Burst: shell.Rate{Count: 20, Per: time.Second}, Sustained: shell.Rate{Count: 3000, Per: time.Minute}, Limits: []string{"api_key_burst", "api_key_sustained"}},
		{Name: "/oauth/authorize", CountedFor: "the IP address", Burst: shell.Rate{Count: 20, Per: 10 * time.Second}, Sustained: shell.Rate{Count: 6000, Per: time.Hour}},
	}
}

func standardPlan() *authv1.Plan {
	return &authv1.Plan{Name: authv1.PlanName_PLAN_NAME_STANDARD, PerMinute: 300, PerDay: 20_000}
}

// member returns the session of a person who has the given role in each of the accounts.
func member(role optionsv1.Role, ids ...string) *authv1.GetConsoleSessionResponse {
	s := &authv1.GetConsoleSessionResponse{PersonId: "usr_1", Name: "Layla", Email: "layla@vitae.example", EmailVerified: true, Proven: true}
	for _, id := range ids {
		s.Memberships = append(s.Memberships, &authv1.Membership{AccountId: id, AccountName: "Account " + id, Role: role, Plan: standardPlan()})
	}
	return s
}

func (b *backend) answerSignIn() {
	answer(b, func(*authv1.EnsureConsoleAppRequest) (*authv1.EnsureConsoleAppResponse, error) {
		return &authv1.EnsureConsoleAppResponse{AppId: "app_0", ClientId: "svc_ci_console", Scopes: []string{"profile", "email"}}, nil
	})
	answer(b, func(r *authv1.ExchangeCodeRequest) (*authv1.ExchangeCodeResponse, error) {
		if r.GetCode() != "good" {
			return nil, errs.New(errs.Invalid, "OAUTH_INVALID_GRANT", "no")
		}
		return &authv1.ExchangeCodeResponse{Tokens: &authv1.TokenPair{AccessToken: "an access token", RefreshToken: "a refresh token"}}, nil
	})
	answer(b, func(*authv1.ResolveCredentialRequest) (*authv1.ResolveCredentialResponse, error) {
		return &authv1.ResolveCredentialResponse{Record: &authv1.SessionRecord{Principal: &identityv1.Principal{PersonId: "usr_1"}}}, nil
	})
	answer(b, func(*candidatev1.GetMeRequest) (*candidatev1.GetMeResponse, error) {
		return &candidatev1.GetMeResponse{User: &candidatev1.SignedInUser{Id: "usr_1", Name: "Layla"}}, nil
	})
	answer(b, func(*authv1.OpenConsoleSessionRequest) (*authv1.OpenConsoleSessionResponse, error) {
		b.live["opened"] = member(owner, "dev_1")
		return &authv1.OpenConsoleSessionResponse{SessionToken: "opened", ExpiresAt: timestamppb.New(now.Add(7 * 24 * time.Hour))}, nil
	})
	answer(b, func(*authv1.GetConsoleSessionRequest) (*authv1.GetConsoleSessionResponse, error) {
		return b.session, nil
	})
	answer(b, func(*authv1.CloseConsoleSessionRequest) (*authv1.CloseConsoleSessionResponse, error) {
		clear(b.live)
		return &authv1.CloseConsoleSessionResponse{}, nil
	})
	answer(b, func(r *authv1.TakeConsoleFormRequest) (*authv1.TakeConsoleFormResponse, error) {
		switch {
		case len(r.GetForm()) < 16:
			return nil, errs.New(errs.Invalid, "INVALID_ARGUMENT", "no form")
		case b.forms[r.GetForm()]:
			return nil, errs.New(errs.Exists, "FORM_SENT", "sent")
		}
		b.forms[r.GetForm()] = true
		return &authv1.TakeConsoleFormResponse{}, nil
	})
}

func (b *backend) answerAccounts() {
	answer(b, func(r *authv1.GetAccountRequest) (*authv1.GetAccountResponse, error) {
		return &authv1.GetAccountResponse{Account: &authv1.Account{Id: r.GetId(), Name: "Account " + r.GetId(), Plan: standardPlan()}}, nil
	})
	answer(b, func(r *authv1.CreateAccountRequest) (*authv1.CreateAccountResponse, error) {
		b.session.Memberships = append(b.session.Memberships, &authv1.Membership{AccountId: "dev_9", AccountName: r.GetName(), Role: owner})
		return &authv1.CreateAccountResponse{Account: &authv1.Account{Id: "dev_9"}}, nil
	})
	answer(b, func(*authv1.CloseAccountRequest) (*authv1.CloseAccountResponse, error) {
		b.session.Memberships = nil
		return &authv1.CloseAccountResponse{}, nil
	})
	answer(b, func(*authv1.ListMembersRequest) (*authv1.ListMembersResponse, error) {
		return &authv1.ListMembersResponse{Members: []*authv1.AccountMember{
			{PersonId: b.session.GetPersonId(), Name: b.session.GetName(), Email: b.session.GetEmail(), Role: b.session.GetMemberships()[0].GetRole()},
			{PersonId: "usr_2", Name: "Omar", Email: "omar@vitae.example", Role: viewer},
		}}, nil
	})
	answer(b, func(*authv1.ListInvitationsRequest) (*authv1.ListInvitationsResponse, error) {
		return &authv1.ListInvitationsResponse{Invitations: b.invitations}, nil
	})
	answer(b, func(r *authv1.CreateInvitationRequest) (*authv1.CreateInvitationResponse, error) {
		return &authv1.CreateInvitationResponse{Invitation: &authv1.Invitation{Id: "inv_1", Email: r.GetEmail()}, Secret: "invited-once"}, nil
	})
	answer(b, func(*authv1.ListPlanRequestsRequest) (*authv1.ListPlanRequestsResponse, error) {
		return &authv1.ListPlanRequestsResponse{PlanRequests: b.plans, Plans: []*authv1.Plan{
			standardPlan(), {Name: authv1.PlanName_PLAN_NAME_ELEVATED, PerMinute: 1_000, PerDay: 200_000},
		}}, nil
	})
}

func (b *backend) answerApps() {
	answer(b, func(r *authv1.ListAppsRequest) (*authv1.ListAppsResponse, error) {
		all := b.apps
		if all == nil {
			all = []*authv1.ListedApp{{App: b.app, State: authv1.AppState_APP_STATE_LIVE}}
		}
		return &authv1.ListAppsResponse{Apps: slices.DeleteFunc(slices.Clone(all), func(a *authv1.ListedApp) bool {
			return a.GetApp().GetDeletedAt() != nil && !r.GetIncludeDeleted()
		})}, nil
	})
	answer(b, func(*authv1.GetAppRequest) (*authv1.GetAppResponse, error) {
		return &authv1.GetAppResponse{App: b.app}, nil
	})
	answer(b, func(*authv1.CreateAppRequest) (*authv1.CreateAppResponse, error) {
		return &authv1.CreateAppResponse{App: b.app, ClientSecret: "svc_cs_once"}, nil
	})
	answer(b, func(*authv1.ListClientSecretsRequest) (*authv1.ListClientSecretsResponse, error) {
		return &authv1.ListClientSecretsResponse{Secrets: []*authv1.ClientSecret{{Id: "sec_1", CreatedBy: "usr_1", CreatedAt: timestamppb.New(now)}}}, nil
	})
	answer(b, func(*authv1.RotateClientSecretRequest) (*authv1.RotateClientSecretResponse, error) {
		return &authv1.RotateClientSecretResponse{App: b.app, ClientSecret: "svc_cs_again"}, nil
	})
	answer(b, func(r *authv1.ListApiKeysRequest) (*authv1.ListApiKeysResponse, error) {
		keys := append(slices.Clone(b.keys), b.byApp[r.GetAppId()]...)
		return &authv1.ListApiKeysResponse{ApiKeys: slices.DeleteFunc(keys, func(k *authv1.ApiKey) bool {
			return k.GetDeletedAt() != nil && !r.GetIncludeDeleted()
		})}, nil
	})
	answer(b, func(r *authv1.CreateApiKeyRequest) (*authv1.CreateApiKeyResponse, error) {
		return &authv1.CreateApiKeyResponse{ApiKey: &authv1.ApiKey{Id: "key_1", Scopes: r.GetScopes()}, Secret: "svc_sk_once"}, nil
	})
}

func (b *backend) answerActivity() {
	answer(b, func(*authv1.ListEventsRequest) (*authv1.ListEventsResponse, error) {
		return &authv1.ListEventsResponse{Events: b.events, Names: b.eventNames}, nil
	})
	answer(b, func(*authv1.ListRefusalsRequest) (*authv1.ListRefusalsResponse, error) {
		return &authv1.ListRefusalsResponse{Refusals: b.refusals}, nil
	})
	answer(b, func(*authv1.ListUsageByMinuteRequest) (*authv1.ListUsageByMinuteResponse, error) {
		return &authv1.ListUsageByMinuteResponse{Minutes: b.minutes}, nil
	})
	answer(b, func(*authv1.ListRouteStatsRequest) (*authv1.ListRouteStatsResponse, error) {
		return &authv1.ListRouteStatsResponse{Routes: b.routes}, nil
	})
	answer(b, b.listUsage)
	answer(b, b.listRequests)
	answer(b, func(r *authv1.GetRequestRequest) (*authv1.GetRequestResponse, error) {
		if len(r.GetRequestId()) > 100 {
			return nil, errs.New(errs.Invalid, "INVALID_ARGUMENT", "no").WithViolations(errs.Violation{Field: "request_id", Description: "is too long"})
		}
		for _, e := range b.logged {
			if e.GetRequestId() == r.GetRequestId() {
				return &authv1.GetRequestResponse{Request: e}, nil
			}
		}
		return nil, errs.New(errs.NotFound, "REQUEST_NOT_FOUND", "There is no such request in the log of this account.")
	})
}

// listUsage filters the rows as the auth service does, but does not group them.
func (b *backend) listUsage(r *authv1.ListUsageRequest) (*authv1.ListUsageResponse, error) {
	resp := &authv1.ListUsageResponse{}
	for _, row := range b.usage {
		key := row.GetApiKeyId()
		if row.GetDay() < r.GetFromDay() || row.GetDay() > r.GetToDay() || r.GetAppId() != "" && r.GetAppId() != row.GetAppId() ||
			r.GetApiKeyId() != "" && r.GetApiKeyId() != key && (r.GetApiKeyId() != "token" || key != "") {
			continue
		}
		resp.Usage = append(resp.Usage, row)
	}
	return resp, nil
}

// listRequests filters the log by time and status class, and returns it in pages.
func (b *backend) listRequests(r *authv1.ListRequestsRequest) (*authv1.ListRequestsResponse, error) {
	if b.stops > 0 {
		b.stops--
		return &authv1.ListRequestsResponse{NextPageToken: "0", SearchedTo: timestamppb.New(now)}, nil
	}
	var matching []*authv1.RequestEntry
	for _, e := range b.logged {
		at, class := e.GetAt().AsTime(), r.GetStatus()
		if (r.GetFrom() == nil || !at.Before(r.GetFrom().AsTime())) && (r.GetTo() == nil || at.Before(r.GetTo().AsTime())) &&
			(!strings.HasSuffix(class, "xx") || int32(class[0]-'0') == e.GetStatus()/100) {
			matching = append(matching, e)
		}
	}
	begin := 0
	if r.GetPageToken() != "" {
		var err error
		if begin, err = strconv.Atoi(r.GetPageToken()); err != nil {
			return nil, errs.New(errs.Invalid, "INVALID_ARGUMENT", "no").WithViolations(errs.Violation{Field: "page_token", Description: "is not of a page"})
		}
	}
	end := min(begin+int(r.GetPageSize()), len(matching))
	resp := &authv1.ListRequestsResponse{Requests: matching[begin:end]}
	if end < len(matching) {
		resp.NextPageToken = strconv.Itoa(end)
	}
	return resp, nil
}
