package redis_test

import (
	"fmt"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"vitae.internal/pkg/redisx"
	"vitae.internal/pkg/testkit"
	"vitae.internal/services/auth/internal/people/guesses/throttle"
	"vitae.internal/services/auth/internal/redis"
)

func TestAttemptsSpreadOverAllClusterNodes(t *testing.T) {
	t.Parallel()
	const addresses, perAddress = 60, 2
	cluster := testkit.RedisCluster(t)
	rdb, err := redisx.Open(redisx.Config{URL: cluster.URL(), Cluster: true})
	if err != nil {
		t.Fatal(err)
	}
	defer rdb.Close()
	attempts, err := redis.NewAttempts(rdb)
	if err != nil {
		t.Fatal(err)
	}
	for i := range addresses {
		a := throttle.NewAttempt("ana@example.com", fmt.Sprintf("203.0.113.%d", i))
		if _, err := attempts.Admit(t.Context(), a, time.Now()); err != nil {
			t.Fatal(err)
		}
	}
	var all int64
	for i, node := range cluster.Nodes {
		options, err := goredis.ParseURL(node.URL())
		if err != nil {
			t.Fatal(err)
		}
		client := goredis.NewClient(options)
		defer client.Close()
		held, err := client.DBSize(t.Context()).Result()
		if err != nil {
			t.Fatal(err)
		}
		if held == 0 {
			t.Errorf("node %d has no counts", i)
		}
		all += held
	}
	if all != addresses*perAddress {
		t.Errorf("%d counts of %d addresses, want %d", all, addresses, addresses*perAddress)
	}
}
