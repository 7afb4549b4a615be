package backing

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// startEtcd starts an etcd of one node.
func startEtcd(ctx context.Context, dir string) (*server, error) {
	program, err := exec.LookPath("etcd")
	if err != nil {
		return nil, &MissingProgramError{Program: "etcd", Package: "etcd-server"}
	}
	return launchIn(ctx, dir, launch{
		name: "etcd", end: syscall.SIGTERM,
		ping: func(ctx context.Context, port int) error { return answersHTTP(ctx, port, "/health") },
	}, func(home string, port int) *exec.Cmd {
		peer, err := freePort()
		at, peers := "http://127.0.0.1:"+strconv.Itoa(port), "http://127.0.0.1:"+strconv.Itoa(peer)
		cmd := exec.Command(program, "--name", "etcd", "--data-dir", filepath.Join(home, "data"), "--enable-v2=true",
			"--listen-client-urls", at, "--advertise-client-urls", at,
			"--listen-peer-urls", peers, "--initial-advertise-peer-urls", peers, "--initial-cluster", "etcd="+peers)
		cmd.Err = err
		return cmd
	})
}

// startProxy starts a HAProxy that leads to the primary of a group.
func startProxy(ctx context.Context, dir string, g *PostgresGroup) (*server, error) {
	program, err := sbin("haproxy")
	if err != nil {
		return nil, err
	}
	return launchIn(ctx, dir, launch{
		name: "haproxy", end: syscall.SIGTERM,
		ping: func(ctx context.Context, port int) error {
			// In turns it leads to every server that it takes for the primary.
			for range 2 * len(g.Nodes) {
				if err := pingPostgres(ctx, g.urlBy(port, "postgres")); err != nil {
					return err
				}
			}
			return nil
		},
	}, func(home string, port int) *exec.Cmd {
		file := filepath.Join(home, "haproxy.cfg")
		cmd := exec.Command(program, "-db", "-f", file)
		acct, err := chooseAccount()
		if err == nil {
			err = writeFor(acct, file, proxyConfig(g, port))
		}
		cmd.Err = err
		return cmd
	})
}

// proxyConfig is what docs/operations.md tells operators to have.
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
		lines = append(lines, fmt.Sprintf("  server %s 127.0.0.1:%d check port %d", n.name, n.port, n.server.port))
	}
	return []byte(strings.Join(lines, "\n") + "\n")
}
