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

// away fails the first two calls.
type away struct {
	authv1.ConsoleServiceClient
	asked int
}

func (a *away) EnsureConsoleApp(context.Context, *authv1.EnsureConsoleAppRequest, ...grpc.CallOption) (*authv1.EnsureConsoleAppResponse, error) {
	if a.asked++; a.asked < 3 {
		return nil, errors.New("away")
	}
	return &authv1.EnsureConsoleAppResponse{ClientId: "svc_ci_console"}, nil
}

func TestOwnAppIsCreatedOnceAuthAnswers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		auth := &away{}
		app, err := newOwnApp(auth, testkit.Ring("cookie", "a"), "https://console.vitae.example/callback", slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		app.prepare(t.Context())
		if made, err := app.ensure(t.Context()); err != nil || made.GetClientId() != "svc_ci_console" || auth.asked != 3 {
			t.Errorf("%v, %v, asked %d times", made, err, auth.asked)
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
		t.Errorf("%q", one)
	}
	if secretOf("b", "https://one.example") == one || secretOf("a", "https://two.example") == one {
		t.Error("another deployment has the same secret")
	}
}
