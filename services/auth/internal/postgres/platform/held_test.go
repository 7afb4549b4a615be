package platform_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	pkgpostgres "vitae.internal/pkg/postgres"
	"vitae.internal/pkg/testkit"
	"vitae.internal/services/auth/internal/oauth/redirecturi"
	"vitae.internal/services/auth/internal/oauth/scope"
	"vitae.internal/services/auth/internal/postgres"
	"vitae.internal/services/auth/internal/postgres/platform"
	"vitae.internal/services/auth/internal/postgres/sqlc"
)

// A consent grants only scopes that the app has had continuously since the consent. After any sequence of changes to
// the app's scopes, SQL and Go must agree on these.
func TestConsentKeepsScopesTheAppAlwaysHad(t *testing.T) {
	t.Parallel()
	pool, err := pkgpostgres.Open(t.Context(), pkgpostgres.Config{URL: testkit.Database(t, "auth", postgres.Migrate), MaxConns: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	random := rand.New(rand.NewPCG(1, 2))
	some := func() scope.Set {
		return slices.DeleteFunc(scope.Set{"profile", "email", "cv:read", "cv:contact"}, func(string) bool { return random.IntN(2) == 0 })
	}
	for range 300 {
		app := sqlc.App{Scopes: some()} // a new app, without versions
		consented := append(some(), scope.ProfileRead)
		held, at := scope.Set{}, int32(0)
		for _, s := range consented {
			if s == scope.ProfileRead || slices.Contains(app.Scopes, s) {
				held = append(held, s)
			}
		}
		for range random.IntN(6) {
			after := some()
			app.ScopesVersion, app.ScopesSince = platform.Rescoped(app, after)
			app.Scopes = after
			held = slices.DeleteFunc(held, func(s string) bool { return s != scope.ProfileRead && !after.Has(s) })
		}
		var inSQL []string
		if err := pool.QueryRow(t.Context(), "SELECT held_scopes($1, $2, $3, $4)", []string(consented), at, app.Scopes,
			append([]int32{}, app.ScopesSince...)).Scan(&inSQL); err != nil {
			t.Fatal(err)
		}
		inGo := platform.HeldScopes(consented, at, app)
		if !slices.Equal(scope.Stored(inSQL), scope.Stored(held)) || !slices.Equal(inGo, scope.Stored(held)) {
			t.Fatalf("consent version %v, app scopes %v since %v: SQL returned %v, Go returned %v, want %v", consented, app.Scopes, app.ScopesSince, inSQL, inGo, held)
		}
	}
}

func TestScopesInCommonKeepFirstOrder(t *testing.T) {
	t.Parallel()
	pool, err := pkgpostgres.Open(t.Context(), pkgpostgres.Config{URL: testkit.Database(t, "auth", postgres.Migrate), MaxConns: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	for _, tc := range []struct{ a, b, want []string }{
		{[]string{"email", "profile"}, []string{"profile", "cv:read", "email"}, []string{"email", "profile"}},
		{[]string{"email", "profile"}, []string{"profile"}, []string{"profile"}},
		{[]string{"cv:read", "email", "profile"}, []string{"profile", "cv:read"}, []string{"cv:read", "profile"}},
		{[]string{"email"}, []string{"profile"}, []string{}},
		{[]string{}, []string{"profile"}, []string{}},
		{[]string{"email"}, []string{}, []string{}},
		{nil, []string{"email"}, []string{}},
		{[]string{"email"}, nil, []string{}},
	} {
		var got []string
		if err := pool.QueryRow(t.Context(), "SELECT common_scopes($1, $2)", tc.a, tc.b).Scan(&got); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, tc.want) || got == nil {
			t.Errorf("%v and %v have %v in common, want %v", tc.a, tc.b, got, tc.want)
		}
	}
}

// Go checks a code's redirect URI when the code is issued. SQL checks whether that URI is still registered.
func TestSQLAndGoMatchRedirectURIsEqually(t *testing.T) {
	t.Parallel()
	pool, err := pkgpostgres.Open(t.Context(), pkgpostgres.Config{URL: testkit.Database(t, "auth", postgres.Migrate), MaxConns: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	uris := []string{
		"https://partner.example/cb", "https://partner.example/cb/", "https://partner.example:8443/cb", "http://127.0.0.1/cb", "http://127.0.0.1:80/cb",
		"http://127.0.0.1:4711/cb", "http://127.0.0.1:4711/cb?x=1", "http://localhost/cb", "http://localhost:1/cb", "http://localhost.evil/cb",
		"http://[::1]/cb", "http://[::1]:65535/cb", "com.example.app:/cb", "http://127.0.0.1", "http://127.0.0.1:9",
	}
	for _, registered := range uris {
		for _, presented := range uris {
			var found bool
			if err := pool.QueryRow(t.Context(), "SELECT still_registered($1, $2)", []string{registered}, presented).Scan(&found); err != nil {
				t.Fatal(err)
			}
			if want := redirecturi.Matches(registered, presented); found != want {
				t.Errorf("%s for %s: %t, want %t", presented, registered, found, want)
			}
		}
	}
}
