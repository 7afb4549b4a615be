package authorize_test

import (
	"context"
	"testing"

	"vitae.internal/services/auth/internal/authorize"
	"vitae.internal/services/auth/internal/authtest"
)

// Whoever is told that the client is unknown, or that there is a fault in the request,
// takes the app for broken. A database that fails is another thing.
func TestAFaultOfTheDatabaseIsNeverAnsweredAsAFaultOfTheRequest(t *testing.T) {
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
