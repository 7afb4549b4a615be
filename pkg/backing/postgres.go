package backing

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/jackc/pgx/v5"

	"vitae.internal/pkg/backing/internal/server"
)

// Superuser is the name of the superuser.
const Superuser = "vitae"

// PostgresOptions configures a private Postgres. Dir is required.
type PostgresOptions struct {
	// Dir contains the database cluster, its log and the superuser's password. It is created if it
	// does not exist.
	Dir string
	// Port is the port on 127.0.0.1, or 0 for any free port.
	Port int
	// Throwaway trades durability for speed in tests: the data may be lost if the machine crashes,
	// but not if a process is killed.
	Throwaway bool
	// MaxConnections is the value of max_connections. The default is 200.
	MaxConnections int
}

// Postgres is a running private Postgres.
type Postgres struct {
	*server.Server
	options  PostgresOptions
	password string
}

// StartPostgres creates the database cluster if it does not exist, starts the server, and waits
// until it responds. ctx limits only the start.
func StartPostgres(ctx context.Context, o PostgresOptions) (*Postgres, error) {
	if o.Dir == "" {
		return nil, errors.New("start postgres: no directory given")
	}
	if o.MaxConnections == 0 {
		o.MaxConnections = 200
	}
	home, err := server.MakeHome(o.Dir)
	if err != nil {
		return nil, err
	}
	password, err := server.KeptPassword(filepath.Join(home.Path, "superuser.password"))
	if err != nil {
		return nil, err
	}
	c := cluster{data: filepath.Join(home.Path, "data"), home: home, throwaway: o.Throwaway}
	if err := c.prepare(ctx, password); err != nil {
		return nil, err
	}
	s, err := server.Launch{
		Name: "postgres", Home: home, Port: o.Port, End: syscall.SIGINT,
		Command: func(port int) *exec.Cmd { return c.command(port, o.MaxConnections) },
		Ping: func(ctx context.Context, port int) error {
			return PingPostgres(ctx, PostgresURL(password, port, "postgres"))
		},
	}.Run(ctx)
	if err != nil {
		return nil, err
	}
	o.Port = s.Port
	return &Postgres{Server: s, options: o, password: password}, nil
}

// URL returns the superuser's connection string for a database.
func (p *Postgres) URL(database string) string {
	return PostgresURL(p.password, p.Port, database)
}

// Stop stops the server, which rolls back open transactions. It returns an error if the server had
// to be killed; even then, no commit is lost.
func (p *Postgres) Stop(ctx context.Context) error {
	// A frozen process handles the signal only after it is thawed.
	if err := p.Thaw(); err != nil {
		return err
	}
	return p.Server.Stop(ctx)
}

// Restart starts a stopped or killed server again, on the same port.
func (p *Postgres) Restart(ctx context.Context) error {
	p.Kill()
	next, err := StartPostgres(ctx, p.options)
	if err != nil {
		return err
	}
	p.Server = next.Server
	return nil
}

// PostgresURL returns the superuser's connection string for a database.
func PostgresURL(password string, port int, database string) string {
	u := url.URL{
		Scheme:   "postgres",
		User:     url.UserPassword(Superuser, password),
		Host:     net.JoinHostPort("127.0.0.1", strconv.Itoa(port)),
		Path:     "/" + database,
		RawQuery: "sslmode=disable", // the server listens only on loopback
	}
	return u.String()
}

func PingPostgres(ctx context.Context, target string) error {
	conn, err := pgx.Connect(ctx, target)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, "SELECT 1")
	return err
}

type cluster struct {
	data      string
	home      server.Home
	throwaway bool
	programs  string
}

// prepare kills leftover processes of an earlier run, and creates the database cluster if it does
// not exist.
func (c *cluster) prepare(ctx context.Context, password string) error {
	version, err := server.DataVersion(c.data)
	if err != nil {
		return err
	}
	if c.programs, err = server.PostgresPrograms(ctx, version); err != nil {
		return err
	}
	if version == 0 {
		return c.initialize(ctx, password)
	}
	if err := server.EndLeftovers(ctx, c.data, "postgres"); err != nil {
		return err
	}
	// No server is running here now, so the file is stale. Postgres would not start if an unrelated
	// process of the same user had the id in the file.
	if err := os.Remove(filepath.Join(c.data, "postmaster.pid")); err != nil && !os.IsNotExist(err) {
		return fmt.Errorf("remove a stale postmaster.pid: %w", err)
	}
	return nil
}

// initialize creates the database cluster in a temporary folder and renames the folder when it is
// complete, so that an interrupted start leaves no incomplete cluster.
func (c *cluster) initialize(ctx context.Context, password string) error {
	fresh := c.data + ".new"
	if err := os.RemoveAll(fresh); err != nil {
		return fmt.Errorf("create the cluster: %w", err)
	}
	passwordFile := c.data + ".password"
	if err := c.home.Write(passwordFile, []byte(password+"\n")); err != nil {
		return fmt.Errorf("create the cluster: %w", err)
	}
	defer os.Remove(passwordFile)
	args := []string{
		"--pgdata=" + fresh, "--username=" + Superuser, "--pwfile=" + passwordFile,
		"--auth=scram-sha-256", "--encoding=UTF8", "--locale=C.UTF-8",
	}
	if c.throwaway {
		args = append(args, "--no-sync")
	}
	cmd := exec.CommandContext(ctx, filepath.Join(c.programs, "initdb"), args...)
	cmd.Dir = filepath.Dir(c.data)
	c.home.Lower(cmd)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("create the cluster: initdb: %w\n%s", err, strings.TrimSpace(string(out)))
	}
	if err := os.Rename(fresh, c.data); err != nil {
		return fmt.Errorf("create the cluster: %w", err)
	}
	return nil
}

func (c *cluster) command(port, maxConnections int) *exec.Cmd {
	settings := []string{
		"listen_addresses=127.0.0.1",
		"port=" + strconv.Itoa(port),
		"unix_socket_directories=", // the path of a socket could be in use or too long
		"max_connections=" + strconv.Itoa(maxConnections),
		"password_encryption=scram-sha-256",
		"timezone=UTC",
		"log_timezone=UTC",
	}
	buffers := "256MB" // enough for a search among a million applicants to stay in memory
	if c.throwaway {
		// Each connection maps the buffers, and dropping a database scans all of them.
		buffers = "64MB"
		// Commits are still written before the server responds, so kill -9 loses none. The shared
		// memory of a killed server is deleted with its folder.
		settings = append(settings, "fsync=off", "full_page_writes=off", "dynamic_shared_memory_type=mmap")
	}
	settings = append(settings, "shared_buffers="+buffers)
	args := []string{"-D", c.data}
	for _, s := range settings {
		args = append(args, "-c", s)
	}
	cmd := exec.Command(filepath.Join(c.programs, "postgres"), args...)
	cmd.Dir = c.data
	return cmd
}
