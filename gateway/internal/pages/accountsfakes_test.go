package pages

import (
	"context"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// goodToken is the token of the one link that works.
const goodToken = "id.signature"

// accounts are what the pages have asked for of people's accounts.
type accounts struct {
	// wanted, forgotten, chosen and changed are the calls.
	wanted    []*authv1.StartSignUpRequest
	completed []*authv1.CompleteSignUpRequest
	forgotten []*authv1.StartPasswordResetRequest
	chosen    []*authv1.ResetPasswordRequest
	// here is the id of the session of the browser.
	here    string
	changed []*authv1.ChangePasswordRequest
	// accountFail is what each of them answers.
	accountFail error
	// listed are the sessions of the person, ended the ids of those that were ended.
	listed []*authv1.Session
	ways
	ended    []string
	endedAll int
	// language is that of the account.
	language string
}

func (b *backend) ListSessions(_ context.Context, req *authv1.ListSessionsRequest, _ ...grpc.CallOption) (*authv1.ListSessionsResponse, error) {
	if !b.sessions[req.GetSessionToken()] {
		return nil, errs.New(errs.Unauthenticated, "SESSION_ENDED", "ended")
	}
	return &authv1.ListSessionsResponse{Sessions: b.listed}, nil
}

func (b *backend) SetLanguage(_ context.Context, req *authv1.SetLanguageRequest, _ ...grpc.CallOption) (*authv1.SetLanguageResponse, error) {
	if !b.sessions[req.GetSessionToken()] {
		return nil, errs.New(errs.Unauthenticated, "SESSION_ENDED", "ended")
	}
	b.language = req.GetLanguage()
	return &authv1.SetLanguageResponse{}, nil
}

func (b *backend) EndSession(_ context.Context, req *authv1.EndSessionRequest, _ ...grpc.CallOption) (*authv1.EndSessionResponse, error) {
	b.ended = append(b.ended, req.GetId())
	if req.GetId() == b.here {
		clear(b.sessions)
	}
	return &authv1.EndSessionResponse{}, nil
}

func (b *backend) EndAllSessions(context.Context, *authv1.EndAllSessionsRequest, ...grpc.CallOption) (*authv1.EndAllSessionsResponse, error) {
	b.endedAll++
	clear(b.sessions)
	return &authv1.EndAllSessionsResponse{}, nil
}

var errDead = errs.New(errs.NotFound, "LINK_DEAD", "dead")

func (b *backend) StartSignUp(_ context.Context, req *authv1.StartSignUpRequest, _ ...grpc.CallOption) (*authv1.StartSignUpResponse, error) {
	b.wanted = append(b.wanted, req)
	return &authv1.StartSignUpResponse{Pending: "pending"}, b.accountFail
}

func (b *backend) GetSignUp(_ context.Context, req *authv1.GetSignUpRequest, _ ...grpc.CallOption) (*authv1.GetSignUpResponse, error) {
	if req.GetToken() != goodToken {
		return nil, errDead
	}
	return &authv1.GetSignUpResponse{Email: goodEmail}, nil
}

func (b *backend) CompleteSignUp(_ context.Context, req *authv1.CompleteSignUpRequest, _ ...grpc.CallOption) (*authv1.CompleteSignUpResponse, error) {
	b.completed = append(b.completed, req)
	if b.accountFail != nil {
		return nil, b.accountFail
	}
	b.sessions["made"] = true
	return &authv1.CompleteSignUpResponse{Session: &authv1.SignInResponse{
		SessionToken: "made", Person: b.person(), ExpiresAt: timestamppb.New(now.Add(12 * time.Hour)),
		DeviceToken: "device", DeviceExpiresAt: timestamppb.New(now.Add(24 * time.Hour)),
	}}, nil
}

func (b *backend) StartPasswordReset(_ context.Context, req *authv1.StartPasswordResetRequest, _ ...grpc.CallOption) (*authv1.StartPasswordResetResponse, error) {
	b.forgotten = append(b.forgotten, req)
	return &authv1.StartPasswordResetResponse{}, b.accountFail
}

func (b *backend) GetPasswordReset(_ context.Context, req *authv1.GetPasswordResetRequest, _ ...grpc.CallOption) (*authv1.GetPasswordResetResponse, error) {
	if req.GetToken() != goodToken {
		return nil, errDead
	}
	return &authv1.GetPasswordResetResponse{Email: goodEmail}, nil
}

func (b *backend) ResetPassword(_ context.Context, req *authv1.ResetPasswordRequest, _ ...grpc.CallOption) (*authv1.ResetPasswordResponse, error) {
	b.chosen = append(b.chosen, req)
	return &authv1.ResetPasswordResponse{}, b.accountFail
}

func (b *backend) ChangePassword(_ context.Context, req *authv1.ChangePasswordRequest, _ ...grpc.CallOption) (*authv1.ChangePasswordResponse, error) {
	b.changed = append(b.changed, req)
	return &authv1.ChangePasswordResponse{}, b.accountFail
}
