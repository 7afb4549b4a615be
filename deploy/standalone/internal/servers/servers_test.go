package servers_test

import (
	"context"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"github.com/jackc/pgx/v5"

	"vitae.internal/deploy/standalone/internal/servers"
	"vitae.internal/pkg/backing"
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

// place returns a new folder that the servers' user may enter. If root runs the test, that user cannot enter t.TempDir.
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

func servicesReachOnlyTheirDatabases(t *testing.T, s *servers.Servers) {
	t.Helper()
	for service, urls := range s.Postgres {
		for _, own := range []string{urls.Service, urls.Owner} {
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
					t.Errorf("%s may connect to %s as %s", service, foreign, u.User.Username())
				}
			}
		}
	}
}

func TestSecondStartSetsNewPasswords(t *testing.T) {
	dir := place(t)
	first := start(t, dir, map[string]string{"auth": "before", "candidate": "same"})
	if !first.Empty {
		t.Error("new databases are not reported as empty")
	}
	t.Run("services reach only their own databases", func(t *testing.T) { servicesReachOnlyTheirDatabases(t, first) })
	if err := first.Stop(); err != nil {
		t.Fatal(err)
	}
	second := start(t, dir, map[string]string{"auth": "after's", "candidate": "same"})
	t.Cleanup(func() { _ = second.Stop() })
	if second.Empty {
		t.Error("old databases are reported as empty")
	}
	if !mayConnect(t, second.Postgres["auth"].Service) || !mayConnect(t, second.Postgres["auth"].Owner) {
		t.Error("the new password does not work")
	}
}

// The test's server is set up as by Debian's package on a system without a configured locale.
func TestDatabasesAreUTF8OnASCIIServer(t *testing.T) {
	pg, err := backing.StartPostgres(t.Context(), backing.PostgresOptions{Dir: filepath.Join(place(t), "postgres"), Throwaway: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = pg.Stop(context.Background()) })
	run := func(target string, result any, sql string) {
		t.Helper()
		conn, err := pgx.Connect(t.Context(), target)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close(t.Context())
		if result == nil {
			_, err = conn.Exec(t.Context(), sql)
		} else {
			err = conn.QueryRow(t.Context(), sql).Scan(result)
		}
		if err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
	run(pg.URL("postgres"), nil, "ALTER DATABASE template1 IS_TEMPLATE false")
	run(pg.URL("postgres"), nil, "DROP DATABASE template1")
	run(pg.URL("postgres"), nil, "CREATE DATABASE template1 TEMPLATE template0 ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C' IS_TEMPLATE true")
	s, err := servers.Start(t.Context(), servers.Options{
		PostgresURL: pg.URL("postgres"), RedisURL: "redis://127.0.0.1:1", Passwords: map[string]string{"candidate": "one"},
	})
	if err != nil {
		t.Fatal(err)
	}
	own := s.Postgres["candidate"].Owner
	run(own, nil, "CREATE EXTENSION pg_trgm")
	var encoding string
	var trigrams int
	run(own, &encoding, "SHOW server_encoding")
	run(own, &trigrams, "SELECT cardinality(show_trgm('فاطمة'))")
	if encoding != "UTF8" || trigrams == 0 {
		t.Errorf("the database has the encoding %s, and an Arabic name has %d trigrams", encoding, trigrams)
	}
}
