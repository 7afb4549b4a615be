package app_test

import (
	"net"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/redisx"
	"vitae.internal/pkg/sessionrecord"
	"vitae.internal/pkg/testkit"
)

// Replication stops before the revoke. When the replica is promoted, edges find the record
// of the revoked token there, but not for long.
func TestAfterAFailoverToAStaleReplicaARevokedTokenDiesWithinTheLifeOfARecord(t *testing.T) {
	primary, standby := testkit.PrivateRedis(t), testkit.PrivateRedis(t)
	w := newWorldOn(t, primary.URL())
	from, err := redis.ParseURL(primary.URL())
	w.must(err)
	cfg := w.cfg
	cfg.Redis.URL = standby.URL()
	promoted, err := redisx.Open(cfg.Redis)
	w.must(err)
	t.Cleanup(func() { _ = promoted.Close() })
	w.must(promoted.ConfigSet(t.Context(), "masterauth", from.Password).Err())
	w.must(promoted.Do(t.Context(), "REPLICAOF", "127.0.0.1", port(t, from.Addr)).Err())
	eventually(t, "the replica is in step", func() bool {
		return strings.Contains(promoted.Info(t.Context(), "replication").Val(), "master_link_status:up")
	})

	c := w.confidential()
	token := w.connect(w.person("a@example.com"), c, everything...).GetAccessToken()
	stale := sessionrecord.Ref{AccountID: c.app.GetAccountId(), Hash: credential.Hash(token)}
	w.live(c, token)
	eventually(t, "the record of the token is replicated", func() bool {
		held, err := sessionrecord.Read(t.Context(), promoted, stale)
		return err == nil && held != nil
	})
	w.must(promoted.Do(t.Context(), "REPLICAOF", "NO", "ONE").Err()) // replication stops
	w.revoke(c, token)
	w.dead(accessToken, c.app.GetAccountId(), token)
	primary.Kill()

	keys := promoted.Keys(t.Context(), "*:cred:*").Val()
	if len(keys) != 1 {
		t.Fatalf("the replica holds %v: it is not stale", keys)
	}
	if ttl := promoted.PTTL(t.Context(), keys[0]).Val(); ttl <= 0 || ttl > sessionrecord.Life {
		t.Fatalf("the stale record lives another %v", ttl)
	}
	w.cfg, w.rdb = cfg, promoted
	after := w.replica()
	eventually(t, "the stale record is gone", func() bool {
		held, err := sessionrecord.Read(t.Context(), promoted, stale)
		return err == nil && held == nil
	})
	after.dead(accessToken, c.app.GetAccountId(), token)
}

func port(t *testing.T, addr string) string {
	t.Helper()
	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		t.Fatal(err)
	}
	return port
}
