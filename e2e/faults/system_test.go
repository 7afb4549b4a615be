package faults_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/stack"
	"vitae.internal/e2e/internal/suite"
	"vitae.internal/pkg/backing"
	"vitae.internal/pkg/localstack"
)

// system consists of two gateway replicas, four services, a Postgres and a Redis.
type system struct {
	*stack.Stack
	dir       string
	pg        *backing.Postgres
	redis     *backing.Redis
	processes map[string]*process
	note      localstack.Stack
}

// stores lists the services with a database.
var stores = []string{"auth", "partnercatalog", "candidate"}

// edges lists the gateway replicas.
var edges = []string{"edge1", "edge2"}

// readyTimeout limits how long a process may take to become ready. It allows for a loaded machine.
const readyTimeout = 3 * time.Minute

// running is the system that the tests share, one after another. The first test starts it.
var running *system

// newSystem returns the system with all processes running, whatever the previous test did.
func newSystem(t *testing.T) *system {
	t.Helper()
	if running == nil {
		running = startSystem(t)
	}
	s := running
	s.repair(t)
	if suite.OpenAPI == nil {
		s.judgeResponses(t)
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(s.logs())
		}
	})
	return s
}

func startSystem(t *testing.T) *system {
	t.Helper()
	dir := expect.Must(os.MkdirTemp(suite.Scratch, "system-"))(t)
	if err := os.Chmod(dir, 0o711); err != nil {
		t.Fatal(err)
	}
	s := &system{dir: dir, processes: map[string]*process{}}
	s.pg = expect.Must(backing.StartPostgres(t.Context(), backing.PostgresOptions{Dir: filepath.Join(dir, "postgres"), Throwaway: true}))(t)
	s.redis = expect.Must(backing.StartRedis(t.Context(), backing.RedisOptions{Dir: filepath.Join(dir, "redis")}))(t)
	s.describe(t)
	return s
}

// repair restarts processes and servers that have exited, resumes suspended ones, and waits until every
// process is ready.
func (s *system) repair(t *testing.T) {
	t.Helper()
	for _, server := range []interface {
		Done() <-chan struct{}
		Restart(context.Context) error
		Thaw() error
	}{s.pg, s.redis} {
		mend := func(context.Context) error { return server.Thaw() }
		if exited(server.Done()) {
			mend = server.Restart
		}
		if err := mend(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	for name, p := range s.processes {
		if p.Process == nil || exited(p.Done()) {
			s.start(t, name)
		} else if err := p.Signal(syscall.SIGCONT); err != nil {
			t.Fatal(err)
		}
	}
	for name := range s.processes {
		s.awaitReady(t, name)
	}
}

func exited(done <-chan struct{}) bool {
	select {
	case <-done:
		return true
	default:
		return false
	}
}

// close kills all processes and servers.
func (s *system) close() {
	for _, p := range s.processes {
		p.end()
	}
	s.redis.Kill()
	s.pg.Kill()
}

// logs returns the end of the log of each process.
func (s *system) logs() string {
	var out strings.Builder
	for name, p := range s.processes {
		raw, _ := os.ReadFile(p.logFile)
		const keep = 3 << 10
		fmt.Fprintf(&out, "--- %s:\n%s\n", name, raw[max(0, len(raw)-keep):])
	}
	return out.String()
}
