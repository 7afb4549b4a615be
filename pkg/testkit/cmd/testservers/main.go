// Command testservers starts one Postgres and one Redis, and runs a command, such as a test runner,
// whose test binaries share these servers:
//
//	testservers COMMAND [ARGUMENT...]
//
// It passes the servers' URLs to testkit in VITAE_TEST_POSTGRES_URL and VITAE_TEST_REDIS_URL, stops
// the servers when the command has exited, and exits with the command's status. Without
// testservers, every test binary starts its own servers, which takes a few seconds each.
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

// connections is enough for several test binaries, each with its own pools.
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
		return 0, errors.New("usage: testservers COMMAND [ARGUMENT...]")
	}
	servers, err := start(ctx)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, servers.stop()) }()
	return testkit.RunCommand(ctx, servers.environment(), command)
}

// servers holds the servers that the test binaries of one run share.
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
	// The servers may run as a different user from this process.
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

// stop stops the servers that were started. It takes no context, because the run's context has
// often been canceled by then.
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
