package testkit

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"vitae.internal/pkg/backing"
	"vitae.internal/pkg/backing/backingtest"
	"vitae.internal/pkg/config"
)

// settings holds the URLs of the servers that `make test` shares between test binaries.
type settings struct {
	PostgresURL string `env:"VITAE_TEST_POSTGRES_URL"`
	RedisURL    string `env:"VITAE_TEST_REDIS_URL"`
}

// cleanupTimeout limits cleanup functions, which run after the test's context is canceled.
const cleanupTimeout = 60 * time.Second

// environment holds the servers that the tests in a binary share. Each server is started on first
// use.
type environment struct {
	inMain   atomic.Bool
	dir      func() (string, error)
	postgres func() (*sharedPostgres, error)
	redis    func() (*sharedRedis, error)

	mu   sync.Mutex
	stop []func(context.Context) error // called in reverse order
}

var shared = newEnvironment()

func newEnvironment() *environment {
	e := &environment{}
	e.dir = sync.OnceValues(e.makeDir)
	e.postgres = sync.OnceValues(e.openPostgres)
	e.redis = sync.OnceValues(e.openRedis)
	return e
}

// Main runs the tests in a package, stops the servers that they started, and exits. It must be
// called from TestMain.
func Main(m *testing.M) {
	shared.inMain.Store(true)
	code := m.Run()
	if err := shared.close(); err != nil {
		fmt.Fprintln(os.Stderr, "testkit:", err)
		code = max(code, 1)
	}
	os.Exit(code)
}

func (e *environment) close() error {
	ctx, cancel := context.WithTimeout(context.Background(), cleanupTimeout)
	defer cancel()
	e.mu.Lock()
	defer e.mu.Unlock()
	var all error
	for i := len(e.stop) - 1; i >= 0; i-- {
		all = errors.Join(all, e.stop[i](ctx))
	}
	return all
}

func (e *environment) atEnd(f func(context.Context) error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.stop = append(e.stop, f)
}

// requireMain fails the test if its package does not call Main, because servers would be left
// running.
func (e *environment) requireMain(t testing.TB) {
	t.Helper()
	if !e.inMain.Load() {
		t.Fatal("testkit: add `func TestMain(m *testing.M) { testkit.Main(m) }` to this package's tests")
	}
}

// makeDir creates the folder for this binary's servers. It does not use t.TempDir, which is
// accessible only to its owner, because the servers may run as a different user.
func (e *environment) makeDir() (string, error) {
	dir, err := MakePlace("vitae-test-")
	if err != nil {
		return "", fmt.Errorf("create the folder for test servers: %w", err)
	}
	e.atEnd(func(context.Context) error { return os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o711); err != nil {
		return "", fmt.Errorf("create the folder for test servers: %w", err)
	}
	return dir, nil
}

// place returns the path of a new directory for one server.
func (e *environment) place(kind string) (string, error) {
	dir, err := e.dir()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, kind+"-"+unique()), nil
}

// PrivatePostgres starts a Postgres for a single test, which may stop, kill, restart, freeze and
// thaw it.
func PrivatePostgres(t testing.TB) *backing.Postgres {
	t.Helper()
	shared.requireMain(t)
	dir, err := shared.place("postgres")
	if err != nil {
		t.Fatal(err)
	}
	pg, err := backing.StartPostgres(t.Context(), backing.PostgresOptions{Dir: dir, Throwaway: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { pg.Kill() })
	return pg
}

// PgBouncer starts a PgBouncer in front of a Postgres, for a single test.
func PgBouncer(t testing.TB, before *backing.Postgres) *backingtest.PgBouncer {
	t.Helper()
	shared.requireMain(t)
	dir, err := shared.place("pgbouncer")
	if err != nil {
		t.Fatal(err)
	}
	b, err := backingtest.StartPgBouncer(t.Context(), dir, before.URL("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Kill)
	return b
}

// PrivateRedis starts a Redis for a single test, which may stop, kill, restart, freeze and thaw it.
// It loses its data when it stops.
func PrivateRedis(t testing.TB) *backing.Redis {
	t.Helper()
	shared.requireMain(t)
	dir, err := shared.place("redis")
	if err != nil {
		t.Fatal(err)
	}
	r, err := backing.StartRedis(t.Context(), backing.RedisOptions{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Kill() })
	return r
}

// TLSRedis starts a Redis that also accepts TLS connections, for a single test.
func TLSRedis(t testing.TB, certificate *backingtest.Certificate) *backingtest.TLSRedis {
	t.Helper()
	shared.requireMain(t)
	dir, err := shared.place("redis")
	if err != nil {
		t.Fatal(err)
	}
	r, err := backingtest.StartTLSRedis(t.Context(), dir, certificate)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Kill() })
	return r
}

// RedisCluster starts a Redis Cluster with three nodes, for a single test.
func RedisCluster(t testing.TB) *backingtest.RedisCluster {
	t.Helper()
	shared.requireMain(t)
	dir, err := shared.place("cluster")
	if err != nil {
		t.Fatal(err)
	}
	c, err := backingtest.StartRedisCluster(t.Context(), dir, 3, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Kill)
	return c
}

// ReplicatedRedisCluster starts a Redis Cluster with three masters, each with one replica, for a
// single test.
func ReplicatedRedisCluster(t testing.TB) *backingtest.RedisCluster {
	t.Helper()
	shared.requireMain(t)
	dir, err := shared.place("cluster")
	if err != nil {
		t.Fatal(err)
	}
	c, err := backingtest.StartRedisCluster(t.Context(), dir, 3, 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Kill)
	return c
}

// RedisGroup starts a Redis master with two replicas and Sentinels, for a single test.
func RedisGroup(t testing.TB) *backingtest.RedisGroup {
	t.Helper()
	shared.requireMain(t)
	dir, err := shared.place("group")
	if err != nil {
		t.Fatal(err)
	}
	g, err := backingtest.StartRedisGroup(t.Context(), dir, 2)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(g.Kill)
	return g
}

func loadSettings() (settings, error) { return config.Load[settings](config.OS()) }
