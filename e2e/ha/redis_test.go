package ha_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/world"
	"vitae.internal/pkg/backing"
)

// smallDay is the budget of a day that the test uses up in the failover.
const smallDay = 600

// watched is a Redis with replicas, of which one can be promoted.
type watched struct {
	settings []string
	// master of an account, and the replicas that may take its place.
	of func(t *testing.T, accountID string) (master *backing.Redis, replicas []*backing.Redis)
}

func underSentinel(t *testing.T) watched {
	t.Helper()
	g := expect.Must(backing.StartRedisGroup(t.Context(), newPlace(t), 2))(t)
	t.Cleanup(g.Kill)
	return watched{
		[]string{"VITAE_REDIS_URL=" + g.URL(), "VITAE_REDIS_SENTINEL=true"},
		func(*testing.T, string) (*backing.Redis, []*backing.Redis) { return g.Master, g.Replicas },
	}
}

func inCluster(t *testing.T) watched {
	t.Helper()
	const masters, slots = 3, 16384
	c := expect.Must(backing.StartRedisCluster(t.Context(), newPlace(t), masters, 1))(t)
	t.Cleanup(c.Kill)
	return watched{
		[]string{"VITAE_REDIS_URL=" + c.URL(), "VITAE_REDIS_CLUSTER=true"},
		func(t *testing.T, accountID string) (*backing.Redis, []*backing.Redis) {
			slot := expect.Must(adminOf(t, c.Nodes[0]).ClusterKeySlot(t.Context(), "{"+accountID+"}").Result())(t)
			i := int(slot) * masters / slots
			return c.Nodes[i], c.Replicas[i]
		},
	}
}

func adminOf(t *testing.T, server *backing.Redis) *redis.Client {
	t.Helper()
	admin := redis.NewClient(expect.Must(redis.ParseURL(server.URL()))(t))
	t.Cleanup(func() { _ = admin.Close() })
	return admin
}

func TestAFailoverOfRedisRevivesNothingAndOverspendsNoMoreThanItsBound(t *testing.T) {
	for name, servers := range map[string]func(*testing.T) watched{"sentinel": underSentinel, "cluster": inCluster} {
		t.Run(name, func(t *testing.T) {
			w := servers(t)
			s := start(t, w.settings...)
			l := newLoad(t, s)
			small := world.OtherPlatform()
			small.Plan = world.Plan(100_000, smallDay)
			made := world.Import(t, s, world.World{Developers: []world.Developer{small}})
			master, replicas := w.of(t, made.Developers[small.Ref].ID)
			budget := &budget{load: l, key: made.APIKeys["rival-key"].Key}
			stop := l.run(t)
			stopSpending := budget.run(t)
			awaitMore(t, "acknowledged writes", &l.acknowledged, 60)
			awaitMore(t, "spent requests", &budget.admitted, smallDay/6)
			l.breaks()
			before := budget.admitted.Load()
			master.Kill()
			awaitPromotion(t, l, replicas)
			promoted := budget.admitted.Load()
			l.awaitWhole(t)
			if err := master.Restart(t.Context()); err != nil {
				t.Fatal(err)
			}
			awaitFollowing(t, master)
			l.awaitWhole(t)
			stop()
			stopSpending()
			budget.audit(t, before, promoted)
			t.Logf("the master was killed: %s", l.seconds())
			l.auditJobs(t)
			l.audit(t, l.BaseURLs)
		})
	}
}

// awaitPromotion waits until a replica is the master, and prints how long that took.
func awaitPromotion(t *testing.T, l *load, replicas []*backing.Redis) {
	t.Helper()
	expect.Eventually(t, "a replica is promoted", func(ctx context.Context) error {
		for _, r := range replicas {
			if strings.Contains(adminOf(t, r).Info(ctx, "replication").Val(), "role:master") {
				return nil
			}
		}
		return errors.New("none is")
	})
	t.Logf("a replica was promoted %.1f s after the kill", time.Since(l.since).Seconds())
}

func awaitFollowing(t *testing.T, server *backing.Redis) {
	t.Helper()
	admin := adminOf(t, server)
	expect.Eventually(t, "the old master follows the new one", func(ctx context.Context) error {
		if info, err := admin.Info(ctx, "replication").Result(); err != nil || !strings.Contains(info, "master_link_status:up") {
			return fmt.Errorf("it does not: %w", err)
		}
		return nil
	})
}

// budget is an account with a small budget of a day, which clients spend at every replica
// of the gateway.
type budget struct {
	*load
	key      string
	admitted atomic.Int64
}

func (b *budget) spend(ctx context.Context, edge int) {
	a, err := partner.Employer{BaseURL: b.BaseURLs[edge], Key: b.key}.Companies(ctx, "")
	switch {
	case err == nil && a.Status == http.StatusOK:
		b.admitted.Add(1)
	case err != nil || a.Status != http.StatusTooManyRequests && a.Status != http.StatusServiceUnavailable:
		b.broken("spend: %s, %v", a, err)
	}
}

// run spends until stop is called.
func (b *budget) run(t *testing.T) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var ended []chan struct{}
	for edge := range b.BaseURLs {
		done := make(chan struct{})
		ended = append(ended, done)
		go func() {
			defer close(done)
			tick := time.NewTicker(pause)
			defer tick.Stop()
			for {
				select {
				case <-ctx.Done():
					return
				case <-tick.C:
					b.spend(t.Context(), edge)
				}
			}
		}()
	}
	return func() {
		cancel()
		for _, done := range ended {
			<-done
		}
	}
}

// audit uses up the rest of the budget, and asserts that no more was admitted than each
// replica of the gateway may admit by itself: while no master answers each of them holds the
// limits alone, and begins with what it knew to be spent.
func (b *budget) audit(t *testing.T, before, promoted int64) {
	t.Helper()
	for i := range 3 * smallDay {
		b.spend(t.Context(), i%len(b.BaseURLs))
	}
	replicas := int64(len(b.BaseURLs))
	admitted, most := b.admitted.Load(), before+replicas*(smallDay-before)
	t.Logf("of the day's %d, %d were spent before the kill and %d until the promotion; %d in all, of at most %d", smallDay, before, promoted, admitted, most)
	if admitted > most {
		t.Errorf("%d requests on a budget of %d, and at most %d may be admitted", admitted, smallDay, most)
	}
	if admitted < smallDay {
		t.Errorf("%d requests on a budget of %d", admitted, smallDay)
	}
}
