package pages

import (
	"context"

	"google.golang.org/grpc"

	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// goodAnswer is the answer of the one passkey that is right.
const goodAnswer = `{"good":true}`

// ways are what the pages have asked for of the ways in to an account.
type ways struct {
	// passkeys are those of the person, noPassword says that there is no password beside them.
	passkeys   []*authv1.Passkey
	noPassword bool
	// unproven says that the person has not proven to be there lately.
	unproven bool
	// begun, added, entered and renamed are the calls, removed the ids of those that were removed.
	begun           []*authv1.StartCeremonyRequest
	added           []*authv1.AddPasskeyRequest
	entered         []*authv1.SignInWithPasskeyRequest
	removed         []string
	renamed         []*authv1.RenamePasskeyRequest
	passwordRemoved int
	// passkeyFail is what each of them answers.
	passkeyFail error
	// events are the trail, asked the positions that were asked for.
	events []*authv1.OwnEvent
	older  string
	asked  []string
}

var errProof = errs.New(errs.Denied, "PROOF_NEEDED", "prove")

func (b *backend) StartCeremony(_ context.Context, req *authv1.StartCeremonyRequest, _ ...grpc.CallOption) (*authv1.StartCeremonyResponse, error) {
	b.begun = append(b.begun, req)
	return &authv1.StartCeremonyResponse{Options: []byte(`{"challenge":"AA"}`)}, b.passkeyFail
}

func (b *backend) ListPasskeys(context.Context, *authv1.ListPasskeysRequest, ...grpc.CallOption) (*authv1.ListPasskeysResponse, error) {
	return &authv1.ListPasskeysResponse{Passkeys: b.passkeys, HasPassword: !b.noPassword}, nil
}

func (b *backend) AddPasskey(_ context.Context, req *authv1.AddPasskeyRequest, _ ...grpc.CallOption) (*authv1.AddPasskeyResponse, error) {
	b.added = append(b.added, req)
	return &authv1.AddPasskeyResponse{}, b.passkeyFail
}

func (b *backend) RenamePasskey(_ context.Context, req *authv1.RenamePasskeyRequest, _ ...grpc.CallOption) (*authv1.RenamePasskeyResponse, error) {
	b.renamed = append(b.renamed, req)
	return &authv1.RenamePasskeyResponse{}, b.passkeyFail
}

func (b *backend) RemovePasskey(_ context.Context, req *authv1.RemovePasskeyRequest, _ ...grpc.CallOption) (*authv1.RemovePasskeyResponse, error) {
	b.removed = append(b.removed, req.GetId())
	return &authv1.RemovePasskeyResponse{}, b.passkeyFail
}

func (b *backend) RemovePassword(context.Context, *authv1.RemovePasswordRequest, ...grpc.CallOption) (*authv1.RemovePasswordResponse, error) {
	b.passwordRemoved++
	return &authv1.RemovePasswordResponse{}, b.passkeyFail
}

func (b *backend) SignInWithPasskey(ctx context.Context, req *authv1.SignInWithPasskeyRequest, _ ...grpc.CallOption) (*authv1.SignInWithPasskeyResponse, error) {
	b.entered = append(b.entered, req)
	if b.passkeyFail != nil {
		return nil, b.passkeyFail
	}
	in, err := b.SignIn(ctx, &authv1.SignInRequest{Email: goodEmail, Password: goodPassword, DeviceToken: req.GetDeviceToken()})
	return &authv1.SignInWithPasskeyResponse{Session: in}, err
}

func (b *backend) ProvePresence(_ context.Context, req *authv1.ProvePresenceRequest, _ ...grpc.CallOption) (*authv1.ProvePresenceResponse, error) {
	if b.passkeyFail != nil {
		return nil, b.passkeyFail
	}
	if req.GetPassword() != goodPassword && string(req.GetCredential()) != goodAnswer {
		return nil, errs.New(errs.Denied, "WRONG_PASSWORD", "wrong").WithField("current_password")
	}
	b.unproven = false
	return &authv1.ProvePresenceResponse{}, nil
}

func (b *backend) ListOwnEvents(_ context.Context, req *authv1.ListOwnEventsRequest, _ ...grpc.CallOption) (*authv1.ListOwnEventsResponse, error) {
	b.asked = append(b.asked, req.GetPageToken())
	return &authv1.ListOwnEventsResponse{Events: b.events, NextPageToken: b.older}, nil
}
