package backingtest

import (
	"context"
	"fmt"
	"net/http"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"vitae.internal/pkg/backing"
	"vitae.internal/pkg/backing/internal/server"
)

// startEtcd starts a single-node etcd.
func startEtcd(ctx context.Context, dir string) (*server.Server, error) {
	program, err := server.Program("etcd", "etcd-server")
	if err != nil {
		return nil, err
	}
	home, err := server.MakeHome(dir)
	if err != nil {
		return nil, err
	}
	return server.Launch{
		Name: "etcd", Home: home, End: syscall.SIGTERM,
		Command: func(port int) *exec.Cmd {
			peer, err := server.FreePort()
			at, peers := "http://127.0.0.1:"+strconv.Itoa(port), "http://127.0.0.1:"+strconv.Itoa(peer)
			cmd := exec.Command(program, "--name", "etcd", "--data-dir", filepath.Join(home.Path, "data"), "--enable-v2=true",
				"--listen-client-urls", at, "--advertise-client-urls", at,
				"--listen-peer-urls", peers, "--initial-advertise-peer-urls", peers, "--initial-cluster", "etcd="+peers)
			cmd.Err = err
			return cmd
		},
		Ping: func(ctx context.Context, port int) error { return checkStatus(ctx, port, "health", http.StatusOK) },
	}.Run(ctx)
}

// startProxy starts a HAProxy in front of the group's primary.
func startProxy(ctx context.Context, dir string, g *PostgresGroup) (*server.Server, error) {
	program, err := server.Program("haproxy", "haproxy")
	if err != nil {
		return nil, err
	}
	home, err := server.MakeHome(dir)
	if err != nil {
		return nil, err
	}
	return server.Launch{
		Name: "haproxy", Home: home, End: syscall.SIGTERM,
		Command: func(port int) *exec.Cmd {
			file := filepath.Join(home.Path, "haproxy.cfg")
			cmd := exec.Command(program, "-db", "-f", file)
			cmd.Err = home.Write(file, proxyConfig(g, port))
			return cmd
		},
		Ping: func(ctx context.Context, port int) error {
			// HAProxy balances connections between all servers that it considers primary, so every
			// one must accept them.
			for range 2 * len(g.Nodes) {
				if err := backing.PingPostgres(ctx, g.urlBy(port, "postgres")); err != nil {
					return err
				}
			}
			return nil
		},
	}.Run(ctx)
}

// proxyConfig returns the configuration in docs/operations.md.
func proxyConfig(g *PostgresGroup, port int) []byte {
	lines := []string{
		"global",
		"  maxconn 1000",
		"defaults",
		"  mode tcp",
		"  timeout connect 2s",
		"  timeout client 1h",
		"  timeout server 1h",
		"  timeout check 5s",
		"listen primary",
		"  bind 127.0.0.1:" + strconv.Itoa(port),
		"  option httpchk OPTIONS /primary",
		"  http-check expect status 200",
		"  default-server inter 2s fall 3 rise 1 on-marked-down shutdown-sessions",
	}
	for _, n := range g.Nodes {
		lines = append(lines, fmt.Sprintf("  server %s 127.0.0.1:%d check port %d", n.name, n.port, n.Port))
	}
	return []byte(strings.Join(lines, "\n") + "\n")
}
