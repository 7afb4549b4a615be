package app_test

import (
	"slices"
	"testing"
	"time"

	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/testkit"
	"vitae.internal/services/auth/internal/authtest"
	"vitae.internal/services/auth/internal/credentials/state"
	"vitae.internal/services/auth/internal/oauth/client"
	"vitae.internal/services/auth/internal/platform/app"
)

func TestMain(m *testing.M) { testkit.Main(m) }

func wantCode(t *testing.T, what string, err error, code string) {
	t.Helper()
	if !errs.HasCode(err, code) {
		t.Errorf("%s: %v, want %s", what, err, code)
	}
}

// faults returns the names of the invalid fields in an error.
func faults(err error) (fields []string) {
	if e, ok := errs.As(err); ok {
		for _, v := range e.Violations {
			fields = append(fields, v.Field)
		}
	}
	return fields
}

// in returns a valid app that belongs to an account.
func in(accountID string) app.Creation {
	return app.Creation{
		AccountID: accountID, Name: "Partner site", LogoURL: "https://partner.example/logo.png", ClientType: app.Confidential,
		RedirectURIs: []string{authtest.RedirectURI}, Scopes: []string{"email", "profile"},
	}
}

func TestInvalidAppIsRejected(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	account := w.Confidential().AccountID
	for name, c := range map[string]struct {
		change func(*app.Creation)
		want   []string
	}{
		"in order":                   {func(*app.Creation) {}, nil},
		"no logo":                    {func(a *app.Creation) { a.LogoURL = "" }, nil},
		"an http logo":               {func(a *app.Creation) { a.LogoURL = "http://partner.example/logo.png" }, nil},
		"a logo that is a script":    {func(a *app.Creation) { a.LogoURL = "javascript:alert(1)" }, []string{"logo_url"}},
		"a logo with a wrong scheme": {func(a *app.Creation) { a.LogoURL = "ftp://partner.example/logo.png" }, []string{"logo_url"}},
		"a logo without a host":      {func(a *app.Creation) { a.LogoURL = "https:///logo.png" }, []string{"logo_url"}},
		"a logo with a password":     {func(a *app.Creation) { a.LogoURL = "https://a:b@partner.example/logo.png" }, []string{"logo_url"}},
		"a logo with an invalid URL": {func(a *app.Creation) { a.LogoURL = "https://partner.example:x/" }, []string{"logo_url"}},
		"a blank name":               {func(a *app.Creation) { a.Name = " \u200b" }, []string{"name"}},
		"a name of two lines":        {func(a *app.Creation) { a.Name = "a\nb" }, []string{"name"}},
		"a site in two scripts":      {func(a *app.Creation) { a.Homepage = "https://partner.example/\u0639\u0646\u0627" }, nil},
		"addresses that show as others": {func(a *app.Creation) {
			a.Homepage, a.PrivacyPolicy = "https://\u202eelpmaxe.evil", "https://partner.example/\u2066"
			a.Terms, a.Support = "https://partner.exam\u200bple/", "help\u202e@partner.example"
		}, []string{"homepage", "privacy_policy", "terms", "support"}},
		"the same URI twice":      {func(a *app.Creation) { a.RedirectURIs = []string{authtest.RedirectURI, authtest.RedirectURI} }, []string{"redirect_uris[1]"}},
		"another URI":             {func(a *app.Creation) { a.RedirectURIs = append(a.RedirectURIs, "http://partner.example/") }, []string{"redirect_uris[1]"}},
		"a scope of a key":        {func(a *app.Creation) { a.Scopes = []string{"profile", "jobs:read"} }, []string{"scopes[1]"}},
		"cv:contact alone":        {func(a *app.Creation) { a.Scopes = []string{"cv:contact"} }, []string{"scopes"}},
		"cv:contact with cv:read": {func(a *app.Creation) { a.Scopes = []string{"cv:contact", "cv:read"} }, nil},
		"no scopes":               {func(a *app.Creation) { a.Scopes = nil }, nil},
		"the older interface":     {func(a *app.Creation) { a.Legacy, a.Scopes = true, []string{"profile:read"} }, nil},
		"its scope without it":    {func(a *app.Creation) { a.Scopes = []string{"profile:read"} }, []string{"scopes[0]"}},
		"public and older": {func(a *app.Creation) { a.Legacy, a.ClientType = true, app.Public },
			[]string{"legacy"}},
		"all at once": {func(a *app.Creation) {
			*a = app.Creation{Name: " ", LogoURL: "x", RedirectURIs: []string{""}, Legacy: true, ClientType: app.Public, Scopes: []string{"all"}}
		}, []string{"name", "logo_url", "redirect_uris[0]", "legacy", "scopes[0]"}},
	} {
		for _, dry := range []bool{true, false} {
			creation := in(account)
			c.change(&creation)
			creation.ValidateOnly = dry
			made, secret, err := w.Apps.CreateApp(t.Context(), creation)
			if got := faults(err); !slices.Equal(got, c.want) || err != nil && c.want == nil {
				t.Errorf("%s, dry %t: faults of %v, want %v (%v)", name, dry, got, c.want, err)
			}
			if is := !dry && c.want == nil; (made.ID != "") != is || (secret != "") != is {
				t.Errorf("%s, dry %t: made %+v", name, dry, made)
			}
		}
	}
}

func TestAppIsCreatedAsRequested(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	account := w.Confidential().AccountID
	for _, kind := range []app.ClientType{app.Confidential, app.Public} {
		creation := in(account)
		creation.ClientType = kind
		made, secret, err := w.Apps.CreateApp(t.Context(), creation)
		w.Must(err)
		got, err := w.Apps.App(t.Context(), made.ID)
		w.Must(err)
		if got.AccountID != account || got.Name != creation.Name || got.LogoURL != creation.LogoURL || got.ClientType != kind ||
			!slices.Equal(got.RedirectURIs, creation.RedirectURIs) || !slices.Equal(got.Scopes, []string{"profile", "email"}) ||
			got.Legacy || !got.CreatedAt.Equal(authtest.Start) || got.ClientID != made.ClientID {
			t.Errorf("%s: made %+v, stored %+v", kind, made, got)
		}
		if (secret != "") != (kind == app.Confidential) {
			t.Errorf("%s: the secret %q", kind, secret)
		}
		for _, given := range []string{secret, credential.New(credential.ClientSecret)} {
			_, err = client.Authenticate(t.Context(), w.Stores.Grants, client.Credentials{ID: made.ClientID, Secret: given}, w.Clock.Now())
			if (err == nil) != (given == secret) {
				t.Errorf("%s: with the secret %q: %v", kind, given, err)
			}
		}
	}
}

func TestInvalidKeyIsRejected(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	appID, now, soon := w.Confidential().App.ID, authtest.Start, authtest.Start.Add(time.Microsecond)
	for name, c := range map[string]struct {
		creation app.KeyCreation
		want     []string
	}{
		"in order":               {app.KeyCreation{Name: "k", Scopes: []string{"jobs:write", "jobs:read"}}, nil},
		"an end in the future":   {app.KeyCreation{Name: "k", Scopes: []string{"jobs:write", "jobs:read"}, ExpiresAt: &soon}, nil},
		"an end now":             {app.KeyCreation{Name: "k", Scopes: []string{"jobs:read"}, ExpiresAt: &now}, []string{"expires_at"}},
		"a scope of people":      {app.KeyCreation{Name: "k", Scopes: []string{"jobs:read", "profile"}}, []string{"scopes[1]"}},
		"a name of two lines":    {app.KeyCreation{Name: "a\nb", Scopes: []string{"jobs:read"}}, []string{"name"}},
		"everything at the same": {app.KeyCreation{Name: "a\nb", Scopes: []string{"email"}, ExpiresAt: &now}, []string{"scopes[0]", "expires_at", "name"}},
	} {
		c.creation.AppID = appID
		for _, dry := range []bool{false, true} {
			c.creation.ValidateOnly = dry
			made, secret, err := w.Apps.CreateAPIKey(t.Context(), c.creation)
			if got := faults(err); !slices.Equal(got, c.want) || err != nil && c.want == nil {
				t.Errorf("%s, dry %t: faults of %v, want %v (%v)", name, dry, got, c.want, err)
			}
			is := !dry && c.want == nil
			if (made.ID != "") != is || (secret != "") != is {
				t.Errorf("%s, dry %t: made %+v", name, dry, made)
			}
			if !is {
				continue
			}
			live, lives := w.State(state.APIKey, secret)
			if !lives || live.APIKeyID != made.ID || live.AppID != appID || !slices.Equal(live.Scopes, []string{"jobs:read", "jobs:write"}) ||
				(live.ExpiresAt == nil) != (c.creation.ExpiresAt == nil) {
				t.Errorf("%s: %+v, lives %t", name, live, lives)
			}
		}
	}
}
