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
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/world"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

const (
	// endTimeout is longer than a revocation may take that cannot tell Redis.
	endTimeout = 30 * time.Second
	// hauntEvery is how often each credential is used at each edge.
	hauntEvery = 20 * time.Millisecond
	// someUses are enough to show that nothing is accepted.
	someUses = 15
)

// partition is a way of cutting auth off from Redis.
type partition struct {
	name, way string
	// early heals it while the revocations wait, rather than after their answers.
	early bool
	short bool
}

func partitions() []partition {
	return []partition{
		{"black hole", "black hole", false, false},
		{"refused", "refused", false, false},
		{"black hole, healed before the answers", "black hole", true, true},
		{"refused, healed before the answers", "refused", true, true},
	}
}

// The edges reach Redis all the while, and the records in it.
func TestWhatIsRevokedWhileAuthIsCutOffFromRedisIsDeadOnceItIsAnswered(t *testing.T) {
	s := newSystem(t)
	at := expect.Must(url.Parse(s.redis.URL()))(t)
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
	victims := c.victims(t)
	for _, v := range victims {
		if err := s.opens(t.Context(), v.ghost); err != nil {
			t.Fatal(err)
		}
	}
	ways[p.way](network)
	stop := c.haunts(t, victims)
	var ends sync.WaitGroup
	for _, v := range victims {
		ends.Go(func() {
			ctx, cancel := context.WithTimeout(t.Context(), endTimeout)
			defer cancel()
			if err := v.end(ctx); err != nil {
				t.Errorf("%s: %v", v.what, err)
			}
			v.answered.Store(true)
		})
	}
	if p.early {
		for _, v := range victims {
			awaitMore(t, "uses of "+v.what, &v.uses, someUses)
		}
		network.heal(t)
	}
	ends.Wait()
	awaitUses(t, victims)
	if !p.early {
		network.heal(t)
		awaitUses(t, victims)
	}
	stop()
	c.judge(t, victims)
}

// awaitUses has every edge asked some times more for every victim.
func awaitUses(t *testing.T, victims []*victim) {
	t.Helper()
	for _, v := range victims {
		awaitMore(t, "uses of "+v.what, &v.uses, 2*someUses)
	}
}

// judge reports what was accepted.
func (c *scene) judge(t *testing.T, victims []*victim) {
	t.Helper()
	var before int64
	for _, v := range victims {
		before += v.before.Load()
		if n := v.after.Load(); n > 0 {
			t.Errorf("%s was accepted %d times after the answer", v.what, n)
		}
		t.Logf("%s: %d uses, accepted %d times before the answer", v.what, v.uses.Load(), v.before.Load())
	}
	if before == 0 {
		t.Error("nothing was accepted while auth was cut off: the test proves nothing")
	}
	c.report(t)
}

// victim is a live credential that is ended.
type victim struct {
	ghost
	// refusal is the status once it has ended.
	refusal int
	end     func(context.Context) error

	answered            atomic.Bool
	uses, before, after atomic.Int64
}

// victims are one for each way of ending a credential.
func (c *scene) victims(t *testing.T) []*victim {
	t.Helper()
	consent := func() *family {
		p := world.Full()
		p.Ref, p.CVs = p.Email, nil
		world.Import(t, c.Stack, world.World{People: []world.Person{p}})
		return expect.Must(c.newFamily(t.Context(), person.New(p.Email, p.Password), 1))(t)
	}
	key := expect.Must(c.keys.CreateApiKey(t.Context(), &authv1.CreateApiKeyRequest{
		AppId: c.made.Apps["ats"].ID, Name: "short-lived", Scopes: world.CompanyScopes,
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
	token := func(what string, f *family, end func(context.Context, *scene, *family) error) *victim {
		return &victim{
			ghost: ghost{what, f.tokens[0].token, "/v1/me"}, refusal: http.StatusUnauthorized,
			end: func(ctx context.Context) error { return end(ctx, c, f) },
		}
	}
	return []*victim{
		token("a revoked token", single, revokeEach),
		token("a token of a revoked family", whole, revokeFamily),
		token("a token of a connection that was ended", left, disconnect),
		{
			ghost: ghost{"a deleted key", key.GetSecret(), companiesPath}, refusal: http.StatusUnauthorized,
			end: vitaectl("key", "delete", key.GetApiKey().GetId()),
		},
		{
			ghost: ghost{"a key of a suspended account", suspended.APIKeys["rival-key"].Key, companiesPath}, refusal: http.StatusForbidden,
			end: vitaectl("account", "suspend", suspended.Developers["rival-platform"].ID),
		},
	}
}

// haunts uses every victim at every edge until what it gives is called, and reads
// what nobody ends.
func (c *scene) haunts(t *testing.T, victims []*victim) (stop func()) {
	return c.every(t, func(each func(time.Duration, func(context.Context))) {
		for edge := range edges {
			for _, v := range victims {
				each(hauntEvery, func(ctx context.Context) { c.use(ctx, v, edge) })
			}
			for _, r := range c.reads() {
				each(4*readEvery, func(ctx context.Context) { c.read(ctx, r, edge) })
			}
		}
	})
}

func (c *scene) use(ctx context.Context, v *victim, edge int) {
	late := v.answered.Load() // before it is sent
	a, err := partner.Get(ctx, c.BaseURLs[edge]+v.path, v.token)
	v.uses.Add(1)
	switch {
	case err != nil:
		c.blame("%s: %v", v.what, err)
	case a.Status == http.StatusOK && late:
		v.after.Add(1)
	case a.Status == http.StatusOK:
		v.before.Add(1)
	case a.Status != v.refusal:
		c.blame("%s: %s", v.what, a)
	}
}
