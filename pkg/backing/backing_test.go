package backing_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/redis/go-redis/v9"

	"vitae.internal/pkg/backing"
)

// home returns a directory for server data. t.TempDir is unsuitable because, for root, the servers'
// user cannot enter the directory that it returns.
func home(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "vitae-backing-")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o711); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return filepath.Join(dir, "server")
}

func startPostgres(t *testing.T, dir string) *backing.Postgres {
	t.Helper()
	pg, err := backing.StartPostgres(t.Context(), backing.PostgresOptions{Dir: dir, Throwaway: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pg.Kill)
	return pg
}

func exec(t *testing.T, pg *backing.Postgres, sql string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), pg.URL("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	if _, err := conn.Exec(t.Context(), sql); err != nil {
		t.Fatal(err)
	}
}

func count(t *testing.T, pg *backing.Postgres, sql string) (n int) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), pg.URL("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	if err := conn.QueryRow(t.Context(), sql).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestCommittedRowsSurvivePostgresKill(t *testing.T) {
	dir := home(t)
	pg := startPostgres(t, dir)
	exec(t, pg, "CREATE TABLE kept (n int)")
	exec(t, pg, "INSERT INTO kept VALUES (1), (2)")
	// Kill only the postmaster, as `kill -9` does. The next start finds its workers and its pid
	// file.
	if err := pg.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	<-pg.Done()

	again := startPostgres(t, dir)
	if n := count(t, again, "SELECT count(*) FROM kept"); n != 2 {
		t.Errorf("%d rows after the kill, want 2", n)
	}
}

// The backends are stopped first, so that none of them notices that the postmaster has exited.
func TestKillStopsPostgresBackends(t *testing.T) {
	pg := startPostgres(t, home(t))
	var backends []int
	for range 3 {
		conn, err := pgx.Connect(t.Context(), pg.URL("postgres"))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close(context.Background())
		backends = append(backends, int(conn.PgConn().PID()))
		if err := syscall.Kill(backends[len(backends)-1], syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
	}
	pg.Kill()
	for _, pid := range backends {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			continue // it has exited
		}
		if _, state, _ := strings.Cut(string(stat), ") "); state[0] != 'Z' {
			t.Errorf("a backend is still running after Kill: %s", stat)
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}

func TestStalePIDFileDoesNotPreventStart(t *testing.T) {
	dir := home(t)
	pg := startPostgres(t, dir)
	if err := pg.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	// The id now belongs to a different live process of the same user.
	other := startPostgres(t, home(t))
	stale := filepath.Join(dir, "data", "postmaster.pid")
	if err := os.WriteFile(stale, fmt.Appendln(nil, other.Pid()), 0o600); err != nil {
		t.Fatal(err)
	}
	startPostgres(t, dir)
}

func TestSecondStartReplacesRunningServer(t *testing.T) {
	dir := home(t)
	first := startPostgres(t, dir)
	exec(t, first, "CREATE TABLE kept (n int)")
	second := startPostgres(t, dir)
	<-first.Done()
	if n := count(t, second, "SELECT count(*) FROM kept"); n != 0 {
		t.Errorf("%d rows, want 0", n)
	}
}

func TestPostgresRejectsWrongPassword(t *testing.T) {
	pg := startPostgres(t, home(t))
	config, err := pgx.ParseConfig(pg.URL("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	config.Password = "guess"
	if conn, err := pgx.ConnectConfig(t.Context(), config); err == nil {
		conn.Close(t.Context())
		t.Error("connected with a wrong password")
	}
}

func TestServersRunUnprivilegedUnderRoot(t *testing.T) {
	if os.Geteuid() != 0 {
		// Without root, there is no other user to run as.
		startPostgres(t, filepath.Join(t.TempDir(), "server"))
		return
	}
	closed := t.TempDir() // only root can enter it
	dir := filepath.Join(closed, "clone", ".vitae", "postgres")
	pg := startPostgres(t, dir)
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(real, "/var/lib/vitae/") {
		t.Errorf("data is in %s, want a directory below /var/lib/vitae", real)
	}
	info, err := os.Stat(fmt.Sprintf("/proc/%d", pg.Pid()))
	if err != nil {
		t.Fatal(err)
	}
	if info.Sys().(*syscall.Stat_t).Uid == 0 {
		t.Error("postgres runs as root")
	}
	if err := pg.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := backing.Remove(dir); err != nil {
		t.Fatal(err)
	}
	for _, gone := range []string{dir, real} {
		if _, err := os.Lstat(gone); !os.IsNotExist(err) {
			t.Errorf("%s still exists (%v)", gone, err)
		}
	}
}

func TestRedisPersistsOnlyIfConfigured(t *testing.T) {
	for name, persist := range map[string]bool{"keeps": true, "forgets": false} {
		t.Run(name, func(t *testing.T) {
			r := startRedis(t, backing.RedisOptions{Dir: home(t), Persist: persist})
			client := redisClient(t, r)
			if err := client.Set(t.Context(), "k", "v", 0).Err(); err != nil {
				t.Fatal(err)
			}
			if err := r.Stop(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := r.Restart(t.Context()); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(r.Kill)
			n, err := client.Exists(t.Context(), "k").Result()
			if err != nil {
				t.Fatal(err)
			}
			if kept := n == 1; kept != persist {
				t.Errorf("key exists after a restart: %v, want %v", kept, persist)
			}
		})
	}
}

func TestFrozenRedisCanBeStopped(t *testing.T) {
	r := startRedis(t, backing.RedisOptions{Dir: home(t)})
	if err := r.Freeze(); err != nil {
		t.Fatal(err)
	}
	if err := r.Stop(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestRedisRequiresPassword(t *testing.T) {
	r := startRedis(t, backing.RedisOptions{Dir: home(t)})
	opts, err := redis.ParseURL(r.URL())
	if err != nil {
		t.Fatal(err)
	}
	opts.Password = ""
	client := redis.NewClient(opts)
	defer client.Close()
	if err := client.Ping(t.Context()).Err(); err == nil || !strings.Contains(err.Error(), "NOAUTH") {
		t.Errorf("PING without a password returned %v", err)
	}
}

func startRedis(t *testing.T, o backing.RedisOptions) *backing.Redis {
	t.Helper()
	r, err := backing.StartRedis(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Kill)
	return r
}

func redisClient(t *testing.T, r *backing.Redis) *redis.Client {
	t.Helper()
	opts, err := redis.ParseURL(r.URL())
	if err != nil {
		t.Fatal(err)
	}
	client := redis.NewClient(opts)
	t.Cleanup(func() { _ = client.Close() })
	return client
}
