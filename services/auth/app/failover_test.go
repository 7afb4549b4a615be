package app_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"vitae.internal/pkg/backing"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/redisx"
	"vitae.internal/pkg/sessionrecord"
	"vitae.internal/pkg/testkit"
	"vitae.internal/services/auth/app"
)

// failover holds a Redis master that is going to fail, and the replica that is promoted to replace it.
type failover struct {
	*world
	master  *backing.Redis
	replica *redis.Client
	promote []any
}

// failovers maps each kind of Redis deployment to a function that starts one for a single test.
var failovers = map[string]func(t *testing.T) (client, failover){
	"under Sentinel": func(t *testing.T) (client, failover) {
		g := testkit.RedisGroup(t)
		w := waiting(t, redisx.Config{URL: g.URL(), Sentinel: true})
		return w.confidential(), failover{w, g.Master, admin(t, g.Replicas[0]), []any{"REPLICAOF", "NO", "ONE"}}
	},
	"in a cluster": func(t *testing.T) (client, failover) {
		all := testkit.ReplicatedRedisCluster(t)
		w := waiting(t, redisx.Config{URL: all.URL(), Cluster: true})
		c := w.confidential()
		slot := w.rdb.ClusterKeySlot(t.Context(), sessionrecord.AccountKey(c.app.GetAccountId(), "gen")).Val()
		i := int(slot) * len(all.Nodes) / 16384
		return c, failover{w, all.Nodes[i], admin(t, all.Replicas[i][0]), []any{"CLUSTER", "FAILOVER", "TAKEOVER"}}
	},
}

// waiting returns a world in which revocations wait as long as in production.
func waiting(t *testing.T, c redisx.Config) *world {
	t.Helper()
	return newWorldWith(t, testkit.OwnedDatabase(t, "auth", prepare), c, app.WithWaitOut(sessionrecord.WaitOut))
}

func admin(t *testing.T, server *backing.Redis) *redis.Client {
	t.Helper()
	o, err := redis.ParseURL(server.URL())
	if err != nil {
		t.Fatal(err)
	}
	rdb := redis.NewClient(o)
	t.Cleanup(func() { _ = rdb.Close() })
	return rdb
}

// follows reports whether the replica is connected to its master.
func (f failover) follows() bool {
	return strings.Contains(f.replica.Info(f.Context(), "replication").Val(), "master_link_status:up")
}

// leave disconnects the replica from its master, so the master's later writes are lost if the replica is promoted.
func (f failover) leave() {
	f.Helper()
	f.must(f.replica.ConfigSet(f.Context(), "masterauth", "wrong").Err())
	f.must(f.replica.Do(f.Context(), "CLIENT", "KILL", "TYPE", "master").Err())
	eventually(f, "the replica has lost its master", func() bool { return !f.follows() })
}

// held returns the number of tokens whose session record exists on the replica.
func (f failover) held(c client, tokens []string) (n int) {
	f.Helper()
	// A replica in a cluster answers KEYS as well.
	keys, err := f.replica.Keys(f.Context(), "*:cred:*").Result()
	f.must(err)
	for _, token := range tokens {
		ref := sessionrecord.Ref{AccountID: c.app.GetAccountId(), Hash: credential.Hash(token)}
		if record, _ := ref.Keys(); slices.Contains(keys, record) {
			n++
		}
	}
	return n
}

func TestStaleFailoverRevivesNoToken(t *testing.T) {
	t.Parallel()
	for name, start := range failovers {
		for what, disturb := range map[string]func(failover){
			"that follows":  func(failover) {},
			"that has left": failover.leave,
		} {
			t.Run(name+", "+what, func(t *testing.T) {
				t.Parallel()
				c, f := start(t)
				eventually(t, "the replica follows", f.follows)
				tokens := f.manyTokens(c)
				for _, token := range tokens {
					f.live(c, token)
				}
				if what == "that has left" {
					eventually(t, "records are replicated", func() bool { return f.held(c, tokens) > len(tokens)/2 })
					disturb(f)
					if f.held(c, tokens) == 0 {
						t.Fatal("the replica has no record, so the test proves nothing")
					}
				}
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				if failed := f.revokeAll(ctx, c, tokens)(); failed > 0 {
					t.Fatalf("%d revokes failed", failed)
				}
				f.master.Kill()
				f.must(f.replica.Do(t.Context(), f.promote...).Err())
				if n := f.held(c, tokens); n > 0 {
					t.Errorf("the new master has the records of %d of %d revoked tokens", n, len(tokens))
				}
				f.rdb = f.replica // the gateway now reads from the new master
				for _, token := range tokens {
					f.dead(accessToken, c.app.GetAccountId(), token)
				}
			})
		}
	}
}
