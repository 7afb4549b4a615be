package servers

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/jackc/pgx/v5"
)

const (
	// prefix is the prefix of the names of databases and roles.
	prefix = "vitae_"
	// suffix is the suffix of the names of roles that serve requests.
	suffix = "_service"
)

// URLs holds the connection URLs of a service's database.
type URLs struct {
	// Service connects as the role that serves requests. Owner connects as the role that owns the tables and runs the
	// migrations.
	Service, Owner string
}

// provide creates missing roles and databases through the admin URL, and returns the URLs of each service's database.
// Service URLs have the host of the service URL, and Owner URLs have the host of the admin URL. If private is true,
// only this stack uses the cluster, and provide prevents the roles from connecting to other databases. empty is true if
// no database existed.
func provide(ctx context.Context, service, admin string, passwords map[string]string, private bool) (urls map[string]URLs, empty bool, err error) {
	serving, err := url.Parse(service)
	owning, err2 := url.Parse(admin)
	if err != nil || err2 != nil || serving.Host == "" || owning.Host == "" {
		return nil, false, errors.New("VITAE_POSTGRES_URL and VITAE_POSTGRES_MIGRATION_URL must be URLs such as postgres://user:password@host:5432/postgres")
	}
	conn, err := pgx.Connect(ctx, admin)
	if err != nil {
		return nil, false, fmt.Errorf("connect to postgres: %w", err)
	}
	defer conn.Close(ctx)
	urls, empty = map[string]URLs{}, true
	for service, password := range passwords {
		name := prefix + service
		made, err := provideOne(ctx, conn, name, password)
		if err != nil {
			return nil, false, fmt.Errorf("database of %s: %w", service, err)
		}
		empty = empty && made
		as := func(way *url.URL, role string) string {
			own := *way
			own.User, own.Path = url.UserPassword(role, password), "/"+name
			return own.String()
		}
		urls[service] = URLs{Service: as(serving, name+suffix), Owner: as(owning, name)}
	}
	if private {
		if _, err := conn.Exec(ctx, "REVOKE CONNECT ON DATABASE postgres, template1 FROM PUBLIC"); err != nil {
			return nil, false, fmt.Errorf("revoke access to other databases: %w", err)
		}
	}
	return urls, empty, nil
}

// provideOne creates a database and its two roles, and reports whether the database is new. The owner migrates the
// database, and the migrations grant rights to the service's role. No other role may connect. Both roles have the same
// password, because a local stack stores them in the same place.
func provideOne(ctx context.Context, conn *pgx.Conn, name, password string) (made bool, err error) {
	for _, role := range []string{name, name + suffix} {
		if err := provideRole(ctx, conn, role, password); err != nil {
			return false, err
		}
	}
	var there bool
	if err := conn.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)", name).Scan(&there); err != nil {
		return false, err
	}
	id := pgx.Identifier{name}.Sanitize()
	if !there {
		if err := create(ctx, conn, id); err != nil {
			return false, err
		}
	}
	role := pgx.Identifier{name + suffix}.Sanitize()
	// Behind a pooler, a service cannot set timeouts on its connections.
	_, err = conn.Exec(ctx, fmt.Sprintf("REVOKE ALL ON DATABASE %s FROM PUBLIC; GRANT CONNECT ON DATABASE %s TO %s;"+
		"ALTER ROLE %s SET statement_timeout = '15s'; ALTER ROLE %s SET idle_in_transaction_session_timeout = '15s'",
		id, id, role, role, role))
	return !there, err
}

// knowsLetters is a query that reports whether new databases have UTF-8 and a locale that recognizes the letters of
// every script. Trigram indexes on names need both. The query also returns true if the server has no such locale.
const knowsLetters = `SELECT pg_encoding_to_char(encoding) = 'UTF8' AND datctype NOT IN ('C', 'POSIX')
	OR NOT EXISTS (SELECT FROM pg_collation WHERE lower(collname) IN ('c.utf-8', 'c.utf8'))
FROM pg_database WHERE datname = 'template1'`

// create creates a database owned by the role of the same name. It sets the encoding and locale if the server was set
// up without a locale, as in many containers, and would use SQL_ASCII and C.
func create(ctx context.Context, conn *pgx.Conn, id string) error {
	var fits bool
	if err := conn.QueryRow(ctx, knowsLetters).Scan(&fits); err != nil {
		return err
	}
	sql := fmt.Sprintf("CREATE DATABASE %s OWNER %s", id, id)
	if !fits {
		sql += " TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C.UTF-8' LC_CTYPE 'C.UTF-8'"
	}
	_, err := conn.Exec(ctx, sql)
	return err
}

func provideRole(ctx context.Context, conn *pgx.Conn, name, password string) error {
	var there bool
	if err := conn.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = $1)", name).Scan(&there); err != nil {
		return err
	}
	verb := "CREATE"
	if there {
		verb = "ALTER"
	}
	// These statements have no parameters.
	_, err := conn.Exec(ctx, fmt.Sprintf("%s ROLE %s LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD '%s'",
		verb, pgx.Identifier{name}.Sanitize(), strings.ReplaceAll(password, "'", "''")))
	return err
}
