package servers_test

import (
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"github.com/jackc/pgx/v5"

	"vitae.internal/deploy/standalone/internal/servers"
)

func start(t *testing.T, dir string, passwords map[string]string) *servers.Servers {
	t.Helper()
	s, err := servers.Start(t.Context(), servers.Options{
		PostgresDir: filepath.Join(dir, "postgres"), RedisDir: filepath.Join(dir, "redis"), Passwords: passwords,
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// place is a folder that the servers' user may enter, which t.TempDir is not for
// root.
func place(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "vitae-servers-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o711); err != nil {
		t.Fatal(err)
	}
	return dir
}

func mayConnect(t *testing.T, target string) bool {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), target)
	if err != nil {
		return false
	}
	defer conn.Close(t.Context())
	return conn.Ping(t.Context()) == nil
}

func TestEachServiceReachesItsOwnDatabaseAndNoOther(t *testing.T) {
	s := start(t, place(t), map[string]string{"auth": "one", "candidate": "two"})
	t.Cleanup(func() { _ = s.Stop() })
	for service, own := range s.Postgres {
		if !mayConnect(t, own) {
			t.Errorf("%s cannot reach its own database", service)
		}
		for _, foreign := range []string{"vitae_auth", "vitae_candidate", "postgres", "template1"} {
			if foreign == "vitae_"+service {
				continue
			}
			u, err := url.Parse(own)
			if err != nil {
				t.Fatal(err)
			}
			u.Path = "/" + foreign
			if mayConnect(t, u.String()) {
				t.Errorf("%s may connect to %s", service, foreign)
			}
		}
	}
}

func TestASecondStartFindsTheDatabasesAndTakesNewPasswords(t *testing.T) {
	dir := place(t)
	first := start(t, dir, map[string]string{"auth": "before"})
	if !first.Empty {
		t.Error("new databases are not reported as empty")
	}
	if err := first.Stop(); err != nil {
		t.Fatal(err)
	}
	second := start(t, dir, map[string]string{"auth": "after's"})
	t.Cleanup(func() { _ = second.Stop() })
	if second.Empty {
		t.Error("old databases are reported as empty")
	}
	if !mayConnect(t, second.Postgres["auth"]) {
		t.Error("the new password does not work")
	}
}
