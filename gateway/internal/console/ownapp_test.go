package console

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"

	"google.golang.org/grpc"

	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/testkit"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// unreachable is an auth client whose first two calls fail.
type unreachable struct {
	authv1.ConsoleServiceClient
	calls int
}

func (a *unreachable) EnsureConsoleApp(context.Context, *authv1.EnsureConsoleAppRequest, ...grpc.CallOption) (*authv1.EnsureConsoleAppResponse, error) {
	if a.calls++; a.calls < 3 {
		return nil, errors.New("unreachable")
	}
	return &authv1.EnsureConsoleAppResponse{ClientId: "svc_ci_console"}, nil
}

func TestOwnAppCreationIsRetried(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		auth := &unreachable{}
		app, err := newOwnApp(auth, testkit.Ring("cookie", "a"), "https://console.vitae.example/callback", slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		app.prepare(t.Context())
		if made, err := app.ensure(t.Context()); err != nil || made.GetClientId() != "svc_ci_console" || auth.calls != 3 {
			t.Errorf("the app is %v, the error %v, after %d calls; want 3 calls", made, err, auth.calls)
		}
	})
}

func TestReplicasDeriveTheSameClientSecret(t *testing.T) {
	t.Parallel()
	secretOf := func(key, address string) string {
		app, err := newOwnApp(nil, testkit.Ring("cookie", key), address, nil)
		if err != nil {
			t.Fatal(err)
		}
		return app.secret
	}
	one := secretOf("a", "https://one.example")
	if !credential.WellFormed(credential.ClientSecret, one) || secretOf("a", "https://one.example") != one {
		t.Errorf("the secret %q is malformed or differs between replicas", one)
	}
	if secretOf("b", "https://one.example") == one || secretOf("a", "https://two.example") == one {
		t.Error("a different key or URL leads to the same secret")
	}
}
