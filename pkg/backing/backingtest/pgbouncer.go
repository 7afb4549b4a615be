package backingtest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"vitae.internal/pkg/backing"
	"vitae.internal/pkg/backing/internal/server"
)

// PgBouncer is a running PgBouncer in transaction mode.
type PgBouncer struct {
	*server.Server
	upstream *url.URL
}

// StartPgBouncer starts a PgBouncer in front of a Postgres server. upstream is a superuser's URL
// for that server, from which PgBouncer reads the passwords of the other roles.
func StartPgBouncer(ctx context.Context, dir, upstream string) (*PgBouncer, error) {
	to, err := url.Parse(upstream)
	if err != nil || to.User == nil {
		return nil, errors.New("start pgbouncer: the URL is invalid or has no user")
	}
	program, err := server.Program("pgbouncer", "pgbouncer")
	if err != nil {
		return nil, err
	}
	b := &PgBouncer{upstream: to}
	home, err := server.MakeHome(dir)
	if err != nil {
		return nil, err
	}
	b.Server, err = server.Launch{
		Name: "pgbouncer", Home: home, End: syscall.SIGINT,
		Command: func(port int) *exec.Cmd {
			file, users := filepath.Join(home.Path, "pgbouncer.ini"), filepath.Join(home.Path, "users.txt")
			cmd := exec.Command(program, file)
			password, _ := to.User.Password()
			cmd.Err = errors.Join(home.Write(file, bouncerConfig(to, port, users)),
				home.Write(users, fmt.Appendf(nil, "%q %q\n", to.User.Username(), password)))
			return cmd
		},
		Ping: func(ctx context.Context, port int) error { return backing.PingPostgres(ctx, b.url(port, "postgres")) },
	}.Run(ctx)
	if err != nil {
		return nil, err
	}
	return b, nil
}

// URL returns the superuser's connection string for a database, through PgBouncer.
func (b *PgBouncer) URL(database string) string { return b.url(b.Port, database) }

func (b *PgBouncer) url(port int, database string) string {
	u := url.URL{
		Scheme: "postgres", User: b.upstream.User, Host: net.JoinHostPort("127.0.0.1", strconv.Itoa(port)), Path: "/" + database,
		RawQuery: "sslmode=disable",
	}
	return u.String()
}

// bouncerConfig returns the configuration in docs/operations.md.
func bouncerConfig(to *url.URL, port int, users string) []byte {
	return []byte(strings.Join([]string{
		"[databases]",
		"* = host=" + to.Hostname() + " port=" + to.Port(),
		"[pgbouncer]",
		"listen_addr = 127.0.0.1",
		"listen_port = " + strconv.Itoa(port),
		"unix_socket_dir =",
		"auth_type = scram-sha-256",
		"auth_file = " + users,
		"auth_user = " + to.User.Username(),
		"stats_users = " + to.User.Username(),
		"pool_mode = transaction",
		"max_client_conn = 1000",
		"default_pool_size = 20",
		// Retry soon, so that a new primary is found as soon as it serves.
		"server_login_retry = 1",
		"server_connect_timeout = 3",
		"query_wait_timeout = 15",
	}, "\n") + "\n")
}
