package pagestest

import (
	"context"

	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// GoodAnswer is the response that the only valid passkey returns.
const GoodAnswer = `{"good":true}`

// passkeys records the passkey requests that the pages have sent. It also holds the account's
// activity.
type passkeys struct {
	Passkeys   []*authv1.Passkey
	NoPassword bool
	// Unproven reports whether the person has not re-authenticated recently.
	Unproven        bool
	Begun           []*authv1.StartCeremonyRequest
	Added           []*authv1.AddPasskeyRequest
	Entered         []*authv1.SignInWithPasskeyRequest
	Removed         []string
	Renamed         []*authv1.RenamePasskeyRequest
	PasswordRemoved int
	// PasskeyFail is the error that each of the calls about passkeys returns.
	PasskeyFail error
	// Events are the account's activity. Older is the token of the next page. Asked lists the
	// tokens of the pages that were requested.
	Events []*authv1.OwnEvent
	Older  string
	Asked  []string
}

// ErrProof is the auth service's error for a change that requires recent re-authentication.
var ErrProof = errs.New(errs.Denied, "PROOF_NEEDED", "prove")

func (b *Backend) StartCeremony(_ context.Context, req *authv1.StartCeremonyRequest) (*authv1.StartCeremonyResponse, error) {
	b.Begun = append(b.Begun, req)
	return &authv1.StartCeremonyResponse{Options: []byte(`{"challenge":"AA"}`)}, b.PasskeyFail
}

func (b *Backend) ListPasskeys(context.Context, *authv1.ListPasskeysRequest) (*authv1.ListPasskeysResponse, error) {
	return &authv1.ListPasskeysResponse{Passkeys: b.Passkeys, HasPassword: !b.NoPassword}, nil
}

func (b *Backend) AddPasskey(_ context.Context, req *authv1.AddPasskeyRequest) (*authv1.AddPasskeyResponse, error) {
	b.Added = append(b.Added, req)
	return &authv1.AddPasskeyResponse{}, b.PasskeyFail
}

func (b *Backend) RenamePasskey(_ context.Context, req *authv1.RenamePasskeyRequest) (*authv1.RenamePasskeyResponse, error) {
	b.Renamed = append(b.Renamed, req)
	return &authv1.RenamePasskeyResponse{}, b.PasskeyFail
}

func (b *Backend) RemovePasskey(_ context.Context, req *authv1.RemovePasskeyRequest) (*authv1.RemovePasskeyResponse, error) {
	b.Removed = append(b.Removed, req.GetId())
	return &authv1.RemovePasskeyResponse{}, b.PasskeyFail
}

func (b *Backend) RemovePassword(context.Context, *authv1.RemovePasswordRequest) (*authv1.RemovePasswordResponse, error) {
	b.PasswordRemoved++
	return &authv1.RemovePasswordResponse{}, b.PasskeyFail
}

func (b *Backend) SignInWithPasskey(ctx context.Context, req *authv1.SignInWithPasskeyRequest) (*authv1.SignInWithPasskeyResponse, error) {
	b.Entered = append(b.Entered, req)
	if b.PasskeyFail != nil {
		return nil, b.PasskeyFail
	}
	in, err := b.SignIn(ctx, &authv1.SignInRequest{Email: GoodEmail, Password: GoodPassword, DeviceToken: req.GetDeviceToken()})
	return &authv1.SignInWithPasskeyResponse{Session: in}, err
}

func (b *Backend) ProvePresence(_ context.Context, req *authv1.ProvePresenceRequest) (*authv1.ProvePresenceResponse, error) {
	if b.PasskeyFail != nil {
		return nil, b.PasskeyFail
	}
	if req.GetPassword() != GoodPassword && string(req.GetCredential()) != GoodAnswer {
		return nil, errs.New(errs.Denied, "WRONG_PASSWORD", "wrong").WithField("current_password")
	}
	b.Unproven = false
	return &authv1.ProvePresenceResponse{}, nil
}

func (b *Backend) ListOwnEvents(_ context.Context, req *authv1.ListOwnEventsRequest) (*authv1.ListOwnEventsResponse, error) {
	b.Asked = append(b.Asked, req.GetPageToken())
	return &authv1.ListOwnEventsResponse{Events: b.Events, NextPageToken: b.Older}, nil
}
