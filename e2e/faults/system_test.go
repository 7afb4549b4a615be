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

// system is two replicas of the gateway, four services, a Postgres and a Redis.
type system struct {
	*stack.Stack
	dir   string
	pg    *backing.Postgres
	redis *backing.Redis
	parts map[string]*part
	note  localstack.Stack
}

// stores are the parts with a database.
var stores = []string{"auth", "partnercatalog", "candidate"}

// edges are the replicas of the gateway.
var edges = []string{"edge1", "edge2"}

// readyTimeout is for starts on a loaded machine.
const readyTimeout = 3 * time.Minute

// running is the system that the tests share, one after the other. The first of them
// starts it.
var running *system

// newSystem returns the system with every part running, whatever the test before has
// left.
func newSystem(t *testing.T) *system {
	t.Helper()
	if running == nil {
		running = startSystem(t)
	}
	s := running
	s.repair(t)
	if suite.OpenAPI == nil {
		s.judgeAnswers(t)
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
	s := &system{dir: dir, parts: map[string]*part{}}
	s.pg = expect.Must(backing.StartPostgres(t.Context(), backing.PostgresOptions{Dir: filepath.Join(dir, "postgres"), Throwaway: true}))(t)
	s.redis = expect.Must(backing.StartRedis(t.Context(), backing.RedisOptions{Dir: filepath.Join(dir, "redis")}))(t)
	s.describe(t)
	return s
}

// repair starts parts and servers that do not run, continues those that are stopped, and
// waits until every part is ready.
func (s *system) repair(t *testing.T) {
	t.Helper()
	for _, server := range []interface {
		Done() <-chan struct{}
		Restart(context.Context) error
		Thaw() error
	}{s.pg, s.redis} {
		mend := func(context.Context) error { return server.Thaw() }
		if ended(server.Done()) {
			mend = server.Restart
		}
		if err := mend(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	for name, p := range s.parts {
		if p.Process == nil || ended(p.Done()) {
			s.start(t, name)
		} else if err := p.Signal(syscall.SIGCONT); err != nil {
			t.Fatal(err)
		}
	}
	for name := range s.parts {
		s.awaitReady(t, name)
	}
}

func ended(done <-chan struct{}) bool {
	select {
	case <-done:
		return true
	default:
		return false
	}
}

// close ends everything.
func (s *system) close() {
	for _, p := range s.parts {
		p.end()
	}
	s.redis.Kill()
	s.pg.Kill()
}

// logs are the ends of the logs of all parts.
func (s *system) logs() string {
	var out strings.Builder
	for name, p := range s.parts {
		raw, _ := os.ReadFile(p.logFile)
		const keep = 3 << 10
		fmt.Fprintf(&out, "--- %s:\n%s\n", name, raw[max(0, len(raw)-keep):])
	}
	return out.String()
}
