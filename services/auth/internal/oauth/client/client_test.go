package client_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"slices"
	"testing"
	"time"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/credential"
	"vitae.internal/services/auth/internal/oauth/client"
	"vitae.internal/services/auth/internal/oauth/scope"
	"vitae.internal/services/auth/internal/platform/account"
	"vitae.internal/services/auth/internal/platform/app"
)

var (
	secret, older = credential.New(credential.ClientSecret), credential.New(credential.ClientSecret)
	confidential  = of(app.App{ClientType: app.Confidential, Scopes: scope.Set{"profile"}}, secret, older)
	public        = of(app.App{ClientType: app.Public})
	now           = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
)

// of returns an app as a client. The use of its first secret must be recorded.
func of(a app.App, secrets ...string) client.Client {
	a.ClientID = credential.New(credential.ClientID)
	c := client.Client{App: a}
	for i, s := range secrets {
		hash := credential.Hash(s)
		c.Secrets = append(c.Secrets, client.Secret{Hash: hash[:], ToNote: []string{"sec_1", ""}[i]})
	}
	return c
}

func suspended(c client.Client) client.Client { c.Suspended = true; return c }

func marked(c client.Client) client.Client { c.App.Legacy = true; return c }

// one is a store with a single client. It always fails to record the use of a secret.
type one struct {
	client client.Client
	noted  []string
	asked  int
}

func (o *one) NoteSecretUse(_ context.Context, id string, at time.Time) error {
	o.noted = append(o.noted, id+" "+at.Format(time.DateOnly))
	return errors.New("the note is lost")
}

func (o *one) Client(_ context.Context, id string, _ time.Time) (client.Client, error) {
	o.asked++
	if id != o.client.App.ClientID {
		return client.Client{}, client.ErrInvalid
	}
	return o.client, nil
}

func TestClientAuthentication(t *testing.T) {
	withoutSecret := confidential
	withoutSecret.Secrets = nil
	for name, c := range map[string]struct {
		client client.Client
		secret string
		want   error
	}{
		"its secret":                   {confidential, secret, nil},
		"its other secret":             {confidential, older, nil},
		"another secret":               {confidential, credential.New(credential.ClientSecret), client.ErrInvalid},
		"no secret":                    {confidential, "", client.ErrInvalid},
		"none stored, none given":      {withoutSecret, "", client.ErrInvalid},
		"public":                       {public, "", nil},
		"public with a secret":         {public, secret, client.ErrInvalid},
		"suspended":                    {suspended(confidential), secret, account.ErrSuspended},
		"suspended, with a wrong one":  {suspended(confidential), "x", client.ErrInvalid},
		"suspended public":             {suspended(public), "", account.ErrSuspended},
		"suspended public with secret": {suspended(public), "x", client.ErrInvalid},
	} {
		given := client.Credentials{ID: c.client.App.ClientID, Secret: c.secret}
		if err := c.client.Check(t.Context(), &one{}, given, now); !errors.Is(err, c.want) {
			t.Errorf("%s: check returns %v", name, err)
		}
		got, err := client.Authenticate(t.Context(), &one{client: c.client}, given, now)
		if !errors.Is(err, c.want) || err == nil && got.App.ClientID != given.ID {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		for _, other := range []string{"", "x", credential.New(credential.ClientID)} {
			if _, err := client.Authenticate(t.Context(), &one{client: c.client}, client.Credentials{ID: other, Secret: c.secret}, now); !errors.Is(err, client.ErrInvalid) {
				t.Errorf("%s: as %q: %v", name, other, err)
			}
		}
	}
}

// Only using the right secret is recorded. The other tests show that clients are accepted even if recording fails.
func TestDueSecretUseIsRecorded(t *testing.T) {
	for name, c := range map[string]struct {
		secret string
		want   []string
	}{
		"due":     {secret, []string{"sec_1 2026-03-01"}},
		"not due": {older, nil},
		"wrong":   {"x", nil},
	} {
		store := &one{client: confidential}
		_, _ = client.Authenticate(t.Context(), store, client.Credentials{ID: confidential.App.ClientID, Secret: c.secret}, now)
		if !slices.Equal(store.noted, c.want) {
			t.Errorf("%s: recorded %v", name, store.noted)
		}
	}
}

func TestLegacyIsForMarkedConfidentialClients(t *testing.T) {
	for name, c := range map[string]struct {
		client client.Client
		secret string
		want   error
	}{
		"marked":               {marked(confidential), secret, nil},
		"marked, suspended":    {suspended(marked(confidential)), secret, account.ErrSuspended},
		"unmarked":             {confidential, secret, client.ErrNotLegacy},
		"unmarked, suspended":  {suspended(confidential), secret, client.ErrNotLegacy},
		"public":               {marked(public), "", client.ErrNotLegacy},
		"marked, wrong secret": {marked(confidential), "x", client.ErrInvalid},
	} {
		_, err := client.AuthenticateLegacy(t.Context(), &one{client: c.client}, client.Credentials{ID: c.client.App.ClientID, Secret: c.secret}, now)
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if public.MayUseGrants() || !confidential.MayUseGrants() {
		t.Error("a client without scopes may use grants, or one with scopes may not")
	}
}

// The store compares SHA-256(stored hash || nonce) with the sum.
func TestProofIsUniquePerSecretAndCall(t *testing.T) {
	given := client.Credentials{ID: "svc_ci_x", Secret: secret}
	first, second := given.Prove(), given.Prove()
	if first.ClientID != given.ID || len(first.Nonce) != sha256.Size || slices.Equal(first.Nonce, second.Nonce) || slices.Equal(first.Nonce, make([]byte, sha256.Size)) {
		t.Errorf("nonces %x, %x", first.Nonce, second.Nonce)
	}
	hash := credential.Hash(secret)
	if sum := sha256.Sum256(append(hash[:], first.Nonce...)); !slices.Equal(first.Sum, sum[:]) {
		t.Errorf("sum %x, want %x", first.Sum, sum)
	}
	if p := (client.Credentials{ID: "x"}).Prove(); p.Sum != nil {
		t.Errorf("a proof without a secret has the sum %x", p.Sum)
	}
}

// Anyone can send a client id. The event therefore always names the app, but names it as the actor only if the app
// has authenticated.
func TestOnlyAuthenticatedAppsAreActors(t *testing.T) {
	const app, account = "app_0000000000000000000000000g", "dev_0000000000000000000000000g"
	named := confidential
	named.App.ID, named.App.AccountID = app, account
	for name, c := range map[string]struct {
		client client.Client
		secret string
		actor  audit.Actor
	}{
		"its secret":     {named, secret, audit.ByApp(app)},
		"suspended":      {suspended(named), secret, audit.ByApp(app)},
		"another secret": {named, "x", audit.Actor{Kind: audit.Anonymous}},
	} {
		call := audit.NewCall(audit.Event{Actor: audit.Actor{Kind: audit.Anonymous}, Caller: audit.Gateway})
		_ = c.client.Check(audit.NewContext(t.Context(), call), &one{}, client.Credentials{ID: named.App.ClientID, Secret: c.secret}, now)
		if e := call.Ended(""); e.Actor != c.actor || e.AppID != app || e.AccountID != account {
			t.Errorf("%s: %+v", name, e)
		}
	}
}

// A malformed client id must not be looked up, because it may contain bytes that Postgres rejects.
func TestMalformedClientIDIsNotLookedUp(t *testing.T) {
	for id, want := range map[string]int{"": 0, "x": 0, "a\x00b": 0, confidential.App.ClientID + "0": 0, credential.New(credential.ClientID): 1} {
		store := &one{client: confidential}
		if _, err := client.Authenticate(t.Context(), store, client.Credentials{ID: id, Secret: secret}, now); !errors.Is(err, client.ErrInvalid) || store.asked != want {
			t.Errorf("%q: %v, looked up %d times", id, err, store.asked)
		}
	}
}
