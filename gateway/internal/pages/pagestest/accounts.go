package pagestest

import (
	"context"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// GoodToken is the token of the only emailed link that works.
const GoodToken = "id.signature"

// accounts records the requests about accounts that the pages have sent.
type accounts struct {
	Wanted    []*authv1.StartSignUpRequest
	Completed []*authv1.CompleteSignUpRequest
	// Profiled lists the sessions for which a profile was created. ProfileFail is the error that
	// such a call returns.
	Profiled    []string
	ProfileFail error
	Forgotten   []*authv1.StartPasswordResetRequest
	Chosen      []*authv1.ResetPasswordRequest
	Changed     []*authv1.ChangePasswordRequest
	// AccountFail is the error that each of the calls about accounts returns.
	AccountFail error
	// Here is the id of this browser's session. Listed contains all sessions. Ended lists the
	// sessions that the pages have ended.
	Here     string
	Listed   []*authv1.Session
	Ended    []string
	EndedAll int
	// Language is the account's language.
	Language string
	passkeys
}

func (b *Backend) ListSessions(_ context.Context, req *authv1.ListSessionsRequest) (*authv1.ListSessionsResponse, error) {
	return &authv1.ListSessionsResponse{Sessions: b.Listed}, b.live(req.GetSessionToken())
}

func (b *Backend) SetLanguage(_ context.Context, req *authv1.SetLanguageRequest) (*authv1.SetLanguageResponse, error) {
	b.Language = req.GetLanguage()
	return &authv1.SetLanguageResponse{}, b.live(req.GetSessionToken())
}

func (b *Backend) EndSession(_ context.Context, req *authv1.EndSessionRequest) (*authv1.EndSessionResponse, error) {
	b.Ended = append(b.Ended, req.GetId())
	if req.GetId() == b.Here {
		clear(b.Sessions)
	}
	return &authv1.EndSessionResponse{}, nil
}

func (b *Backend) EndAllSessions(context.Context, *authv1.EndAllSessionsRequest) (*authv1.EndAllSessionsResponse, error) {
	b.EndedAll++
	clear(b.Sessions)
	return &authv1.EndAllSessionsResponse{}, nil
}

var errDead = errs.New(errs.NotFound, "LINK_DEAD", "dead")

func (b *Backend) StartSignUp(_ context.Context, req *authv1.StartSignUpRequest) (*authv1.StartSignUpResponse, error) {
	b.Wanted = append(b.Wanted, req)
	return &authv1.StartSignUpResponse{Pending: "pending"}, b.AccountFail
}

func (b *Backend) GetSignUp(_ context.Context, req *authv1.GetSignUpRequest) (*authv1.GetSignUpResponse, error) {
	if req.GetToken() != GoodToken {
		return nil, errDead
	}
	return &authv1.GetSignUpResponse{Email: GoodEmail}, nil
}

func (b *Backend) CompleteSignUp(_ context.Context, req *authv1.CompleteSignUpRequest) (*authv1.CompleteSignUpResponse, error) {
	b.Completed = append(b.Completed, req)
	if b.AccountFail != nil {
		return nil, b.AccountFail
	}
	b.Sessions["made"] = true
	return &authv1.CompleteSignUpResponse{Session: &authv1.SignInResponse{
		SessionToken: "made", Person: b.Person(), ExpiresAt: timestamppb.New(Now.Add(12 * time.Hour)),
		DeviceToken: "device", DeviceExpiresAt: timestamppb.New(Now.Add(24 * time.Hour)),
	}}, nil
}

func (b *Backend) CreateOwnProfile(_ context.Context, req *candidatev1.CreateOwnProfileRequest) (*candidatev1.CreateOwnProfileResponse, error) {
	b.Profiled = append(b.Profiled, req.GetSessionToken())
	return &candidatev1.CreateOwnProfileResponse{}, b.ProfileFail
}

func (b *Backend) StartPasswordReset(_ context.Context, req *authv1.StartPasswordResetRequest) (*authv1.StartPasswordResetResponse, error) {
	b.Forgotten = append(b.Forgotten, req)
	return &authv1.StartPasswordResetResponse{}, b.AccountFail
}

func (b *Backend) GetPasswordReset(_ context.Context, req *authv1.GetPasswordResetRequest) (*authv1.GetPasswordResetResponse, error) {
	if req.GetToken() != GoodToken {
		return nil, errDead
	}
	return &authv1.GetPasswordResetResponse{Email: GoodEmail}, nil
}

func (b *Backend) ResetPassword(_ context.Context, req *authv1.ResetPasswordRequest) (*authv1.ResetPasswordResponse, error) {
	b.Chosen = append(b.Chosen, req)
	return &authv1.ResetPasswordResponse{}, b.AccountFail
}

func (b *Backend) ChangePassword(_ context.Context, req *authv1.ChangePasswordRequest) (*authv1.ChangePasswordResponse, error) {
	b.Changed = append(b.Changed, req)
	return &authv1.ChangePasswordResponse{}, b.AccountFail
}
