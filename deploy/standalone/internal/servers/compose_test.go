package servers_test

import (
	"context"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/jackc/pgx/v5"

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

// newEnv gives what new-env.sh adds to an .env.
func newEnv(t *testing.T) map[string]string {
	t.Helper()
	root := t.TempDir()
	file := filepath.Join(root, "deploy", "docker", "new-env.sh")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(read(t, repository+"/deploy/docker/new-env.sh")), 0o600); err != nil {
		t.Fatal(err)
	}
	script(t, file)
	env := map[string]string{}
	for line := range strings.Lines(read(t, filepath.Join(root, ".env"))) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok && !strings.HasPrefix(name, "#") {
			env[name] = value
		}
	}
	return env
}

// cluster is a Postgres that postgres-init.sh has set up, as compose does.
func cluster(t *testing.T, env map[string]string) (admin *url.URL) {
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
	for name, value := range env {
		settings = append(settings, name+"="+value)
	}
	script(t, repository+"/deploy/docker/postgres-init.sh", settings...)
	return admin
}

// settings gives the values of a setting in docker-compose.yml by their database, as URLs
// of the cluster.
func settings(t *testing.T, name string, env map[string]string, admin *url.URL) map[string]string {
	t.Helper()
	urls := map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^ +`+name+`: (postgres:\S+)$`).FindAllStringSubmatch(read(t, repository+"/docker-compose.yml"), -1) {
		u, err := url.Parse(os.Expand(m[1], func(name string) string { return env[name] }))
		if err != nil {
			t.Fatal(err)
		}
		u.Host = admin.Host
		urls[strings.TrimPrefix(u.Path, "/")] = u.String()
	}
	if len(urls) != 3 {
		t.Fatalf("docker-compose.yml has %d values of %s, want one for each service with a database", len(urls), name)
	}
	return urls
}

func TestComposeServesWithARoleThatCannotRewriteTheAuditLog(t *testing.T) {
	env := newEnv(t)
	admin := cluster(t, env)
	owners := settings(t, "VITAE_POSTGRES_MIGRATION_URL", env, admin)
	migrations := fstest.MapFS{"00001_audit.sql": {Data: []byte("-- +goose Up\nCREATE TABLE audit_events (id text PRIMARY KEY);\n")}}
	for database, service := range settings(t, "VITAE_POSTGRES_URL", env, admin) {
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
			t.Errorf("%s: the service may rewrite what is append-only: %v", database, err)
		}
		if _, err := pool.Exec(t.Context(), "INSERT INTO audit_events VALUES ('evt_1')"); err != nil {
			t.Errorf("%s: %v", database, err)
		}
	}
}

func TestComposeKeepsTheDatabasesOfServicesApart(t *testing.T) {
	env := newEnv(t)
	admin := cluster(t, env)
	for _, name := range []string{"VITAE_POSTGRES_URL", "VITAE_POSTGRES_MIGRATION_URL"} {
		for own, target := range settings(t, name, env, admin) {
			for _, database := range []string{"vitae_auth", "vitae_candidate", "vitae_partnercatalog", "postgres", "template1"} {
				u, err := url.Parse(target)
				if err != nil {
					t.Fatal(err)
				}
				u.Path = "/" + database
				if got := mayConnect(t, u.String()); got != (database == own) {
					t.Errorf("%s of %s may connect to %s: %t", name, own, database, got)
				}
			}
		}
	}
}

func TestTheLinesOfTheReadmeGiveAVolumeFromBeforeTheRolesThatServe(t *testing.T) {
	env := newEnv(t)
	admin := cluster(t, env)
	conn, err := pgx.Connect(t.Context(), admin.String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	for _, service := range []string{"auth", "candidate", "partnercatalog"} {
		if _, err := conn.Exec(t.Context(), "REVOKE ALL ON DATABASE vitae_"+service+" FROM vitae_"+service+"_service; DROP ROLE vitae_"+service+"_service"); err != nil {
			t.Fatal(err)
		}
	}
	services := settings(t, "VITAE_POSTGRES_URL", env, admin)
	for database, target := range services {
		if mayConnect(t, target) {
			t.Fatalf("the service of %s connects without its role", database)
		}
	}
	_, lines, _ := strings.Cut(read(t, repository+"/deploy/docker/README.md"), "```sql")
	lines, _, _ = strings.Cut(lines, "```")
	for _, service := range []string{"AUTH", "CANDIDATE", "PARTNERCATALOG"} {
		lines = strings.Replace(lines, "…", env["VITAE_"+service+"_SERVICE_DB_PASSWORD"], 1)
	}
	if _, err := conn.Exec(t.Context(), lines); err != nil {
		t.Fatal(err)
	}
	for database, target := range services {
		if !mayConnect(t, target) {
			t.Errorf("the service of %s cannot connect", database)
		}
	}
}
