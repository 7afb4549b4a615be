package limits_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"vitae.internal/gateway/internal/admission/limits"
	"vitae.internal/pkg/redisx"
	"vitae.internal/pkg/sessionrecord"
	"vitae.internal/pkg/testkit"
)

// eachMaster calls do for every master of a cluster in turn.
func (s *scene) eachMaster(do func(ctx context.Context, node *redis.Client) error) {
	s.Helper()
	cluster, ok := s.rdb.(*redis.ClusterClient)
	if !ok {
		s.Fatal("the scene has no cluster")
	}
	var mu sync.Mutex
	err := cluster.ForEachMaster(s.Context(), func(ctx context.Context, node *redis.Client) error {
		mu.Lock()
		defer mu.Unlock()
		return do(ctx, node)
	})
	if err != nil {
		s.Fatal(err)
	}
}

func TestClusterLimitsEveryAccount(t *testing.T) {
	t.Parallel()
	s := newScene(t, redisx.Config{URL: testkit.RedisCluster(t).URL(), Cluster: true})
	s.tier = limits.Tier{Burst: limits.Rate{Count: 3, Per: time.Hour}, Sustained: limits.Rate{Count: 1000, Per: time.Hour}}
	for i := range 60 { // enough accounts to use slots on every node
		s.ref = ref(fmt.Sprint("dev_", i))
		s.fill(s.record())
		for range 3 {
			if d := s.admit(s.limiter, s.ask()); d.Outcome != limits.Admitted {
				t.Fatalf("%s: %+v", s.ref.AccountID, d)
			}
		}
		if d := s.admit(s.limiter, s.ask()); d.Refusal == nil || d.Budget.DayUsed != 3 {
			t.Fatalf("%s: %+v", s.ref.AccountID, d)
		}
		if err := s.limiter.Surface(t.Context(), s.tier, s.ref.AccountID); err != nil {
			t.Fatal(err)
		}
		if err := sessionrecord.Forget(t.Context(), s.replicas(), s.ref.AccountID, s.ref.Hash); err != nil {
			t.Fatal(err)
		}
		if d := s.admit(s.limiter, s.ask()); d.Outcome != limits.Missing {
			t.Fatalf("%s: a request was decided by a deleted record: %+v", s.ref.AccountID, d)
		}
	}
	nodes := 0
	s.eachMaster(func(ctx context.Context, node *redis.Client) error {
		if node.DBSize(ctx).Val() == 0 {
			return errors.New("a node has no keys")
		}
		nodes++
		return node.ScriptFlush(ctx).Err()
	})
	if nodes != 3 {
		t.Errorf("the cluster has only %d master nodes", nodes)
	}
	s.fill(s.record())
	if d := s.admit(s.limiter, s.ask()); d.Refusal == nil || d.Budget.DayUsed != 3 {
		t.Errorf("after SCRIPT FLUSH: %+v", d)
	}
}

// A request for a slot that has moved is redirected, but charged only once.
func TestMovedSlotChargesOnce(t *testing.T) {
	t.Parallel()
	c := testkit.RedisCluster(t)
	s := newScene(t, redisx.Config{URL: c.URL(), Cluster: true})
	s.fill(s.record())
	s.admit(s.limiter, s.ask())
	cluster := s.rdb.(*redis.ClusterClient)
	slot := cluster.ClusterKeySlot(t.Context(), "{dev_1}:spent").Val()
	owner, err := cluster.MasterForKey(t.Context(), "{dev_1}:spent")
	if err != nil {
		t.Fatal(err)
	}
	s.moveSlot(owner, slot)
	for want := int64(2); want <= 4; want++ {
		d := s.admit(s.limiter, s.ask())
		if d.Outcome == limits.Missing { // the record expires after ten seconds
			s.fill(s.record())
			d = s.admit(s.limiter, s.ask())
		}
		if d.Budget == nil || d.Budget.DayUsed != want {
			t.Fatalf("%+v, want %d used", d, want)
		}
	}
}

// moveSlot moves a slot with its keys from its owner to a different node, as redis-cli --cluster reshard does.
func (s *scene) moveSlot(from *redis.Client, slot int64) {
	s.Helper()
	var to *redis.Client
	s.eachMaster(func(_ context.Context, node *redis.Client) error {
		if node.Options().Addr != from.Options().Addr {
			to = node
		}
		return nil
	})
	fromID, toID := from.ClusterMyID(s.Context()).Val(), to.ClusterMyID(s.Context()).Val()
	steps := []error{
		to.Do(s.Context(), "CLUSTER", "SETSLOT", slot, "IMPORTING", fromID).Err(),
		from.Do(s.Context(), "CLUSTER", "SETSLOT", slot, "MIGRATING", toID).Err(),
	}
	for _, key := range from.ClusterGetKeysInSlot(s.Context(), int(slot), 100).Val() {
		pipe := to.Pipeline()
		pipe.Do(s.Context(), "ASKING")
		pipe.Restore(s.Context(), key, from.PTTL(s.Context(), key).Val(), from.Dump(s.Context(), key).Val())
		_, err := pipe.Exec(s.Context())
		steps = append(steps, err, from.Del(s.Context(), key).Err())
	}
	if err := errors.Join(steps...); err != nil {
		s.Fatal(err)
	}
	s.eachMaster(func(ctx context.Context, node *redis.Client) error {
		return node.Do(ctx, "CLUSTER", "SETSLOT", slot, "NODE", toID).Err()
	})
}

// freezable returns the settings for a server or a cluster that the test can freeze.
func freezable(t *testing.T, cluster bool) (cfg redisx.Config, freeze, thaw func() error) {
	t.Helper()
	if !cluster {
		r := testkit.PrivateRedis(t)
		return redisx.Config{URL: r.URL()}, r.Freeze, r.Thaw
	}
	c := testkit.RedisCluster(t)
	return redisx.Config{URL: c.URL(), Cluster: true},
		func() error { return errors.Join(c.Nodes[0].Freeze(), c.Nodes[1].Freeze(), c.Nodes[2].Freeze()) },
		func() error { return errors.Join(c.Nodes[0].Thaw(), c.Nodes[1].Thaw(), c.Nodes[2].Thaw()) }
}

// counter returns the last number in a counter once the server responds. A server that was frozen first runs
// the commands that it has already received.
func (s *scene) counter(key string) (used int64) {
	s.Helper()
	ctx, cancel := context.WithTimeout(s.Context(), time.Minute)
	defer cancel()
	for ctx.Err() == nil {
		counters, err := s.rdb.Get(ctx, key).Result()
		if err != nil {
			continue // because a cluster needs time to recover
		}
		var others [3]int64
		if _, err := fmt.Sscan(counters, &others[0], &others[1], &others[2], &used); err != nil {
			s.Fatal(err)
		}
		return used
	}
	s.Fatal("the server did not recover")
	return 0
}

// A call that timed out may have run, so a retry could charge the request twice.
func TestTimedOutCallIsNotRetried(t *testing.T) {
	t.Parallel()
	for _, cluster := range []bool{false, true} {
		t.Run(fmt.Sprint("cluster ", cluster), func(t *testing.T) {
			t.Parallel()
			cfg, freeze, thaw := freezable(t, cluster)
			s := newScene(t, cfg)
			s.admit(s.limiter, s.heldBySomeoneElse())
			if err := freeze(); err != nil {
				t.Fatal(err)
			}
			a := s.ask()
			a.Held = s.record()
			s.admit(s.limiter, a) // the call times out, and the replica then decides without Redis
			if err := thaw(); err != nil {
				t.Fatal(err)
			}
			if used := s.counter("{dev_1}:spent"); used != 2 {
				t.Errorf("%d used, want 2: the first request and the one that timed out", used)
			}
		})
	}
}
