package app_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/testkit"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// patience is how long callers wait for the answer of a frozen Postgres.
const patience = time.Second

// within is the context of a call, to a frozen Postgres or to one that answers.
func within(ctx context.Context, frozen bool) (context.Context, context.CancelFunc) {
	if frozen {
		return context.WithTimeout(ctx, patience)
	}
	return context.WithCancel(ctx)
}

// presented are codes and refresh tokens that wait to be presented.
type presented struct {
	app            client
	codes, refresh []string
}

// many prepares n codes and n refresh tokens, all at once: so auth holds as many
// connections to Postgres as it may.
func (w *world) many(n int) presented {
	w.Helper()
	g := presented{app: w.confidential(), codes: make([]string, n), refresh: make([]string, n)}
	people := make([]person, n)
	for i := range people {
		people[i] = w.person(fmt.Sprintf("p%d@example.com", i))
	}
	atOnce(n, []*world{w}, func(i int, w *world) {
		g.refresh[i] = w.connect(people[i], g.app, everything...).GetRefreshToken()
		g.codes[i] = w.consent(people[i], g.app, everything...)
	})
	return g
}

// present presents every grant at once, and gives the errors: first those of the codes,
// then those of the refresh tokens.
func (w *world) present(ctx context.Context, g presented) []error {
	failed := make([]error, len(g.codes)+len(g.refresh))
	var all sync.WaitGroup
	for i, code := range g.codes {
		all.Go(func() { failed[i] = second(w.oauth.ExchangeCode(ctx, exchangeRequest(g.app, code))) })
	}
	for i, token := range g.refresh {
		all.Go(func() {
			failed[len(g.codes)+i] = second(w.oauth.RefreshToken(ctx, &authv1.RefreshTokenRequest{Client: g.app.auth(), RefreshToken: token}))
		})
	}
	all.Wait()
	return failed
}

// presentLate presents every grant to a frozen Postgres.
func (w *world) presentLate(g presented) {
	w.Helper()
	ctx, cancel := within(w.Context(), true)
	defer cancel()
	w.allUnavailable(w.present(ctx, g))
}

// allUnavailable fails the test unless every call was told to try again.
func (w *world) allUnavailable(failed []error) {
	w.Helper()
	for _, err := range failed {
		if errs.KindOf(err) != errs.Unavailable {
			w.Fatalf("a frozen Postgres gave %v", err)
		}
	}
}

func TestAGrantThatWasRefusedForLatenessWorksAtTheNextTry(t *testing.T) {
	t.Parallel()
	pg := testkit.PrivatePostgres(t)
	w := newWorldAt(t, pg.URL("postgres"), testkit.Redis(t))
	g, legacy := w.many(15), w.legacyClient()
	older := w.legacyConsent(w.person("older@example.com"), legacy)
	w.must(pg.Freeze())
	w.presentLate(g)
	w.must(pg.Thaw())
	for i, err := range w.present(t.Context(), g) {
		if err != nil {
			t.Errorf("the second try of grant %d: %v", i, err)
		}
	}
	// A code that was redeemed is used up, as ever.
	wantCode(t, second(w.oauth.ExchangeCode(t.Context(), exchangeRequest(g.app, g.codes[0]))), "OAUTH_INVALID_GRANT")

	w.must(pg.Freeze())
	ctx, cancel := within(t.Context(), true)
	defer cancel()
	w.allUnavailable([]error{second(w.legacy.ExchangeLegacyCode(ctx, &authv1.ExchangeLegacyCodeRequest{Client: legacy.auth(), Code: older}))})
	w.must(pg.Thaw())
	w.legacyExchange(legacy, older)
}

// Whoever was told 503 creates again. That must not leave two.
func TestWhatWasRefusedForLatenessIsNotCreated(t *testing.T) {
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
	// Twelve is more than auth has connections, each of which so knows the statement.
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

// The deadline is told by Postgres's clock, whatever that shows.
func TestClocksThatDifferNeitherRefuseAGrantNorLetALateOneHappen(t *testing.T) {
	t.Parallel()
	for _, ahead := range []string{"1 hour", "-1 hour"} {
		t.Run(ahead+" ahead", func(t *testing.T) {
			t.Parallel()
			aheadOf(t, ahead)
		})
	}
}

// aheadOf has Postgres's clock differ by an interval from that of auth.
func aheadOf(t *testing.T, ahead string) {
	pg := testkit.PrivatePostgres(t)
	setUp, err := pgx.Connect(t.Context(), pg.URL("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	for _, sql := range []string{
		"CREATE SCHEMA skewed",
		"CREATE FUNCTION skewed.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS $$ SELECT pg_catalog.clock_timestamp() + interval '" + ahead + "' $$",
		"ALTER DATABASE postgres SET search_path = public, skewed, pg_catalog",
	} {
		if _, err := setUp.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	_ = setUp.Close(t.Context())
	w := newWorldAt(t, pg.URL("postgres"), testkit.Redis(t))
	g := w.many(12)
	for i, err := range w.present(t.Context(), presented{app: g.app, codes: g.codes[:6], refresh: g.refresh[:6]}) {
		if err != nil {
			t.Errorf("%s ahead: grant %d: %v", ahead, i, err)
		}
	}
	late := presented{app: g.app, codes: g.codes[6:], refresh: g.refresh[6:]}
	w.must(pg.Freeze())
	w.presentLate(late)
	w.must(pg.Thaw())
	for i, err := range w.present(t.Context(), late) {
		if err != nil {
			t.Errorf("%s ahead: the second try of grant %d: %v", ahead, i, err)
		}
	}
}
