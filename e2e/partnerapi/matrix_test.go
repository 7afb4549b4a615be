package partnerapi_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
)

// matrix is the world in which every route is called with every credential.
type matrix struct {
	scene.Platform
	// dead holds credentials that every route rejects, by name. suspended is a key that worked until
	// its account was suspended.
	dead      map[string]partner.Employer
	suspended partner.Employer
	company   string
	applied   things
}

func newMatrix(t testing.TB) matrix {
	t.Helper()
	m := matrix{Platform: scene.NewPlatform(t, world.World{
		People:       []world.Person{world.Full()},
		Companies:    []world.Fields{world.Company().With("ref", "com").With("app", "ats")},
		Jobs:         []world.Fields{world.Live().With("ref", "job").With("company", "com")},
		Applications: []world.Application{{Ref: "apl", Job: "job", Person: "layla", CV: "master"}},
		Developers:   []world.Developer{suspendedPlatform()},
	})}
	m.applied = things{m.Created.Companies["com"].ID, m.Created.Jobs["job"].ID, m.Created.Applications["apl"].ID}
	m.company = m.applied.company
	all := "--scopes=" + strings.Join(world.CompanyScopes, ",")
	expiring, _ := expiringKey(t, m.Platform, 3*time.Second, world.CompanyScopes...)
	deleted, id := m.NewKey(t, "ats", all)
	expect.Listed(t, expect.Must(deleted.Companies(t.Context(), ""))(t))
	m.Exits(t, 0, "key", "delete", id)
	tokens := scene.Connect(t, m.Client(t, "ats"), m.NewPerson(t, "layla"), world.EveryScope, person.Choice{})
	m.dead = map[string]partner.Employer{
		"none": m.API.With(""), "a deleted key": deleted, "an expired key": expiring, "a user token": m.API.With(tokens.Access),
		"a refresh token": m.API.With(tokens.Refresh), "a client secret": m.API.With(m.Created.Apps["ats"].ClientSecret),
		"an invalid key": m.API.With("svc_sk_" + strings.Repeat("A", 49)),
	}
	m.suspended = m.Key(t, "frozen-key")
	expect.Listed(t, expect.Must(m.suspended.Companies(t.Context(), ""))(t))
	m.Vitaectl(t, "account", "suspend", m.Created.Developers["frozen"].ID)
	expect.Eventually(t, "the key expires", func(ctx context.Context) error {
		if a, err := expiring.Companies(ctx, ""); err != nil || a.Status != http.StatusUnauthorized {
			return fmt.Errorf("%s %w", a, err)
		}
		return nil
	})
	return m
}

func suspendedPlatform() world.Developer {
	d := world.OtherPlatform()
	d.Ref, d.Apps[0].Ref, d.Apps[0].APIKeys[0].Ref = "frozen", "frozen-app", "frozen-key"
	return d
}

// things returns the ids that a route acts on.
func (m matrix) things(t testing.TB, r route) things {
	t.Helper()
	on := m.applied
	if r.job != "" {
		on.job = m.JobIn(t, m.company, r.job)
	}
	return on
}

// without returns a key with every scope but one.
func (m matrix) without(t testing.TB, scope string) partner.Employer {
	t.Helper()
	var others []string
	for _, s := range world.CompanyScopes {
		if s != scope {
			others = append(others, s)
		}
	}
	c, _ := m.NewKey(t, "ats", "--scopes", strings.Join(others, ","))
	return c
}

func TestRoutesAcceptOnlyTheirCredentials(t *testing.T) {
	t.Parallel()
	m := newMatrix(t)
	narrow := map[string]partner.Employer{}
	for _, scope := range world.CompanyScopes {
		narrow[scope] = m.without(t, scope)
	}
	unknown := things{"com_unknown", "job_unknown", "apl_unknown"}
	for name, r := range partnerRoutes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			on := m.things(t, r)
			for edge := range m.Stack.BaseURLs {
				cell := func(what string, c partner.Employer, on things, want outcome) {
					t.Helper()
					a := call(t, m.Edges(c)[edge], name, r.body, on)
					if a.Status != want.status || a.Code() != want.code {
						t.Errorf("%s:", what)
					}
					want.assert(t, a)
				}
				for what, c := range m.dead {
					cell(what, c, on, keyDead)
				}
				cell("a suspended account's key", m.suspended, on, suspended)
				cell("a key without the scope", narrow[r.scope], on, keyNarrow)
				cell("a key without the scope, for unknown ids", narrow[r.scope], unknown, keyNarrow)
				cell("a different account's key", m.Key(t, "rival-key"), on, r.foreign)
				cell("a sibling app's key", m.Key(t, "sibling-key"), on, r.foreign)
				if r.unknown != (outcome{}) {
					cell("an unknown id", m.API, unknown, r.unknown)
					cell("an id of a different kind", m.API, things{on.job, on.company, on.company}, r.unknown)
				}
			}
			// The rejected calls have changed nothing: the app's own key still succeeds.
			r.own.assert(t, call(t, m.API, name, r.body, on))
		})
	}
}
