package ha_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/load"
	"vitae.internal/e2e/internal/world"
	"vitae.internal/pkg/backing"
	"vitae.internal/pkg/backing/backingtest"
)

// smallDay is a daily quota that the test uses up during the failover.
const smallDay = 600

// watched is a Redis with replicas, one of which can be promoted.
type watched struct {
	settings []string
	// of returns the master for an account, and the replicas that may be promoted.
	of func(t *testing.T, accountID string) (master *backing.Redis, replicas []*backing.Redis)
}

func underSentinel(t *testing.T) watched {
	t.Helper()
	g := expect.Must(backingtest.StartRedisGroup(t.Context(), newPlace(t), 2))(t)
	t.Cleanup(g.Kill)
	return watched{
		[]string{"VITAE_REDIS_URL=" + g.URL(), "VITAE_REDIS_SENTINEL=true"},
		func(*testing.T, string) (*backing.Redis, []*backing.Redis) { return g.Master, g.Replicas },
	}
}

func inCluster(t *testing.T) watched {
	t.Helper()
	const masters, slots = 3, 16384
	c := expect.Must(backingtest.StartRedisCluster(t.Context(), newPlace(t), masters, 1))(t)
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

func TestRedisFailoverRevivesNoCredential(t *testing.T) {
	for name, servers := range map[string]func(*testing.T) watched{"sentinel": underSentinel, "cluster": inCluster} {
		t.Run(name, func(t *testing.T) {
			w := servers(t)
			c := newClients(t, start(t, w.settings...), smallDay)
			master, replicas := w.of(t, c.Made.Developers[world.OtherPlatform().Ref].ID)
			stop := c.Run(t)
			load.Await(t, "acknowledged writes", &c.Acknowledged, 60)
			load.Await(t, "admitted requests", &c.Admitted, smallDay/6)
			c.Breaks()
			before := c.Admitted.Load()
			master.Kill()
			awaitPromotion(t, c, replicas)
			promoted := c.Admitted.Load()
			c.awaitWhole(t)
			if err := master.Restart(t.Context()); err != nil {
				t.Fatal(err)
			}
			awaitFollowing(t, master)
			c.awaitWhole(t)
			stop()
			c.auditBudget(t, before, promoted)
			t.Logf("the master was killed: %s", c.Impact())
			c.Audit(t)
		})
	}
}

// awaitPromotion waits until a replica has become the master, and logs how long that took.
func awaitPromotion(t *testing.T, c *clients, replicas []*backing.Redis) {
	t.Helper()
	expect.Eventually(t, "a replica is promoted", func(ctx context.Context) error {
		for _, r := range replicas {
			if strings.Contains(adminOf(t, r).Info(ctx, "replication").Val(), "role:master") {
				return nil
			}
		}
		return errors.New("no replica is promoted")
	})
	t.Logf("a replica was promoted %.1f s after the kill", c.Since().Seconds())
}

func awaitFollowing(t *testing.T, server *backing.Redis) {
	t.Helper()
	admin := adminOf(t, server)
	expect.Eventually(t, "the old master follows the new one", func(ctx context.Context) error {
		if info, err := admin.Info(ctx, "replication").Result(); err != nil || !strings.Contains(info, "master_link_status:up") {
			return fmt.Errorf("the old master does not follow: %w", err)
		}
		return nil
	})
}

// auditBudget uses up the rest of the daily quota, and asserts that no more requests were admitted than
// the gateway replicas may admit separately. Without a master, each replica enforces the limits on its
// own, and starts from the usage that it knows.
func (c *clients) auditBudget(t *testing.T, before, promoted int64) {
	t.Helper()
	replicas := int64(len(c.BaseURLs))
	admitted, most := c.UseUpQuota(t), before+replicas*(smallDay-before)
	t.Logf("daily quota %d: %d requests admitted before the kill, %d until the promotion, %d in total, want at most %d", smallDay, before, promoted, admitted, most)
	if admitted > most {
		t.Errorf("%d requests admitted with a quota of %d, want at most %d", admitted, smallDay, most)
	}
	if admitted < smallDay {
		t.Errorf("%d requests admitted, want the quota of %d", admitted, smallDay)
	}
}
