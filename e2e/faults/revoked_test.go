package faults_test

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/redis/go-redis/v9"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/load"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/suite"
	"vitae.internal/e2e/internal/world"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// manyRevoked returns the number of keys or tokens to revoke.
func manyRevoked() int {
	if long() {
		return 1000
	}
	return 90
}

// companiesPath is a path that every key may read.
const companiesPath = "/v1/companies"

func TestDeletedKeysStayDeadAfterRedisLoss(t *testing.T) {
	s := newSystem(t)
	w := world.World{Developers: []world.Developer{world.Platform()}}
	made := world.Import(t, s.Stack, w)
	calls := authv1.NewDeveloperServiceClient(suite.Dial(t, s.Stack, s.note.GRPC.Auth, "auth", "vitaectl"))
	dead := make([]load.Fact, manyRevoked())
	each(t, len(dead), func(i int) error {
		created, err := calls.CreateApiKey(t.Context(), &authv1.CreateApiKeyRequest{
			AppId: made.Apps["ats"].ID, Name: "short-lived", Scopes: world.CompanyScopes,
		})
		if err != nil {
			return err
		}
		dead[i] = load.Ended("a deleted key", created.GetSecret(), companiesPath)
		if err := s.useEverywhere(t.Context(), dead[i]); err != nil {
			return err
		}
		_, err = calls.DeleteApiKey(t.Context(), &authv1.DeleteApiKeyRequest{Id: created.GetApiKey().GetId()})
		return err
	})
	s.loseRedis(t, dead, load.Alive("a live key", made.APIKeys["ats-key"].Key, companiesPath))
}

// A refresh does not revoke earlier access tokens, so a few people can have many tokens.
func TestRevokedTokensStayDeadAfterRedisLoss(t *testing.T) {
	s := newSystem(t)
	ways := []func(context.Context, *scene, *family) error{revokeEach, revokeFamily, disconnect}
	families := 3 * len(ways)
	c := newScene(t, s, fault{})
	people := world.World{}
	for range families {
		p := world.Full()
		p.Ref, p.CVs = p.Email, nil
		people.People = append(people.People, p)
	}
	world.Import(t, s.Stack, people)
	all := make([]*family, families)
	each(t, families, func(i int) (err error) {
		p := people.People[i]
		all[i], err = c.newFamily(t.Context(), person.New(p.Email, p.Password), (manyRevoked()+families-1)/families)
		return err
	})
	var dead []load.Fact
	for _, f := range all {
		dead = append(dead, f.tokens...)
	}
	each(t, len(dead), func(i int) error { return s.useEverywhere(t.Context(), dead[i]) })
	each(t, families, func(i int) error { return ways[i%len(ways)](t.Context(), c, all[i]) })
	s.loseRedis(t, dead, load.Alive("a live token", c.Token, "/v1/me"))
}

// family holds the tokens of one consent.
type family struct {
	person  *person.Person
	tokens  []load.Fact
	refresh string
}

func (c *scene) newFamily(ctx context.Context, p *person.Person, n int) (*family, error) {
	got, err := c.Connect(ctx, p)
	if err != nil {
		return nil, err
	}
	f := &family{person: p}
	for {
		f.tokens, f.refresh = append(f.tokens, load.Ended("a revoked token", got.Access, "/v1/me")), got.Refresh
		if len(f.tokens) == n {
			return f, nil
		}
		a, err := c.App(len(f.tokens)%len(edges)).Refresh(ctx, f.refresh, "")
		if err != nil {
			return nil, err
		}
		if got, err = a.Tokens(); err != nil {
			return nil, err
		}
	}
}

func revokeEach(ctx context.Context, c *scene, f *family) error {
	for i, token := range f.tokens {
		if err := granted(c.App(i%len(edges)).Revoke(ctx, token.Credential)); err != nil {
			return err
		}
	}
	return nil
}

func revokeFamily(ctx context.Context, c *scene, f *family) error {
	return granted(c.App(1).Revoke(ctx, f.refresh))
}

func disconnect(ctx context.Context, c *scene, f *family) error {
	return f.person.Disconnect(ctx, c.AppURLs[1], c.AppName)
}

// granted returns an error unless the status of a response is 200.
func granted(a partner.Response, err error) error {
	if err == nil && a.Status != http.StatusOK {
		err = fmt.Errorf("%s", a)
	}
	return err
}

// useEverywhere uses a valid credential on every replica, so Redis has a session record that could
// outlive the credential.
func (s *system) useEverywhere(ctx context.Context, g load.Fact) error {
	for _, base := range s.BaseURLs {
		if err := granted(partner.Get(ctx, base+g.Path, g.Credential)); err != nil {
			return fmt.Errorf("%s, while valid: %w", g.What, err)
		}
	}
	return nil
}

// loseRedis makes Redis lose its data in several ways. After each, it uses every dead credential, on
// the replicas in turn, and asserts that all are rejected.
func (s *system) loseRedis(t *testing.T, dead []load.Fact, live load.Fact) {
	t.Helper()
	rdb := redis.NewClient(expect.Must(redis.ParseURL(s.redis.URL()))(t))
	defer rdb.Close()
	for round, loss := range []struct {
		name string
		do   func(context.Context) error
	}{
		{"nothing", func(context.Context) error { return nil }},
		{"FLUSHALL", func(ctx context.Context) error { return rdb.FlushAll(ctx).Err() }},
		{"SCRIPT FLUSH", func(ctx context.Context) error { return rdb.ScriptFlush(ctx).Err() }},
		{"kill and restart", s.redis.Restart},
	} {
		if err := loss.do(t.Context()); err != nil {
			t.Fatal(err)
		}
		var accepted atomic.Int32
		each(t, len(dead), func(i int) error {
			a, err := partner.Get(t.Context(), s.BaseURLs[(i+round)%len(edges)]+dead[i].Path, dead[i].Credential)
			if err == nil && a.Status != http.StatusUnauthorized {
				accepted.Add(1)
			}
			return err
		})
		if n := accepted.Load(); n > 0 {
			t.Errorf("after %s, %d of %d dead credentials were not rejected", loss.name, n, len(dead))
		}
		expect.Eventually(t, live.What, func(ctx context.Context) error { return s.useEverywhere(ctx, live) })
	}
	t.Logf("%d dead credentials were used after each loss", len(dead))
}

// each calls do n times, up to eight times concurrently, and fails the test with the first error.
func each(t *testing.T, n int, do func(i int) error) {
	t.Helper()
	var next atomic.Int32
	var wait sync.WaitGroup
	var once sync.Once
	var first error
	for range 8 {
		wait.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				if err := do(i); err != nil {
					once.Do(func() { first = err })
					return
				}
			}
		})
	}
	wait.Wait()
	if first != nil {
		t.Fatal(first)
	}
}
