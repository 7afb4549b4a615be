package testkit

import (
	"context"
	"fmt"
	"strconv"
	"testing"

	"github.com/redis/go-redis/v9"

	"vitae.internal/pkg/backing"
)

// SharedDatabases is the number of logical databases of a shared Redis. It exceeds the number of
// tests in a run, so that no two tests get the same database.
const SharedDatabases = 8192

// takenKey is a key in logical database 0 that counts the databases that have been allocated.
const takenKey = "testkit:taken"

// sharedRedis is the server that the tests in this binary share.
type sharedRedis struct {
	options   *redis.Options
	admin     *redis.Client
	databases int64
}

// Redis returns the URL of an empty logical database for a single test. A test that needs FLUSHALL
// or stops the server must use PrivateRedis.
func Redis(t testing.TB) string {
	t.Helper()
	shared.requireMain(t)
	r, err := shared.redis()
	if err != nil {
		t.Fatal(err)
	}
	n, err := r.admin.Incr(t.Context(), takenKey).Result()
	if err != nil {
		t.Fatalf("testkit: allocate a logical database: %v", err)
	}
	// Database 0 contains the counter.
	database := int(1 + (n-1)%(r.databases-1))
	options := *r.options
	options.DB = database
	client := redis.NewClient(&options)
	flush := func(ctx context.Context) {
		if err := client.FlushDB(ctx).Err(); err != nil {
			t.Errorf("testkit: empty a logical database: %v", err)
		}
	}
	flush(t.Context())
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), cleanupTimeout)
		defer cancel()
		flush(ctx)
		_ = client.Close()
	})
	return "redis://:" + options.Password + "@" + options.Addr + "/" + strconv.Itoa(database)
}

func (e *environment) openRedis() (*sharedRedis, error) {
	s, err := loadSettings()
	if err != nil {
		return nil, err
	}
	// Do not use the test's context, because all tests in the binary use the server.
	ctx := context.Background()
	target := s.RedisURL
	if target == "" {
		dir, err := e.place("redis")
		if err != nil {
			return nil, err
		}
		r, err := backing.StartRedis(ctx, backing.RedisOptions{Dir: dir, Databases: SharedDatabases})
		if err != nil {
			return nil, err
		}
		e.atEnd(r.Stop)
		target = r.URL()
	}
	options, err := redis.ParseURL(target)
	if err != nil {
		return nil, fmt.Errorf("VITAE_TEST_REDIS_URL is not a Redis URL")
	}
	admin := redis.NewClient(options)
	e.atEnd(func(context.Context) error { return admin.Close() })
	limit, err := admin.ConfigGet(ctx, "databases").Result()
	if err != nil {
		return nil, fmt.Errorf("read the number of databases of the test Redis: %w", err)
	}
	databases, err := strconv.ParseInt(limit["databases"], 10, 64)
	if err != nil || databases < 2 {
		return nil, fmt.Errorf("the test Redis has %q logical databases, want 2 or more", limit["databases"])
	}
	return &sharedRedis{options: options, admin: admin, databases: databases}, nil
}
