// Command runtests runs tests of the workspace against one Postgres and one Redis
// that it starts for the run, prints what failed, and ends with the counts:
//
//	runtests [-race] PACKAGES... [-- PACKAGES...]
//
// Each group of packages (parted by "--") runs after the one before it, whatever
// that one's outcome. Exit status: 0 when everything passed, 1 otherwise.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"vitae.internal/pkg/backing"
	"vitae.internal/pkg/testkit"
)

// connections is enough for several test binaries with pools of their own.
const connections = 500

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	passed, err := run(ctx, os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "runtests:", err)
	}
	if err != nil || !passed {
		stop()
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) (passed bool, err error) {
	var flags []string
	if len(args) > 0 && args[0] == "-race" {
		flags, args = []string{"-race"}, args[1:]
	}
	servers, err := start(ctx)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, servers.stop()) }()

	begun := time.Now()
	sum := newSummary(os.Stdout)
	for _, group := range split(args) {
		if err := test(ctx, sum, append(slices.Clone(flags), group...), servers.environment()); err != nil {
			return false, err
		}
	}
	sum.print(time.Since(begun))
	return sum.ok(), nil
}

// split parts args at "--".
func split(args []string) (groups [][]string) {
	for len(args) > 0 {
		end := slices.Index(args, "--")
		if end < 0 {
			return append(groups, args)
		}
		groups, args = append(groups, args[:end]), args[end+1:]
	}
	return groups
}

// test runs `go test` once and adds what it reports to the summary.
func test(ctx context.Context, sum *summary, args, environment []string) error {
	cmd := exec.CommandContext(ctx, "go", append([]string{"test", "-json", "-timeout=30m"}, args...)...)
	cmd.Env = append(os.Environ(), environment...)
	cmd.Stderr = os.Stderr
	// Ctrl-C reaches the tests by the terminal; this is for a SIGTERM to us alone.
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("go test: %w", err)
	}
	readErr := sum.read(out)
	err = cmd.Wait()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		sum.exitedBadly() // counted, or, if nothing else failed, a failure of its own
		err = nil
	}
	return errors.Join(err, readErr, ctx.Err())
}

// servers are what the tests of one run share.
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
	if s.dir, err = os.MkdirTemp("", "vitae-tests-"); err != nil {
		return s, err
	}
	// The servers' user may be another than ours.
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

// stop ends what was started. It does not heed the run's context, which has ended
// when this matters most.
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
