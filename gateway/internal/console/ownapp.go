package console

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/keyring"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// ownApp manages the app with which the console signs people in
// (behaviour: console#the-consoles-own-app).
type ownApp struct {
	auth        authv1.ConsoleServiceClient
	redirectURI string
	secret      string
	log         *slog.Logger

	mu    sync.Mutex
	known *authv1.EnsureConsoleAppResponse
}

const secretPurpose = "vitae console client secret v1"

// newOwnApp derives the client secret from the ring's signing key, so all replicas have the same
// secret without storing it.
func newOwnApp(auth authv1.ConsoleServiceClient, keys keyring.Ring, redirectURI string, log *slog.Logger) (*ownApp, error) {
	mac, err := keys.MAC(secretPurpose)
	if err != nil {
		return nil, err
	}
	return &ownApp{
		auth: auth, redirectURI: redirectURI, log: log,
		secret: credential.Of(credential.ClientSecret, mac.Sign([]byte(redirectURI))),
	}, nil
}

// ensure returns the app. The auth service creates it if it does not exist.
func (a *ownApp) ensure(ctx context.Context) (*authv1.EnsureConsoleAppResponse, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.known != nil {
		return a.known, nil
	}
	made, err := a.auth.EnsureConsoleApp(ctx, &authv1.EnsureConsoleAppRequest{RedirectUri: a.redirectURI, ClientSecret: a.secret})
	if err != nil {
		return nil, err
	}
	a.known = made
	return made, nil
}

func (a *ownApp) client(made *authv1.EnsureConsoleAppResponse) *authv1.ClientAuthentication {
	return &authv1.ClientAuthentication{ClientId: made.GetClientId(), ClientSecret: &a.secret}
}

// prepareInterval is the time between two attempts of prepare.
const prepareInterval = 2 * time.Second

// prepare creates the app. It retries until it succeeds or ctx is done.
func (a *ownApp) prepare(ctx context.Context) {
	for ctx.Err() == nil {
		_, err := a.ensure(ctx)
		if err == nil {
			return
		}
		a.log.WarnContext(ctx, "the console's app could not be created yet", "error", err)
		select {
		case <-ctx.Done():
		case <-time.After(prepareInterval):
		}
	}
}
