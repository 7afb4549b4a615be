package redisx_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"vitae.internal/pkg/backing"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/redisx"
	"vitae.internal/pkg/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

type writer struct {
	*testing.T
	*redisx.Replicas
	rdb redis.UniversalClient
	now *clock.Fake
}

func newWriter(t *testing.T, c redisx.Config) *writer {
	t.Helper()
	rdb, err := redisx.Open(c)
	if err != nil {
		t.Fatal(err)
	}
	w := &writer{T: t, rdb: rdb, now: clock.NewFake(time.Unix(1_800_000_000, 0))}
	w.Replicas, err = redisx.NewReplicas(redisx.ReplicasConfig{Client: rdb, Redis: c, Clock: w.now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = w.Close(), rdb.Close() })
	return w
}

// write writes a key and returns the error of Write.
func (w *writer) write(key string) error {
	w.Helper()
	return w.Write(w.Context(), key, func(p redis.Pipeliner) { p.Set(w.Context(), key, w.now.Now().String(), 0) })
}

// eventually repeats a write until it returns the wanted error.
func (w *writer) eventually(what, key string, wanted error) {
	w.Helper()
	ctx, cancel := context.WithTimeout(w.Context(), time.Minute)
	defer cancel()
	for ctx.Err() == nil {
		if err := w.write(key); errors.Is(err, wanted) {
			return
		}
	}
	w.Fatal("never: " + what)
}

// admin returns a client for one server, with all permissions.
func admin(t *testing.T, server *backing.Redis) *redis.Client {
	t.Helper()
	o, err := redis.ParseURL(server.URL())
	if err != nil {
		t.Fatal(err)
	}
	o.MaxRetries = -1
	client := redis.NewClient(o)
	t.Cleanup(func() { _ = client.Close() })
	return client
}

// stall makes a replica stay connected without replicating from its master, until flow is called.
func stall(t *testing.T, replica *backing.Redis) (flow func()) {
	t.Helper()
	if err := replica.Freeze(); err != nil {
		t.Fatal(err)
	}
	return func() {
		t.Helper()
		if err := replica.Thaw(); err != nil {
			t.Fatal(err)
		}
	}
}

// leave disconnects a replica from its master without informing the master.
func leave(t *testing.T, replica *redis.Client) {
	t.Helper()
	ctx := t.Context()
	if err := errors.Join(replica.ConfigSet(ctx, "masterauth", "wrong").Err(), replica.Do(ctx, "CLIENT", "KILL", "TYPE", "master").Err()); err != nil {
		t.Fatal(err)
	}
}

// connected waits until a server has n connected replicas.
func connected(t *testing.T, server *redis.Client, n int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for !strings.Contains(server.Info(ctx, "replication").Val(), fmt.Sprintf("connected_slaves:%d\r", n)) {
		if ctx.Err() != nil {
			t.Fatalf("the server does not have %d replicas", n)
		}
	}
}

func TestWriteWithoutReplicasDoesNotWait(t *testing.T) {
	t.Parallel()
	w := newWriter(t, redisx.Config{URL: testkit.PrivateRedis(t).URL()})
	seen := &seen{}
	w.rdb.AddHook(seen)
	for range 10 {
		if err := w.write("k"); err != nil {
			t.Fatal(err)
		}
	}
	if seen.pipelines != 10 || seen.waits != 0 {
		t.Errorf("%d round trips and %d waits for 10 writes", seen.pipelines, seen.waits)
	}
}

func TestWriteWaitsForEveryReplica(t *testing.T) {
	t.Parallel()
	g := testkit.RedisGroup(t)
	w := newWriter(t, redisx.Config{URL: g.URL(), Sentinel: true})
	for range 20 {
		w.now.Advance(time.Second)
		w.eventually("a confirmed write", "k", nil)
		for i, r := range g.Replicas {
			if got := admin(t, r).Get(t.Context(), "k").Val(); got != w.now.Now().String() {
				t.Errorf("replica %d has %q after a confirmed write", i, got)
			}
		}
	}
	flow := stall(t, g.Replicas[0])
	for range 3 { // repeated attempts write the same value, which must not count as confirmed
		if err := w.write("k"); !errors.Is(err, redisx.ErrUnconfirmed) {
			t.Fatalf("with a connected but stalled replica: %v, want ErrUnconfirmed", err)
		}
	}
	flow()
	w.eventually("a write after the replica recovers", "k", nil)
}

// A single server knows only its connected replicas.
func TestDisconnectedReplicaCountsForAnHour(t *testing.T) {
	t.Parallel()
	g := testkit.RedisGroup(t)
	alone := redisx.Config{URL: g.Master.URL()}
	w := newWriter(t, alone)
	master := admin(t, g.Master)
	w.eventually("a confirmed write", "k", nil)
	leave(t, admin(t, g.Replicas[0]))
	connected(t, master, 1)
	if err := w.write("k"); !errors.Is(err, redisx.ErrUnconfirmed) {
		t.Fatalf("with one replica of two: %v", err)
	}
	// A process that has never seen the first replica does not miss it, unless it is configured.
	newWriter(t, alone).eventually("a write of a different process", "k", nil)
	configured := newWriter(t, redisx.Config{URL: g.Master.URL(), Replicas: 2})
	if err := configured.write("k"); !errors.Is(err, redisx.ErrUnconfirmed) {
		t.Errorf("a different process, configured for both replicas: %v", err)
	}
	w.now.Advance(time.Hour + time.Second)
	w.eventually("a write after an hour", "k", nil)
	// The second replica disconnects too. The server keeps its backlog, so every process knows that
	// a replica is missing.
	leave(t, admin(t, g.Replicas[1]))
	connected(t, master, 0)
	if err := newWriter(t, alone).write("k"); !errors.Is(err, redisx.ErrUnconfirmed) {
		t.Errorf("without any replica: %v", err)
	}
}

func TestSentinelsReportDisconnectedReplicas(t *testing.T) {
	t.Parallel()
	g := testkit.RedisGroup(t)
	watched := redisx.Config{URL: g.URL(), Sentinel: true}
	newWriter(t, watched).eventually("a confirmed write", "k", nil)
	leave(t, admin(t, g.Replicas[0]))
	connected(t, admin(t, g.Master), 1)
	w := newWriter(t, watched) // this process has never seen the replica
	if err := w.write("k"); !errors.Is(err, redisx.ErrUnconfirmed) {
		t.Errorf("with one replica of two: %v", err)
	}
	for _, s := range g.Sentinels[1:] {
		s.Kill()
	}
	if err := w.write("k"); !errors.Is(err, redisx.ErrUnconfirmed) {
		t.Errorf("with one Sentinel left: %v", err)
	}
	g.Sentinels[0].Kill()
	if err := w.write("k"); !errors.Is(err, redisx.ErrUnconfirmed) {
		t.Errorf("without any Sentinel: %v", err)
	}
}

func TestClusterWriteWaitsForReplicasOfKey(t *testing.T) {
	t.Parallel()
	c := testkit.ReplicatedRedisCluster(t)
	w := newWriter(t, redisx.Config{URL: c.URL(), Cluster: true})
	keys := make([]string, len(c.Nodes)) // one key for each node
	for i := range 100 {
		key := fmt.Sprint("{dev_", i, "}:gen")
		slot := w.rdb.ClusterKeySlot(t.Context(), key).Val()
		keys[slot*int64(len(c.Nodes))/16384] = key
	}
	for _, key := range keys {
		w.eventually("a confirmed write of "+key, key, nil)
	}
	flow := stall(t, c.Replicas[0][0])
	leave(t, admin(t, c.Replicas[1][0]))
	connected(t, admin(t, c.Nodes[1]), 0)
	for i, key := range keys {
		if err := w.write(key); errors.Is(err, redisx.ErrUnconfirmed) != (i < 2) {
			t.Errorf("server %d (0 has a stalled replica, 1 a disconnected one, 2 a synchronized one): %v", i, err)
		}
	}
	flow()
	w.eventually("a write after the replica recovers", keys[0], nil)
}

func TestOldMasterCountsAfterFailover(t *testing.T) {
	t.Parallel()
	g := testkit.RedisGroup(t)
	w := newWriter(t, redisx.Config{URL: g.URL(), Sentinel: true})
	w.eventually("a confirmed write", "k", nil)
	g.Master.Kill()
	w.eventually("a write accepted by the new master", "k", redisx.ErrUnconfirmed)
	if err := g.Master.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.eventually("a write confirmed by the old master", "k", nil)
}

// seen counts the pipelines of a client and the WAIT commands in them.
type seen struct{ pipelines, waits int }

func (*seen) DialHook(next redis.DialHook) redis.DialHook          { return next }
func (*seen) ProcessHook(next redis.ProcessHook) redis.ProcessHook { return next }
func (s *seen) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		s.pipelines++
		for _, c := range cmds {
			if c.Name() == "wait" {
				s.waits++
			}
		}
		return next(ctx, cmds)
	}
}
