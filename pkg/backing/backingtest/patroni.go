package backingtest

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"vitae.internal/pkg/backing"
	"vitae.internal/pkg/backing/internal/server"
)

const (
	// patroniTimeout limits a request to Patroni.
	patroniTimeout = 2 * time.Second
	// groupTimeout is long enough to create or copy servers on a loaded machine.
	groupTimeout = 4 * time.Minute
)

// PostgresGroup is a running Postgres primary with synchronous standbys. Patroni runs each server
// and promotes standbys, etcd stores which server is the primary, and HAProxy routes clients to it.
type PostgresGroup struct {
	// Nodes lists the servers. The first one is the initial primary.
	Nodes []*PostgresNode

	password string
	etcd     *server.Server
	proxy    *server.Server
}

// PostgresNode is a running Patroni with its Postgres server.
type PostgresNode struct {
	*server.Server // Patroni; Port is the port of its REST API
	name           string
	port           int // the port of Postgres
	data           string
	again          server.Launch
}

// StartPostgresGroup starts a primary with standbys in directories below dir, and waits until every
// standby is synchronous. ctx limits only the start.
func StartPostgresGroup(ctx context.Context, dir string, standbys int) (_ *PostgresGroup, err error) {
	g := &PostgresGroup{password: server.NewPassword()}
	defer func() {
		if err != nil {
			g.Kill()
		}
	}()
	programs, err := server.PostgresPrograms(ctx, 0)
	if err != nil {
		return nil, err
	}
	if g.etcd, err = startEtcd(ctx, filepath.Join(dir, "etcd")); err != nil {
		return nil, err
	}
	for i := range 1 + standbys {
		n, err := g.startNode(ctx, dir, "pg"+strconv.Itoa(i), programs, standbys)
		if err != nil {
			return nil, err
		}
		g.Nodes = append(g.Nodes, n)
		if i == 0 { // the standbys copy it
			if err := awaitWithin(ctx, groupTimeout, "the postgres primary was not created", func(ctx context.Context) (bool, error) { return n.hasRole(ctx, "primary") }); err != nil {
				return nil, err
			}
		}
	}
	if err := g.AwaitStandbys(ctx, standbys); err != nil {
		return nil, err
	}
	g.proxy, err = startProxy(ctx, filepath.Join(dir, "haproxy"), g)
	return g, err
}

// URL returns the superuser's connection string for the primary, through HAProxy.
func (g *PostgresGroup) URL(database string) string { return g.urlBy(g.proxy.Port, database) }

// urlBy returns the connection string through a proxy. It also rejects standbys, because HAProxy
// uses every server until its first health checks after the start.
func (g *PostgresGroup) urlBy(proxy int, database string) string {
	return backing.PostgresURL(g.password, proxy, database) + "&target_session_attrs=read-write"
}

// HostsURL returns the superuser's connection string with every server. Clients choose the primary
// themselves.
func (g *PostgresGroup) HostsURL(database string) string {
	var hosts []string
	for _, n := range g.Nodes {
		hosts = append(hosts, "127.0.0.1:"+strconv.Itoa(n.port))
	}
	u := url.URL{
		Scheme: "postgres", User: url.UserPassword(backing.Superuser, g.password), Host: strings.Join(hosts, ","), Path: "/" + database,
		RawQuery: "sslmode=disable&target_session_attrs=read-write",
	}
	return u.String()
}

// Primary returns the server that accepts writes, according to Patroni.
func (g *PostgresGroup) Primary(ctx context.Context) (*PostgresNode, error) {
	var faults []error
	for _, n := range g.Nodes {
		leads, err := n.hasRole(ctx, "primary")
		if leads {
			return n, nil
		}
		faults = append(faults, err)
	}
	return nil, errors.Join(append(faults, errors.New("no postgres server is the primary"))...)
}

// AwaitStandbys waits until at least the given number of standbys are synchronous.
func (g *PostgresGroup) AwaitStandbys(ctx context.Context, standbys int) error {
	return awaitWithin(ctx, groupTimeout, "the postgres standbys are not synchronous", func(ctx context.Context) (bool, error) {
		following := 0
		for _, n := range g.Nodes {
			if yes, _ := n.hasRole(ctx, "synchronous"); yes { // a dead standby is not counted
				following++
			}
		}
		return following >= standbys, nil
	})
}

// Kill kills all processes of the group.
func (g *PostgresGroup) Kill() {
	for _, n := range g.Nodes {
		n.Kill()
	}
	for _, s := range []*server.Server{g.proxy, g.etcd} {
		if s != nil {
			s.Kill()
		}
	}
}

// hasRole reports whether the server has the given role according to Patroni: "primary", "replica"
// or "synchronous".
func (n *PostgresNode) hasRole(ctx context.Context, role string) (bool, error) {
	status, err := askPatroni(ctx, n.Port, role)
	return status == http.StatusOK, err
}

// Kill kills Patroni and its Postgres, as if their machine had failed.
func (n *PostgresNode) Kill() {
	n.Server.Kill()
	// Postgres has its own session, so killing Patroni does not kill it.
	_ = server.EndLeftovers(context.Background(), n.data, "postgres")
}

// Restart starts a killed server again. Patroni makes it a standby if there is a primary.
func (n *PostgresNode) Restart(ctx context.Context) error {
	n.Kill()
	s, err := n.again.Run(ctx)
	if err != nil {
		return err
	}
	n.Server = s
	return nil
}

// Freeze stops Patroni and Postgres while their connections stay open, as if their machine were
// hanging.
func (n *PostgresNode) Freeze() error { return n.signalAll(unix.SIGSTOP) }

// Thaw resumes a frozen server.
func (n *PostgresNode) Thaw() error { return n.signalAll(unix.SIGCONT) }

// FreezePostgres stops only Postgres.
func (n *PostgresNode) FreezePostgres() error { return n.signalPostgres(unix.SIGSTOP) }

func (n *PostgresNode) signalAll(s syscall.Signal) error {
	return errors.Join(n.Signal(s), n.signalPostgres(s))
}

func (n *PostgresNode) signalPostgres(s syscall.Signal) error {
	// The second pass finds processes that start during the first.
	for range 2 {
		pids, err := server.WorkingIn(n.data, "postgres")
		if err != nil {
			return err
		}
		for _, pid := range pids {
			_ = syscall.Kill(pid, s) // it may have exited in the meantime
		}
	}
	return nil
}

func (g *PostgresGroup) startNode(ctx context.Context, dir, name, programs string, standbys int) (*PostgresNode, error) {
	program, err := server.Program("patroni", "patroni")
	if err != nil {
		return nil, err
	}
	home, err := server.MakeHome(filepath.Join(dir, name))
	if err != nil {
		return nil, err
	}
	n := &PostgresNode{name: name, data: filepath.Join(home.Path, "data")}
	if n.port, err = server.FreePort(); err != nil {
		return nil, err
	}
	file := filepath.Join(home.Path, "patroni.yml")
	n.again = server.Launch{
		Name: "patroni", Home: home, End: syscall.SIGTERM,
		Command: func(port int) *exec.Cmd {
			cmd := exec.Command(program, file)
			cmd.Err = home.Write(file, g.patroniConfig(n, port, programs, standbys))
			return cmd
		},
		Ping: func(ctx context.Context, port int) error {
			_, err := askPatroni(ctx, port, "liveness")
			return err
		},
	}
	if n.Server, err = n.again.Run(ctx); err != nil {
		return nil, err
	}
	n.again.Port = n.Port
	return n, nil
}

// patroniConfig returns Patroni's configuration as JSON, which is also valid YAML. The "dcs" part
// matches docs/operations.md.
func (g *PostgresGroup) patroniConfig(n *PostgresNode, port int, programs string, standbys int) []byte {
	type object = map[string]any
	local := func(port int) string { return "127.0.0.1:" + strconv.Itoa(port) }
	raw, _ := json.Marshal(object{ // strings and numbers can always be encoded
		"scope": "vitae", "name": n.name,
		"restapi": object{"listen": local(port), "connect_address": local(port)},
		// Over version 3 of etcd's API, Patroni before 3.0.3 (Debian 12) lets a primary that hung
		// for longer than the ttl replace the promoted server, which loses that server's commits.
		"etcd": object{"host": local(g.etcd.Port)},
		"bootstrap": object{
			"dcs": object{
				"ttl": 20, "loop_wait": 2, "retry_timeout": 5,
				"synchronous_mode": true, "synchronous_mode_strict": true, "synchronous_node_count": standbys,
				"postgresql": object{"use_pg_rewind": true, "use_slots": true},
			},
			"initdb": []any{object{"encoding": "UTF8"}, object{"locale": "C.UTF-8"}, "data-checksums"},
		},
		"postgresql": object{
			"listen": local(n.port), "connect_address": local(n.port), "data_dir": n.data, "bin_dir": programs,
			"pgpass": filepath.Join(filepath.Dir(n.data), "pgpass"),
			"authentication": object{
				"superuser":   object{"username": backing.Superuser, "password": g.password},
				"replication": object{"username": "vitae_replication", "password": g.password},
				"rewind":      object{"username": "vitae_rewind", "password": g.password},
			},
			"pg_hba": []string{"host all all 127.0.0.1/32 scram-sha-256", "host replication vitae_replication 127.0.0.1/32 scram-sha-256"},
			"parameters": object{
				"synchronous_commit": "on", "unix_socket_directories": "", "password_encryption": "scram-sha-256",
				"max_connections": 200, "timezone": "UTC",
				"fsync": "off", // writes survive kill -9; no test makes the machine fail
			},
		},
	})
	return raw
}

// askPatroni returns the HTTP status of Patroni's endpoint for a role.
func askPatroni(ctx context.Context, port int, role string) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, patroniTimeout)
	defer cancel()
	return status(ctx, port, role)
}
