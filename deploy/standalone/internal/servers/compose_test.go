package servers_test

import (
	"context"
	"errors"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"vitae.internal/pkg/backing"
	"vitae.internal/pkg/postgres"
)

const repository = "../../../.."

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// script runs one of the deployment's scripts.
func script(t *testing.T, file string, env ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sh", file)
	cmd.Env = append(os.Environ(), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", file, err, out)
	}
}

// newSecrets runs new-env.sh next to an .env file with the given content, and returns the folder with the secrets
// that the script creates.
func newSecrets(t *testing.T, env string) string {
	t.Helper()
	root := t.TempDir()
	file := filepath.Join(root, "deploy", "docker", "new-env.sh")
	acl := filepath.Join(root, "pkg", "redisacl", "users.acl")
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.MkdirAll(filepath.Dir(acl), 0o700)); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		file: read(t, repository+"/deploy/docker/new-env.sh"), acl: read(t, repository+"/pkg/redisacl/users.acl"), filepath.Join(root, ".env"): env,
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	script(t, file)
	return filepath.Join(root, "secrets")
}

// cluster starts a Postgres server, runs postgres-init.sh on it as compose does, and returns its superuser's URL.
func cluster(t *testing.T, secrets string) (admin *url.URL) {
	t.Helper()
	pg, err := backing.StartPostgres(t.Context(), backing.PostgresOptions{Dir: filepath.Join(place(t), "postgres"), Throwaway: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = pg.Stop(context.Background()) })
	admin, err = url.Parse(pg.URL("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	password, _ := admin.User.Password()
	settings := []string{"POSTGRES_USER=" + admin.User.Username(), "PGPASSWORD=" + password, "PGHOST=" + admin.Hostname(), "PGPORT=" + admin.Port()}
	script(t, repository+"/deploy/docker/postgres-init.sh", append(settings, "SECRETS="+secrets)...)
	return admin
}

// urls returns the service URLs of one kind ("postgres_url" or "postgres_migration_url") by database, with the host of
// the cluster.
func urls(t *testing.T, kind, secrets string, admin *url.URL) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, service := range []string{"auth", "candidate", "partnercatalog"} {
		if setting := "VITAE_" + strings.ToUpper(kind) + "_FILE: /run/secrets/" + service + "_" + kind + "\n"; !strings.Contains(read(t, repository+"/docker-compose.yml"), setting) {
			t.Fatalf("docker-compose.yml lacks %s", setting)
		}
		u, err := url.Parse(read(t, filepath.Join(secrets, service+"_"+kind)))
		if err != nil {
			t.Fatal(err)
		}
		u.Host = admin.Host
		all[strings.TrimPrefix(u.Path, "/")] = u.String()
	}
	return all
}

func TestComposeSeparatesDatabases(t *testing.T) {
	secrets := newSecrets(t, "")
	admin := cluster(t, secrets)
	t.Run("services are separated", func(t *testing.T) { databasesAreApart(t, secrets, admin) })
	t.Run("services cannot rewrite the audit log", func(t *testing.T) { serviceCannotRewriteTheAuditLog(t, secrets, admin) })
}

func serviceCannotRewriteTheAuditLog(t *testing.T, secrets string, admin *url.URL) {
	owners := urls(t, "postgres_migration_url", secrets, admin)
	migrations := fstest.MapFS{"00001_audit.sql": {Data: []byte("-- +goose Up\nCREATE TABLE audit_events (id text PRIMARY KEY);\n")}}
	for database, service := range urls(t, "postgres_url", secrets, admin) {
		config := postgres.Config{URL: service, MigrationURL: owners[database], MaxConns: 1}
		if err := config.Migrate(t.Context(), migrations, "audit_events"); err != nil {
			t.Errorf("%s: %v", database, err)
			continue
		}
		pool, err := postgres.Open(t.Context(), config)
		if err != nil {
			t.Fatal(err)
		}
		defer pool.Close()
		if only, err := postgres.IsAppendOnly(t.Context(), pool, "audit_events"); err != nil || !only {
			t.Errorf("%s: the service may rewrite append-only tables: %v", database, err)
		}
		if _, err := pool.Exec(t.Context(), "INSERT INTO audit_events VALUES ('evt_1')"); err != nil {
			t.Errorf("%s: %v", database, err)
		}
	}
}

func databasesAreApart(t *testing.T, secrets string, admin *url.URL) {
	for _, name := range []string{"postgres_url", "postgres_migration_url"} {
		for own, target := range urls(t, name, secrets, admin) {
			for _, database := range []string{"vitae_auth", "vitae_candidate", "vitae_partnercatalog", "postgres", "template1"} {
				u, err := url.Parse(target)
				if err != nil {
					t.Fatal(err)
				}
				u.Path = "/" + database
				if got := mayConnect(t, u.String()); got != (database == own) {
					t.Errorf("the %s of %s may connect to %s: %t", name, own, database, got)
				}
			}
		}
	}
}

func TestNewEnvKeepsSettings(t *testing.T) {
	secrets := newSecrets(t, "VITAE_BASE_URL=https://x")
	env := read(t, filepath.Join(secrets, "..", ".env"))
	for _, line := range []string{"VITAE_BASE_URL=https://x\n", "COMPOSE_PROJECT_NAME=vitae\n"} {
		if !strings.Contains(env, line) {
			t.Errorf("%q is not in .env:\n%s", line, env)
		}
	}
	if info, err := os.Stat(secrets); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder of secrets: %v, %v", info.Mode(), err)
	}
}
