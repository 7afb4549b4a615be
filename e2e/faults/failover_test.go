package faults_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/load"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/suite"
	"vitae.internal/e2e/internal/world"
	"vitae.internal/pkg/backing"
	"vitae.internal/pkg/backing/backingtest"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// redisFailover is a kind of Redis failover, in which a replica is promoted.
type redisFailover struct {
	name  string
	start func(*testing.T) *pair
	// disturb interferes with replication. If it is nil, the replica stays in sync.
	disturb func(*pair, *testing.T)
	short   bool
}

func redisFailovers() []redisFailover {
	return []redisFailover{
		{"sentinel, replica in sync", underSentinel, nil, false},
		{"sentinel, replica stalled", underSentinel, (*pair).stall, true},
		{"sentinel, replica disconnected", underSentinel, (*pair).leave, false},
		{"cluster, replica in sync", inCluster, nil, false},
		{"cluster, replica disconnected", inCluster, (*pair).leave, false},
	}
}

// pair is a Redis master and its only replica.
type pair struct {
	// settings returns the settings of a program that uses this Redis.
	settings func(process string) []string
	// of returns the master and the replica for an account.
	of func(t *testing.T, accountID string) (master, replica *backing.Redis)
	// network is the connection between the replica and the master.
	network *proxy
	// master, replica and admin, a client of the replica, belong to the test's account.
	master, replica *backing.Redis
	admin           *redis.Client
}

func underSentinel(t *testing.T) *pair {
	t.Helper()
	g := expect.Must(backingtest.StartRedisGroup(t.Context(), newPlace(t), 1))(t)
	t.Cleanup(g.Kill)
	p := &pair{
		settings: func(process string) []string {
			return []string{"VITAE_REDIS_URL=" + g.URLOf(process), "VITAE_REDIS_SENTINEL=true"}
		},
		of:      func(*testing.T, string) (*backing.Redis, *backing.Redis) { return g.Master, g.Replicas[0] },
		network: newProxy(t, addressOf(t, g.Master)),
	}
	// The replica keeps the address that the Sentinels have discovered, but connects to its master
	// through the proxy.
	_, port, _ := net.SplitHostPort(p.network.addr)
	admin := adminOf(t, g.Replicas[0])
	if err := admin.Do(t.Context(), "REPLICAOF", "127.0.0.1", port).Err(); err != nil {
		t.Fatal(err)
	}
	expect.Eventually(t, "the replica follows through the proxy", func(ctx context.Context) error {
		info := admin.Info(ctx, "replication").Val()
		if !strings.Contains(info, "master_link_status:up") || !strings.Contains(info, "master_port:"+port) {
			return errors.New(info)
		}
		return nil
	})
	return p
}

func inCluster(t *testing.T) *pair {
	t.Helper()
	const masters = 3
	c := expect.Must(backingtest.StartRedisCluster(t.Context(), newPlace(t), masters, 1))(t)
	t.Cleanup(c.Kill)
	return &pair{
		settings: func(process string) []string {
			return []string{"VITAE_REDIS_URL=" + c.URLOf(process), "VITAE_REDIS_CLUSTER=true"}
		},
		of: func(t *testing.T, accountID string) (*backing.Redis, *backing.Redis) {
			slot := expect.Must(adminOf(t, c.Nodes[0]).ClusterKeySlot(t.Context(), "{"+accountID+"}").Result())(t)
			i := int(slot) * masters / 16384
			return c.Nodes[i], c.Replicas[i][0]
		},
	}
}

func newPlace(t *testing.T) string {
	t.Helper()
	dir := expect.Must(os.MkdirTemp(suite.Scratch, "redis-"))(t)
	if err := os.Chmod(dir, 0o711); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "servers")
}

func addressOf(t *testing.T, server *backing.Redis) string {
	t.Helper()
	return expect.Must(redis.ParseURL(server.URL()))(t).Addr
}

func adminOf(t *testing.T, server *backing.Redis) *redis.Client {
	t.Helper()
	admin := redis.NewClient(expect.Must(redis.ParseURL(server.URL()))(t))
	t.Cleanup(func() { _ = admin.Close() })
	return admin
}

// stall drops the data from the master, while the replica stays connected.
func (p *pair) stall(*testing.T) { p.network.swallow() }

// leave cuts the replica off from its master permanently.
func (p *pair) leave(t *testing.T) {
	ctx := t.Context()
	if err := errors.Join(p.admin.ConfigSet(ctx, "masterauth", "wrong").Err(), p.admin.Do(ctx, "CLIENT", "KILL", "TYPE", "master").Err()); err != nil {
		t.Fatal(err)
	}
	expect.Eventually(t, "the replica has lost its master", func(ctx context.Context) error {
		if !strings.Contains(p.admin.Info(ctx, "replication").Val(), "master_link_status:down") {
			return errors.New("the replica is still connected")
		}
		return nil
	})
}

// records returns the number of session records on the replica, whether it has been promoted or not.
func (p *pair) records(ctx context.Context) (int, error) {
	keys, err := p.admin.Keys(ctx, "*:cred:*").Result()
	return len(keys), err
}

func TestRedisFailoverRevivesNoCredential(t *testing.T) {
	s := newSystem(t)
	for _, f := range redisFailovers() {
		if f.short || long() {
			t.Run(f.name, func(t *testing.T) { failoverRound(t, s, f) })
		}
	}
}

// keysPerApp is the number of keys to delete per app, which is below the limit of keys per app.
const keysPerApp = 40

// failoverRound deletes keys while the replica may not receive the changes. It uses the keys from the
// time of the responses until well after the promotion of the replica.
func failoverRound(t *testing.T, s *system, f redisFailover) {
	p := f.start(t)
	for _, process := range append([]string{"auth"}, edges...) {
		s.redirect(t, process, p.settings(s.processes[process].program)...)
	}
	apps := []string{"ats"}
	for len(apps)*keysPerApp < manyRevoked() {
		apps = append(apps, fmt.Sprintf("ats-%d", len(apps)))
	}
	made := world.Import(t, s.Stack, world.World{Developers: []world.Developer{world.PlatformOf(apps...)}})
	p.master, p.replica = p.of(t, made.Developers["platform"].ID)
	p.admin = adminOf(t, p.replica)
	live := load.Alive("a live key", made.APIKeys["ats-key"].Key, companiesPath)
	keys := authv1.NewDeveloperServiceClient(suite.Dial(t, s.Stack, s.note.GRPC.Auth, "auth", "vitaectl"))
	dead, ids := make([]load.Fact, manyRevoked()), make([]string, manyRevoked())
	each(t, len(dead), func(i int) error {
		created, err := keys.CreateApiKey(t.Context(), &authv1.CreateApiKeyRequest{AppId: made.Apps[apps[i/keysPerApp]].ID, Name: "short-lived", Scopes: world.CompanyScopes})
		dead[i], ids[i] = load.Ended("a deleted key", created.GetSecret(), companiesPath), created.GetApiKey().GetId()
		return err
	})
	each(t, len(dead), func(i int) error { return s.useEverywhere(t.Context(), dead[i]) })
	if f.disturb != nil {
		f.disturb(p, t)
	}
	missed := expect.Must(p.records(t.Context()))(t)
	begun := time.Now()
	var deletions sync.WaitGroup
	for _, id := range ids {
		deletions.Go(func() {
			ctx, cancel := context.WithTimeout(t.Context(), revokeTimeout)
			defer cancel()
			if _, err := keys.DeleteApiKey(ctx, &authv1.DeleteApiKeyRequest{Id: id}); err != nil {
				t.Error(err)
			}
		})
	}
	deletions.Wait()
	t.Logf("%d keys were deleted in %v; the replica had %d records before, and has %d now",
		len(ids), time.Since(begun).Round(time.Millisecond), missed, expect.Must(p.records(t.Context()))(t))
	if f.disturb != nil && missed == 0 {
		t.Error("the replica had no records: the test proves nothing")
	}
	p.master.Kill()
	accepted, passes := s.useUntilPromoted(t, p, dead, live)
	t.Logf("%d deleted keys were used %d times each, until well after the failover: %d accepted", len(dead), passes, accepted)
	if accepted > 0 {
		t.Errorf("%d uses of deleted keys were accepted", accepted)
	}
	if err := suite.RedisRefused(t.Context(), p.replica.URL()); err != nil {
		t.Error(err)
	}
}

// useUntilPromoted uses dead credentials repeatedly, on the gateway replicas in turn, until the
// promoted server has served two passes.
func (s *system) useUntilPromoted(t *testing.T, p *pair, dead []load.Fact, live load.Fact) (accepted int32, passes int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), readyTimeout)
	defer cancel()
	var got atomic.Int32
	tick := time.NewTicker(10 * readEvery)
	defer tick.Stop()
	for after := 0; after < 3; passes++ {
		each(t, len(dead), func(i int) error {
			a, err := partner.Get(ctx, s.BaseURLs[(i+passes)%len(edges)]+dead[i].Path, dead[i].Credential)
			if err == nil && a.Status == http.StatusOK {
				got.Add(1)
			}
			return err
		})
		if after > 0 || s.serves(ctx, p, live) == nil {
			after++
		}
		<-tick.C
	}
	return got.Load(), passes
}

// serves returns an error unless the promoted server has a session record of a live credential. Such a record
// shows that auth writes to the server and that the gateway accepts its records.
func (s *system) serves(ctx context.Context, p *pair, live load.Fact) error {
	if err := s.useEverywhere(ctx, live); err != nil {
		return err
	}
	if info, err := p.admin.Info(ctx, "replication").Result(); err != nil || !strings.Contains(info, "role:master") {
		return fmt.Errorf("the replica is not promoted: %w", err)
	}
	n, err := p.records(ctx)
	if err == nil && n == 0 {
		err = errors.New("the replica has no records")
	}
	return err
}
