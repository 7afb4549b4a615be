//go:build upgrade

package upgrade_test

import (
	"crypto/rand"
	"encoding/base64"
	"net/url"
	"os"
	"testing"

	"github.com/jackc/pgx/v5"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/suite"
	"vitae.internal/pkg/backing"
	"vitae.internal/pkg/mtls"
)

// stores lists the services with a database.
var stores = []string{"auth", "partnercatalog", "candidate"}

// servers holds what both releases share: databases, Redis, keys, certificates and resumes.
type servers struct {
	dir string
	pg  *backing.Postgres
	// owner and service hold the URLs of each database, with the role that migrates it and with the
	// role of the running service. Only the second role detects a missing grant.
	owner, service map[string]string
	// settings holds the common settings of both releases.
	settings []string
}

func startServers(t *testing.T) *servers {
	t.Helper()
	s := &servers{dir: expect.Must(os.MkdirTemp(suite.Scratch, "upgrade-"))(t), owner: map[string]string{}, service: map[string]string{}}
	if err := os.Chmod(s.dir, 0o711); err != nil {
		t.Fatal(err)
	}
	s.pg = expect.Must(backing.StartPostgres(t.Context(), backing.PostgresOptions{Dir: s.dir + "/postgres", Throwaway: true}))(t)
	t.Cleanup(s.pg.Kill)
	redis := expect.Must(backing.StartRedis(t.Context(), backing.RedisOptions{Dir: s.dir + "/redis"}))(t)
	t.Cleanup(redis.Kill)
	admin := expect.Must(pgx.Connect(t.Context(), s.pg.URL("postgres")))(t)
	defer admin.Close(t.Context())
	for _, name := range stores {
		for _, statement := range []string{
			"CREATE ROLE " + name + "_owner LOGIN PASSWORD 'owner'",
			"CREATE ROLE " + name + "_service LOGIN PASSWORD 'service'",
			"CREATE DATABASE " + name + " OWNER " + name + "_owner",
			"GRANT CONNECT ON DATABASE " + name + " TO " + name + "_service",
		} {
			expect.Must(admin.Exec(t.Context(), statement))(t)
		}
		s.owner[name], s.service[name] = s.as(t, name, "owner"), s.as(t, name, "service")
	}
	if err := mtls.Issue(s.dir+"/tls", "auth", "partnercatalog", "candidate", "cvrender", "gateway", "vitaectl", "internal"); err != nil {
		t.Fatal(err)
	}
	s.settings = []string{
		"VITAE_CV_LINK_KEYS=" + ring(), "VITAE_COOKIE_KEYS=" + ring(), "VITAE_RECORD_KEYS=" + ring(), "VITAE_BLOB_SIGNING_KEYS=" + ring(),
		"VITAE_BLOB_URL=file://" + s.dir + "/resumes?create_dir=true", "VITAE_REDIS_URL=" + redis.URL(), suite.NoTiers,
	}
	return s
}

// as returns the URL of a database with one of its roles.
func (s *servers) as(t *testing.T, database, role string) string {
	t.Helper()
	u := expect.Must(url.Parse(s.pg.URL(database)))(t)
	u.User = url.UserPassword(database+"_"+role, role)
	return u.String()
}

// schema returns the number of the newest migration of a database.
func (s *servers) schema(t *testing.T, database string) (version int64) {
	t.Helper()
	conn := expect.Must(pgx.Connect(t.Context(), s.owner[database]))(t)
	defer conn.Close(t.Context())
	if err := conn.QueryRow(t.Context(), "SELECT max(version_id) FROM goose_db_version").Scan(&version); err != nil {
		t.Fatal(err)
	}
	return version
}

// ring returns a key ring with one random key of 32 bytes.
func ring() string {
	raw := make([]byte, 32)
	_, _ = rand.Read(raw) // does not fail
	return "upgrade:" + base64.StdEncoding.EncodeToString(raw)
}
