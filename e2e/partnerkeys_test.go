package e2e_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/world"
)

func TestSeveralKeysOfAnAppWorkAtOnce(t *testing.T) {
	t.Parallel()
	p := newPlatform(t)
	company := p.company(t)
	all := strings.Join(world.CompanyScopes, ",")
	second, id := p.newKey(t, "ats", "--scopes", all)
	reader, _ := p.newKey(t, "ats", "--scopes", "companies:read")
	for _, c := range []partner.Employer{p.api, second, reader} {
		for _, edge := range p.edges(c) {
			success(t, must(edge.Company(t.Context(), company))(t))
		}
	}
	refused(t, must(reader.Jobs(t.Context(), company, ""))(t), keyNarrow.status, keyNarrow.code)
	p.status(t, 0, "key", "delete", id)
	for _, edge := range p.edges(p.api) {
		success(t, must(edge.Company(t.Context(), company))(t))
	}
}

// TestADeletedKeyIsRefusedEverywhereAtOnce presents the key at every replica while
// it is deleted, and from then on.
func TestADeletedKeyIsRefusedEverywhereAtOnce(t *testing.T) {
	t.Parallel()
	for name, between := range map[string]func(context.Context) error{
		"as it is": func(context.Context) error { return nil }, "while Redis forgets": flusher(t),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			deletesAKey(t, between)
		})
	}
}

func deletesAKey(t *testing.T, between func(context.Context) error) {
	p := newPlatform(t)
	company := p.company(t)
	doomed, id := p.newKey(t, "ats", "--scopes", "companies:read")
	var deleted atomic.Bool
	ctx, stop := context.WithCancel(t.Context())
	group, ctx := errgroup.WithContext(ctx)
	for _, edge := range p.edges(doomed) {
		success(t, must(edge.Company(t.Context(), company))(t))
		for range 3 {
			group.Go(func() error {
				for {
					dead := deleted.Load()
					a, err := edge.Company(ctx, company)
					switch {
					case ctx.Err() != nil:
						return nil //nolint:nilerr // the end of the test, not a fault
					case err != nil:
						return err
					case a.Code() == keyDead.code:
					case dead || a.Status != http.StatusOK:
						return fmt.Errorf("%s, deleted: %v", a, dead)
					}
				}
			})
		}
	}
	p.status(t, 0, "key", "delete", id)
	deleted.Store(true)
	for range 200 {
		if err := between(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, edge := range p.edges(doomed) {
			refused(t, must(edge.Company(t.Context(), company))(t), keyDead.status, keyDead.code)
		}
	}
	stop()
	if err := group.Wait(); err != nil {
		t.Error(err)
	}
}

// TestAKeyStopsAtTheMomentOfItsExpiry presents the key all the time: answers that
// came before the moment take it, requests that began after it are refused.
func TestAKeyStopsAtTheMomentOfItsExpiry(t *testing.T) {
	t.Parallel()
	p := newPlatform(t)
	company := p.company(t)
	end := time.Now().Add(4 * time.Second).Truncate(time.Millisecond)
	key, _ := p.newKey(t, "ats", "--scopes", "companies:read", "--expires-at", end.UTC().Format(time.RFC3339Nano))
	edges := p.edges(key)
	taken, turned := 0, 0
	for i := 0; turned < 100 && !t.Failed(); i++ {
		began := time.Now()
		a := must(edges[i%len(edges)].Company(t.Context(), company))(t)
		switch {
		case time.Now().Before(end):
			success(t, a)
			taken++
		case !began.Before(end):
			refused(t, a, keyDead.status, keyDead.code)
			turned++
		}
	}
	if taken == 0 {
		t.Error("the key never worked")
	}
}

func TestKeysAndUserTokensNeverMix(t *testing.T) {
	t.Parallel()
	p := newPlatform(t, world.World{People: []world.Person{world.Full()}})
	app := p.app(t, "ats")
	tokens := connect(t, app, p.person(t, "layla"), allScopes, person.Choice{})
	for _, edge := range p.edges(p.api) {
		for _, path := range []string{"/v1/me", "/v1/me/cv", "/v1/me/cv.pdf"} {
			a := must(edge.Get(t.Context(), path, ""))(t)
			refused(t, a, http.StatusUnauthorized, "OAUTH_INVALID_TOKEN")
			told(t, a, "This path takes an access token, not an API key.")
		}
		told(t, must(edge.With(tokens.Access).Companies(t.Context(), ""))(t), "This path takes an API key, not an access token.")
		for _, credential := range []string{tokens.Access, tokens.Refresh, app.Secret, app.ID} {
			refused(t, must(edge.With(credential).Companies(t.Context(), ""))(t), keyDead.status, keyDead.code)
		}
	}
	// The OAuth endpoints know nothing of keys.
	inactive(t, must(app.Introspect(t.Context(), p.api.Key))(t))
	revoked(t, must(app.Revoke(t.Context(), p.api.Key))(t))
	listed(t, must(p.api.Companies(t.Context(), ""))(t))
}

func TestMissingAndDeadKeysAreChallenged(t *testing.T) {
	t.Parallel()
	p := newPlatform(t)
	for key, hint := range map[string]string{
		"": "", "x": `error="invalid_token"`, "svc_sk_": `error="invalid_token"`, strings.Repeat("A", 7000): `error="invalid_token"`,
		p.api.Key + "A": `error="invalid_token"`, strings.ToUpper(p.api.Key): `error="invalid_token"`,
	} {
		a := must(p.api.With(key).Companies(t.Context(), ""))(t)
		refused(t, a, keyDead.status, keyDead.code)
		h := a.Header.Get("WWW-Authenticate")
		if !strings.HasPrefix(h, "Bearer") || !strings.Contains(h, hint) || (hint == "" && strings.Contains(h, "error=")) {
			t.Errorf("%.20q: WWW-Authenticate %q", key, h)
		}
	}
	for _, headers := range [][]string{{"Authorization", "Basic " + p.api.Key}, {"Authorization", p.api.Key}, {"X-Api-Key", p.api.Key}} {
		a := must(p.api.With("").Call(t.Context(), http.MethodGet, "/v1/companies?api_key="+p.api.Key, nil, headers...))(t)
		refused(t, a, keyDead.status, keyDead.code)
	}
	narrow, _ := p.newKey(t, "ats", "--scopes", "jobs:read")
	a := must(narrow.Companies(t.Context(), ""))(t)
	refused(t, a, keyNarrow.status, keyNarrow.code)
	if h := a.Header.Get("WWW-Authenticate"); !strings.Contains(h, `error="insufficient_scope"`) {
		t.Errorf("WWW-Authenticate %q (RFC 6750 §3.1)", h)
	}
}

func TestASuspendedAccountsKeysAreRefusedUntilItIsResumed(t *testing.T) {
	t.Parallel()
	p := newPlatform(t)
	account := p.created.Developers["platform"].ID
	for range 3 {
		p.vitaectl(t, "account", "suspend", account)
		for _, edge := range append(p.edges(p.api), p.edges(p.key(t, "sibling-key"))...) {
			refused(t, must(edge.Companies(t.Context(), ""))(t), suspended.status, suspended.code)
		}
		p.vitaectl(t, "account", "resume", account)
		for _, edge := range p.edges(p.api) {
			listed(t, must(edge.Companies(t.Context(), ""))(t))
		}
	}
}
