package app_test

import (
	"context"
	"sync"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/principal"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
	cvrenderv1 "vitae.internal/proto/gen/vitae/cvrender/v1"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
)

// fakeAuth looks up credentials by their hash and responds to OAuth calls with the test's functions.
// Only the end-to-end tests run the real auth service.
type fakeAuth struct {
	authv1.UnimplementedCredentialServiceServer
	authv1.UnimplementedOAuthServiceServer
	authv1.UnimplementedUsageServiceServer
	token, key string

	mu       sync.Mutex
	records  map[string]*authv1.SessionRecord
	spent    int32
	resolved int
	fault    error
	// reported holds the requests that the gateway has reported.
	reported []*authv1.RequestEntry
	counted  []*authv1.AccountUsage
	reports  chan struct{} // signals tests that wait for a report

	// acts identifies the app that authenticates in OAuth calls. It is empty if none does.
	acts       audit.About
	check      func(*authv1.AuthorizationParameters) (*authv1.CheckAuthorizationResponse, error)
	exchange   func(*authv1.ExchangeCodeRequest) (*authv1.TokenPair, error)
	refresh    func(*authv1.RefreshTokenRequest) (*authv1.TokenPair, error)
	introspect func(*authv1.IntrospectTokenRequest) (*authv1.IntrospectTokenResponse, error)
	revoke     func(*authv1.RevokeTokenRequest) error
}

func newFakeAuth() *fakeAuth {
	f := &fakeAuth{token: newToken(), key: credential.New(credential.APIKey), records: map[string]*authv1.SessionRecord{}, reports: make(chan struct{}, 1)}
	f.put(f.token, &authv1.SessionRecord{Principal: fullPrincipal()})
	f.put(f.key, &authv1.SessionRecord{Principal: keyPrincipal()})
	link := fullPrincipal()
	link.Kind = identityv1.CredentialKind_CREDENTIAL_KIND_CV_LINK
	f.put(linkID, &authv1.SessionRecord{Principal: link})
	return f
}

// put sets the session record of a credential. If record is nil, the credential is dead.
func (f *fakeAuth) put(secret string, record *authv1.SessionRecord) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if record != nil && record.GetPlan() == nil {
		record.Plan = widePlan()
	}
	hash := credential.Hash(secret)
	if f.records[string(hash[:])] = record; record == nil {
		delete(f.records, string(hash[:]))
	}
}

// end revokes a credential.
func (f *fakeAuth) end(secret string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	hash := credential.Hash(secret)
	f.records[string(hash[:])] = nil
}

// widePlan returns a plan with limits so high that tests do not reach them by accident.
func widePlan() *authv1.Plan { return &authv1.Plan{PerMinute: 100_000, PerDay: 1_000_000} }

func (f *fakeAuth) GetSpent(context.Context, *authv1.GetSpentRequest) (*authv1.GetSpentResponse, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return &authv1.GetSpentResponse{Requests: f.spent}, f.fault
}

func (f *fakeAuth) RecordRequests(_ context.Context, req *authv1.RecordRequestsRequest) (*authv1.RecordRequestsResponse, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.reported, f.counted = append(f.reported, req.GetEntries()...), append(f.counted, req.GetCounts()...)
	select {
	case f.reports <- struct{}{}:
	default:
	}
	return &authv1.RecordRequestsResponse{}, nil
}

func (f *fakeAuth) fail(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.fault = err
}

func (f *fakeAuth) lookups() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.resolved
}

func (f *fakeAuth) ResolveCredential(_ context.Context, req *authv1.ResolveCredentialRequest) (*authv1.ResolveCredentialResponse, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.resolved++
	if f.fault != nil {
		return nil, f.fault
	}
	record, issued := f.records[string(req.GetHash())]
	if record == nil && issued {
		return nil, errs.New(errs.Unauthenticated, "CREDENTIAL_UNKNOWN", "ended")
	}
	if record == nil {
		return nil, errs.New(errs.Unauthenticated, "CREDENTIAL_NOT_ISSUED", "unknown")
	}
	return &authv1.ResolveCredentialResponse{Record: record}, nil
}

func (f *fakeAuth) CheckAuthorization(_ context.Context, req *authv1.CheckAuthorizationRequest) (*authv1.CheckAuthorizationResponse, error) {
	return f.check(req.GetParameters())
}

func (f *fakeAuth) ExchangeCode(ctx context.Context, req *authv1.ExchangeCodeRequest) (*authv1.ExchangeCodeResponse, error) {
	audit.FromContext(ctx).Note(f.acts)
	tokens, err := f.exchange(req)
	return &authv1.ExchangeCodeResponse{Tokens: tokens}, err
}

func (f *fakeAuth) RefreshToken(ctx context.Context, req *authv1.RefreshTokenRequest) (*authv1.RefreshTokenResponse, error) {
	audit.FromContext(ctx).Note(f.acts)
	tokens, err := f.refresh(req)
	return &authv1.RefreshTokenResponse{Tokens: tokens}, err
}

func (f *fakeAuth) IntrospectToken(ctx context.Context, req *authv1.IntrospectTokenRequest) (*authv1.IntrospectTokenResponse, error) {
	audit.FromContext(ctx).Note(f.acts)
	return f.introspect(req)
}

func (f *fakeAuth) RevokeToken(ctx context.Context, req *authv1.RevokeTokenRequest) (*authv1.RevokeTokenResponse, error) {
	audit.FromContext(ctx).Note(f.acts)
	return &authv1.RevokeTokenResponse{}, f.revoke(req)
}

// fakeMe is a fake MeService. It records principals, and returns fault if it is set.
type fakeMe struct {
	candidatev1.UnimplementedMeServiceServer

	mu    sync.Mutex
	seen  *identityv1.Principal
	fault error
	panic bool
	hold  func()
	title string
	heard []metadata.MD // metadata of every call
	// user and cv replace the default responses.
	user     *candidatev1.SignedInUser
	cv       *cvv1.SharedCv
	template cvrenderv1.CvTemplate
}

func (f *fakeMe) calls() int { return len(f.metadata()) }

func (f *fakeMe) metadata() []metadata.MD {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.heard
}

func (f *fakeMe) set(change func(*fakeMe)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change(f)
}

func (f *fakeMe) principal() *identityv1.Principal {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.seen
}

func (f *fakeMe) take(ctx context.Context) (*identityv1.Principal, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.seen = principal.FromContext(ctx)
	md, _ := metadata.FromIncomingContext(ctx)
	f.heard = append(f.heard, md)
	if f.panic {
		panic("candidate")
	}
	return f.seen, f.fault
}

func (f *fakeMe) GetMe(ctx context.Context, _ *candidatev1.GetMeRequest) (*candidatev1.GetMeResponse, error) {
	p, err := f.take(ctx)
	if err != nil {
		return nil, err
	}
	if f.hold != nil {
		f.hold()
	}
	if f.user != nil {
		return &candidatev1.GetMeResponse{User: f.user}, nil
	}
	return &candidatev1.GetMeResponse{User: &candidatev1.SignedInUser{
		Id: p.GetPersonId(), Name: "Layla <&> ليلى", Username: wrapperspb.String("layla"), Email: proto.String("layla@example.com"),
		Connection: &candidatev1.ConnectionSummary{Id: p.GetConnectionId(), Scopes: p.GetScopes(), CreatedAt: p.GetConnectedAt()},
	}}, nil
}

func (f *fakeMe) GetSharedCv(ctx context.Context, _ *candidatev1.GetSharedCvRequest) (*candidatev1.GetSharedCvResponse, error) {
	p, err := f.take(ctx)
	if err != nil {
		return nil, err
	}
	if f.cv != nil {
		return &candidatev1.GetSharedCvResponse{Cv: f.cv}, nil
	}
	return &candidatev1.GetSharedCvResponse{Template: f.template, Cv: &cvv1.SharedCv{
		Id: p.GetCvId(), Title: "Main CV" + f.title, UpdatedAt: connectedAt, IsMainCv: true, Language: "en",
		Document: &cvv1.CvDocument{Name: "Layla"},
		Pdf:      &cvv1.CvPdf{Url: p.GetCvLinkUrl(), ContentType: "application/pdf"},
	}}, nil
}

// fakeRenderer is a fake renderer that sends the given messages, followed by its error.
type fakeRenderer struct {
	cvrenderv1.UnimplementedCvRenderServiceServer

	mu    sync.Mutex
	asked *cvrenderv1.RenderCvRequest
	head  *cvrenderv1.RenderCvHead
	parts []string
	fault error
}

func newFakeRenderer() *fakeRenderer {
	return &fakeRenderer{
		head:  &cvrenderv1.RenderCvHead{Etag: "tag1", Size: 14, Filename: "ليلى CV.pdf"},
		parts: []string{"%PDF-1.7", " bytes"},
	}
}

func (f *fakeRenderer) set(change func(*fakeRenderer)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change(f)
}

func (f *fakeRenderer) request() *cvrenderv1.RenderCvRequest {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.asked
}

func (f *fakeRenderer) RenderCv(req *cvrenderv1.RenderCvRequest, stream grpc.ServerStreamingServer[cvrenderv1.RenderCvResponse]) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.asked = req
	if f.head != nil {
		head := &cvrenderv1.RenderCvResponse{Part: &cvrenderv1.RenderCvResponse_Head{Head: f.head}}
		if err := stream.Send(head); err != nil {
			return err
		}
	}
	for _, part := range f.parts {
		chunk := &cvrenderv1.RenderCvResponse{Part: &cvrenderv1.RenderCvResponse_Chunk{Chunk: []byte(part)}}
		if err := stream.Send(chunk); err != nil {
			return err
		}
	}
	return f.fault
}
