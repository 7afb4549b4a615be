package app_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/testkit"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// patience is how long callers wait while Postgres is frozen.
const patience = time.Second

// within returns the context for a call, with a short deadline if Postgres is frozen.
func within(ctx context.Context, frozen bool) (context.Context, context.CancelFunc) {
	if frozen {
		return context.WithTimeout(ctx, patience)
	}
	return context.WithCancel(ctx)
}

// allUnavailable fails the test unless every error is SERVICE_UNAVAILABLE.
func (w *world) allUnavailable(failed []error) {
	w.Helper()
	for _, err := range failed {
		if errs.KindOf(err) != errs.Unavailable {
			w.Fatalf("with a frozen Postgres, the call returned %v", err)
		}
	}
}

// Clients retry a creation after a 503. The creation that they retry must not take effect later, which would create
// a second object.
func TestLateCreationCreatesNothing(t *testing.T) {
	t.Parallel()
	pg := testkit.PrivatePostgres(t)
	w := newWorldAt(t, pg.URL("postgres"), testkit.Redis(t))
	c := w.confidential()
	creates := map[string]func(ctx context.Context, name string) error{
		"accounts": func(ctx context.Context, name string) error {
			return second(w.developers.CreateAccount(ctx, &authv1.CreateAccountRequest{Name: name, Email: "late@partner.example"}))
		},
		"apps": func(ctx context.Context, name string) error {
			return second(w.developers.CreateApp(ctx, &authv1.CreateAppRequest{
				AccountId: c.app.GetAccountId(), Name: name, ClientType: public, RedirectUris: []string{redirectURI}, Scopes: []string{"profile"},
			}))
		},
		"api_keys": func(ctx context.Context, name string) error {
			return second(w.developers.CreateApiKey(ctx, &authv1.CreateApiKeyRequest{AppId: c.app.GetId(), Name: name, Scopes: []string{"jobs:read"}}))
		},
		"people": func(ctx context.Context, name string) error {
			return second(w.people.CreatePerson(ctx, &authv1.CreatePersonRequest{Email: name + "@example.com", Password: plainWord}))
		},
	}
	// Twelve exceeds the number of Postgres connections of the auth service, so every connection prepares the
	// statement.
	const each = 12
	for table, create := range creates {
		all := func(round string, refused bool) {
			t.Helper()
			var calls sync.WaitGroup
			for i := range each {
				calls.Go(func() {
					ctx, cancel := within(t.Context(), refused)
					defer cancel()
					err := create(ctx, fmt.Sprint(round, i))
					if refused != (errs.KindOf(err) == errs.Unavailable) || !refused && err != nil {
						t.Errorf("%s, %s: %v", table, round, err)
					}
				})
			}
			calls.Wait()
		}
		count := func() (n int) {
			t.Helper()
			w.must(w.db.QueryRow(t.Context(), "SELECT count(*) FROM "+table).Scan(&n))
			return n
		}
		all("before", false)
		all("again", false)
		before := count()
		w.must(pg.Freeze())
		all("late", true)
		w.must(pg.Thaw())
		all("late", false)
		if n := count(); n != before+each {
			t.Errorf("%d %s were created, want %d", n-before, table, each)
		}
	}
}

// Clients retry a rotation after a 503. If the first rotation took effect later, it would end the secret that the
// retry returned.
func TestLateRotationChangesNothing(t *testing.T) {
	t.Parallel()
	pg := testkit.PrivatePostgres(t)
	w := newWorldAt(t, pg.URL("postgres"), testkit.Redis(t))
	c := w.confidential()
	all := func(frozen bool) (failed []error) {
		failed = make([]error, 12) // more than the service's Postgres connections, so each of them prepares the statements
		atOnce(len(failed), []*world{w}, func(i int, w *world) {
			ctx, cancel := within(t.Context(), frozen)
			defer cancel()
			_, failed[i] = w.developers.RotateClientSecret(ctx, &authv1.RotateClientSecretRequest{AppId: c.app.GetId()})
		})
		return failed
	}
	for range 2 {
		for _, err := range all(false) {
			w.must(err)
		}
	}
	newest := w.rotated(c, 0)
	w.must(pg.Freeze())
	w.allUnavailable(all(true))
	w.must(pg.Thaw())
	for range 100 { // these queries queue behind any statements left on the connections
		if !w.authenticates(newest) {
			t.Fatal("a rotation that failed because it was late ended the secret")
		}
	}
}
