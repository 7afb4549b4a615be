// Command testservers runs a command, such as a test runner, beside one Postgres
// and one Redis that all its test binaries share:
//
//	testservers COMMAND [ARGUMENT...]
//
// It names the servers to testkit by VITAE_TEST_POSTGRES_URL and
// VITAE_TEST_REDIS_URL, stops them when the command has ended, and exits with the
// command's status. Without it every test binary starts servers of its own, which
// costs each some seconds.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"vitae.internal/pkg/backing"
	"vitae.internal/pkg/testkit"
)

// connections is enough for several test binaries with pools of their own.
const connections = 500

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	status, err := run(ctx, os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "testservers:", err)
		status = max(status, 1)
	}
	os.Exit(status)
}

func run(ctx context.Context, command []string) (status int, err error) {
	if len(command) == 0 {
		return 0, errors.New("name a command to run")
	}
	servers, err := start(ctx)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, servers.stop()) }()
	return testkit.RunCommand(ctx, servers.environment(), command)
}

// servers are what the test binaries of one run share.
type servers struct {
	dir      string
	postgres *backing.Postgres
	redis    *backing.Redis
}

func start(ctx context.Context) (s *servers, err error) {
	s = &servers{}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.stop())
		}
	}()
	if s.dir, err = testkit.MakePlace("vitae-tests-"); err != nil {
		return s, err
	}
	// The user that the servers run as may be another than this process's.
	if err := os.Chmod(s.dir, 0o711); err != nil {
		return s, err
	}
	if s.postgres, err = backing.StartPostgres(ctx, backing.PostgresOptions{
		Dir: filepath.Join(s.dir, "postgres"), Throwaway: true, MaxConnections: connections,
	}); err != nil {
		return s, err
	}
	s.redis, err = backing.StartRedis(ctx, backing.RedisOptions{
		Dir: filepath.Join(s.dir, "redis"), Databases: testkit.SharedDatabases,
	})
	return s, err
}

func (s *servers) environment() []string {
	return []string{
		"VITAE_TEST_POSTGRES_URL=" + s.postgres.URL("postgres"),
		"VITAE_TEST_REDIS_URL=" + s.redis.URL(),
	}
}

// stop stops the servers that were started. It takes no context: the context of
// the run has often ended when the servers must be stopped.
func (s *servers) stop() error {
	var faults []error
	if s.redis != nil {
		faults = append(faults, s.redis.Stop(context.Background()))
	}
	if s.postgres != nil {
		faults = append(faults, s.postgres.Stop(context.Background()))
	}
	if s.dir != "" {
		faults = append(faults, os.RemoveAll(s.dir))
	}
	return errors.Join(faults...)
}
