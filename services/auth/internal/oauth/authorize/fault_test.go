package authorize_test

import (
	"context"
	"testing"

	"vitae.internal/services/auth/internal/authtest"
	"vitae.internal/services/auth/internal/oauth/authorize"
)

// "Unknown client" and "invalid request" suggest that the app is faulty, so a database error must never be reported
// as one of them.
func TestDatabaseErrorIsNotARequestError(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	p, a := w.Person(), w.Confidential()
	decision := authorize.Decision{Session: authtest.Session(p), Scopes: []string{"profile"}}
	for _, name := range []string{"first consent", "the same consent", "a wider consent"} {
		if name == "a wider consent" {
			decision.Scopes = []string{"profile", "email"}
		}
		w.NoFaultIsSwallowed(name, false, func(ctx context.Context) error {
			_, fault, err := w.Authorize.Authorize(ctx, authtest.Request(a), decision)
			if fault != nil {
				t.Errorf("%s: %+v", name, *fault)
			}
			return err
		}, authtest.AfterTheCommit...)
	}
	w.NoFaultIsSwallowed("check", false, func(ctx context.Context) error {
		_, fault, err := w.Authorize.Check(ctx, authtest.Request(a))
		if fault != nil {
			t.Errorf("check: %+v", *fault)
		}
		return err
	})
}
