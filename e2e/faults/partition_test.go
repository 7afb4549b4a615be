package faults_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/load"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/world"
	"vitae.internal/pkg/redisacl"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

const (
	// revokeTimeout is longer than a revocation takes without Redis, which is 12.5 seconds on an idle
	// machine.
	revokeTimeout = 3 * time.Minute
	// useEvery is the time between two uses of a credential on a replica.
	useEvery = 20 * time.Millisecond
	// someUses is the number of times that a credential must be rejected before the test concludes that it is
	// no longer accepted.
	someUses = 15
)

// partition is a way to cut auth off from Redis.
type partition struct {
	name, way string
	// early means that the partition heals while the revocations are pending.
	early bool
	short bool
}

func partitions() []partition {
	return []partition{
		{"black hole", "black hole", false, false},
		{"refused", "refused", false, false},
		{"black hole, healed before the responses", "black hole", true, true},
		{"refused, healed before the responses", "refused", true, true},
	}
}

// The gateway replicas can always reach Redis and its session records.
func TestRevocationHoldsDuringRedisPartition(t *testing.T) {
	s := newSystem(t)
	at := expect.Must(url.Parse(s.redis.URLOf(redisacl.Auth)))(t)
	network := newProxy(t, at.Host)
	at.Host = network.addr
	s.redirect(t, "auth", "VITAE_REDIS_URL="+at.String())
	for _, p := range partitions() {
		if p.short || long() {
			t.Run(p.name, func(t *testing.T) { partitionRound(t, s, network, p) })
		}
	}
}

func partitionRound(t *testing.T, s *system, network *proxy, p partition) {
	c := newScene(t, s, fault{unharmed: everyRead})
	targets := c.targets(t)
	for _, v := range targets {
		if err := s.useEverywhere(t.Context(), v.Fact); err != nil {
			t.Fatal(err)
		}
	}
	ways[p.way](network)
	stop := c.useTargets(t, targets)
	var ends sync.WaitGroup
	for _, v := range targets {
		ends.Go(func() {
			ctx, cancel := context.WithTimeout(t.Context(), revokeTimeout)
			defer cancel()
			if err := v.revoke(ctx); err != nil {
				t.Errorf("%s: %v", v.What, err)
			}
			v.acknowledged.Store(true)
		})
	}
	if p.early {
		for _, v := range targets {
			load.Await(t, "uses of "+v.What, &v.uses, someUses)
		}
		network.heal(t)
	}
	ends.Wait()
	awaitUses(t, targets)
	if !p.early {
		network.heal(t)
		awaitUses(t, targets)
	}
	stop()
	c.judge(t, targets)
}

// awaitUses waits until every target has been used several more times.
func awaitUses(t *testing.T, targets []*target) {
	t.Helper()
	for _, v := range targets {
		load.Await(t, "uses of "+v.What, &v.uses, 2*someUses)
	}
}

// judge asserts that no target was accepted after the response to its revocation.
func (c *scene) judge(t *testing.T, targets []*target) {
	t.Helper()
	var before int64
	for _, v := range targets {
		before += v.before.Load()
		if n := v.after.Load(); n > 0 {
			t.Errorf("%s was accepted %d times after its revocation was acknowledged", v.What, n)
		}
		t.Logf("%s: %d uses, accepted %d times before its revocation was acknowledged", v.What, v.uses.Load(), v.before.Load())
	}
	if before == 0 {
		t.Error("no target was accepted while auth was cut off: the test proves nothing")
	}
	c.Report(t)
}

// target is a valid credential that the test revokes.
type target struct {
	load.Fact
	revoke func(context.Context) error

	acknowledged        atomic.Bool
	uses, before, after atomic.Int64
}

// targets returns credentials, one for each way to revoke them.
func (c *scene) targets(t *testing.T) []*target {
	t.Helper()
	consent := func() *family {
		p := world.Full()
		p.Ref, p.CVs = p.Email, nil
		world.Import(t, c.Stack, world.World{People: []world.Person{p}})
		return expect.Must(c.newFamily(t.Context(), person.New(p.Email, p.Password), 1))(t)
	}
	key := expect.Must(c.Keys.CreateApiKey(t.Context(), &authv1.CreateApiKeyRequest{
		AppId: c.Made.Apps["ats"].ID, Name: "short-lived", Scopes: world.CompanyScopes,
	}))(t)
	single, whole, left := consent(), consent(), consent()
	suspended := world.Import(t, c.Stack, world.World{Developers: []world.Developer{world.OtherPlatform()}})
	vitaectl := func(args ...string) func(context.Context) error {
		return func(ctx context.Context) error {
			res, err := c.Vitaectl(ctx, args...)
			if err == nil && res.Code != 0 {
				err = fmt.Errorf("exit status %d: %s", res.Code, res.Stderr)
			}
			return err
		}
	}
	token := func(what string, f *family, revoke func(context.Context, *scene, *family) error) *target {
		return &target{
			Fact:   load.Ended(what, f.tokens[0].Credential, "/v1/me"),
			revoke: func(ctx context.Context) error { return revoke(ctx, c, f) },
		}
	}
	return []*target{
		token("a revoked token", single, revokeEach),
		token("a token of a revoked family", whole, revokeFamily),
		token("a token of an ended connection", left, disconnect),
		{
			Fact:   load.Ended("a deleted key", key.GetSecret(), companiesPath),
			revoke: vitaectl("key", "delete", key.GetApiKey().GetId()),
		},
		{
			Fact:   load.Fact{What: "a key of a suspended account", Credential: suspended.APIKeys["rival-key"].Key, Path: companiesPath, Status: http.StatusForbidden},
			revoke: vitaectl("account", "suspend", suspended.Developers["rival-platform"].ID),
		},
	}
}

// useTargets uses every target on every replica until stop is called. It also reads with a credential
// that stays valid.
func (c *scene) useTargets(t *testing.T, targets []*target) (stop func()) {
	return c.Every(t, func(each func(time.Duration, func(context.Context))) {
		for edge := range edges {
			for _, v := range targets {
				each(useEvery, func(ctx context.Context) { c.use(ctx, v, edge) })
			}
			for _, r := range c.Reads() {
				each(4*readEvery, func(ctx context.Context) { c.Read(ctx, r, edge) })
			}
		}
	})
}

func (c *scene) use(ctx context.Context, v *target, edge int) {
	late := v.acknowledged.Load() // before the request is sent
	a, err := partner.Get(ctx, c.BaseURLs[edge]+v.Path, v.Credential)
	v.uses.Add(1)
	switch {
	case err != nil:
		c.Broken("%s: %v", v.What, err)
	case a.Status == http.StatusOK && late:
		v.after.Add(1)
	case a.Status == http.StatusOK:
		v.before.Add(1)
	case a.Status != v.Status:
		c.Broken("%s: %s", v.What, a)
	}
}
