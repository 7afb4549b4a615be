package testkit

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"vitae.internal/pkg/backing"
	"vitae.internal/pkg/postgres"
)

// maxConns is the maximum size of a pool, the same as the default in postgres.Config.
const maxConns = 10

// sharedPostgres is the server that the tests in this binary share.
type sharedPostgres struct {
	url   *url.URL
	admin *pgxpool.Pool

	mu        sync.Mutex
	templates map[string]func() (*template, error)
}

// template is a migrated database that is copied for each test. role owns it, and service is a role
// that does not.
type template struct {
	database string
	role     *url.Userinfo
	service  *url.Userinfo
}

// Database creates a database for a single test, migrated by migrate, and returns its URL. name
// identifies the service, in lower-case letters. Within a test binary, all calls with the same name
// must use the same migrations, because migrate runs only once per name.
func Database(t testing.TB, name string, migrate func(ctx context.Context, url string) error) string {
	t.Helper()
	return databaseOf(t, name, func(ctx context.Context, c postgres.Config) error { return migrate(ctx, c.MigrationURL) }).MigrationURL
}

// OwnedDatabase is like Database, but with two roles, as in a deployment that separates them: the
// service's role (URL) and the owner of the tables (MigrationURL). migrate must grant the service's
// role the privileges that it needs. The name must differ from names passed to Database.
func OwnedDatabase(t testing.TB, name string, migrate func(ctx context.Context, c postgres.Config) error) postgres.Config {
	t.Helper()
	return databaseOf(t, name, migrate)
}

func databaseOf(t testing.TB, name string, migrate func(context.Context, postgres.Config) error) postgres.Config {
	t.Helper()
	shared.requireMain(t)
	pg, err := shared.postgres()
	if err != nil {
		t.Fatal(err)
	}
	tpl, err := pg.template(name, migrate)
	if err != nil {
		t.Fatal(err)
	}
	database := name + "_" + unique()
	if err := pg.create(t.Context(), database, tpl); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), cleanupTimeout)
		defer cancel()
		if err := pg.drop(ctx, database); err != nil {
			t.Error(err)
		}
	})
	return pg.configOf(database, tpl)
}

func (e *environment) openPostgres() (*sharedPostgres, error) {
	s, err := loadSettings()
	if err != nil {
		return nil, err
	}
	// Do not use the test's context, because all tests in the binary use the server.
	ctx := context.Background()
	target := s.PostgresURL
	if target == "" {
		dir, err := e.place("postgres")
		if err != nil {
			return nil, err
		}
		pg, err := backing.StartPostgres(ctx, backing.PostgresOptions{Dir: dir, Throwaway: true})
		if err != nil {
			return nil, err
		}
		e.atEnd(pg.Stop)
		target = pg.URL("postgres")
	}
	parsed, err := url.Parse(target)
	if err != nil {
		return nil, fmt.Errorf("VITAE_TEST_POSTGRES_URL is not a URL")
	}
	admin, err := pgxpool.New(ctx, target)
	if err != nil {
		return nil, fmt.Errorf("open the test postgres: %w", err)
	}
	e.atEnd(func(context.Context) error { admin.Close(); return nil })
	return &sharedPostgres{url: parsed, admin: admin, templates: map[string]func() (*template, error){}}, nil
}

// template returns the template with the given name. The first call creates it. The template
// belongs to this process, so test binaries that share a server never wait for each other and never
// see a template with older migrations.
func (p *sharedPostgres) template(name string, migrate func(context.Context, postgres.Config) error) (*template, error) {
	p.mu.Lock()
	get, ok := p.templates[name]
	if !ok {
		get = sync.OnceValues(func() (*template, error) { return p.makeTemplate(name, migrate) })
		p.templates[name] = get
	}
	p.mu.Unlock()
	return get()
}

func (p *sharedPostgres) makeTemplate(name string, migrate func(context.Context, postgres.Config) error) (*template, error) {
	ctx := context.Background()
	id := "template_" + name + "_" + unique()
	service := "service_" + unique()
	password := rand.Text()
	tpl := &template{database: id, role: url.UserPassword(id, password), service: url.UserPassword(service, password)}
	statements := []string{
		fmt.Sprintf("CREATE ROLE %s LOGIN PASSWORD '%s'", quote(id), password),
		fmt.Sprintf("CREATE ROLE %s LOGIN PASSWORD '%s'", quote(service), password),
		// Lets a test, connected as the owner, see what the service's statements are waiting for.
		fmt.Sprintf("GRANT %s TO %s", quote(service), quote(id)),
		fmt.Sprintf("CREATE DATABASE %s OWNER %s", quote(id), quote(id)),
	}
	for _, sql := range statements {
		if _, err := p.admin.Exec(ctx, sql); err != nil {
			return nil, fmt.Errorf("create the template database of %s: %w", name, err)
		}
	}
	shared.atEnd(func(ctx context.Context) error {
		if err := p.drop(ctx, id); err != nil {
			return err
		}
		_, err := p.admin.Exec(ctx, "DROP ROLE "+quote(id)+", "+quote(service))
		return err
	})
	if err := migrate(ctx, p.configOf(id, tpl)); err != nil {
		return nil, fmt.Errorf("migrate the template database of %s: %w", name, err)
	}
	return tpl, nil
}

func (p *sharedPostgres) create(ctx context.Context, database string, tpl *template) error {
	// With fsync off, file_copy takes half as long as the default strategy, which writes every page
	// to the WAL.
	sql := fmt.Sprintf("CREATE DATABASE %s TEMPLATE %s STRATEGY file_copy OWNER %s",
		quote(database), quote(tpl.database), quote(tpl.role.Username()))
	if _, err := p.admin.Exec(ctx, sql); err != nil {
		return fmt.Errorf("create a test database: %w", err)
	}
	return nil
}

func (p *sharedPostgres) drop(ctx context.Context, database string) error {
	if _, err := p.admin.Exec(ctx, "DROP DATABASE IF EXISTS "+quote(database)+" WITH (FORCE)"); err != nil {
		return fmt.Errorf("drop a test database: %w", err)
	}
	return nil
}

func (p *sharedPostgres) configOf(database string, tpl *template) postgres.Config {
	return postgres.Config{URL: p.urlOf(database, tpl.service), MigrationURL: p.urlOf(database, tpl.role), MaxConns: maxConns}
}

func (p *sharedPostgres) urlOf(database string, role *url.Userinfo) string {
	u := *p.url
	u.User = role
	u.Path = "/" + database
	return u.String()
}

func quote(identifier string) string { return pgx.Identifier{identifier}.Sanitize() }

// unique returns a random suffix for names on a shared server.
func unique() string { return strings.ToLower(rand.Text()[:12]) }
