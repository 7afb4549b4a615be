package drill_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/stack"
	"vitae.internal/e2e/internal/suite"
	"vitae.internal/pkg/backing"
	"vitae.internal/pkg/child"
	"vitae.internal/pkg/testkit/ports"
)

// system is a stack with its own servers and a Prometheus. Each service has its own process.
type system struct {
	prometheus
	*stack.Stack
	pg    *backing.Postgres
	redis *backing.Redis
	dir   string
	// noChromium is a file that prevents Chromium from starting while it exists.
	noChromium string
}

// chromiums lists the programs that cvrender looks for.
var chromiums = []string{"/usr/lib/chromium/chromium", "/opt/google/chrome/chrome", "chromium", "chromium-browser", "google-chrome"}

func startSystem(t *testing.T) *system {
	t.Helper()
	s := &system{dir: expect.Must(os.MkdirTemp(suite.Scratch, "system-"))(t)}
	if err := os.Chmod(s.dir, 0o711); err != nil {
		t.Fatal(err)
	}
	s.pg = expect.Must(backing.StartPostgres(t.Context(), backing.PostgresOptions{Dir: s.dir + "/postgres", Throwaway: true}))(t)
	t.Cleanup(s.pg.Kill)
	s.redis = expect.Must(backing.StartRedis(t.Context(), backing.RedisOptions{Dir: s.dir + "/redis"}))(t)
	t.Cleanup(s.redis.Kill)
	options := stack.Options{Binaries: suite.Programs, Dir: s.dir + "/stack", Replicas: 2, Env: []string{
		suite.NoTiers, suite.Split, "VITAE_POSTGRES_URL=" + s.pg.URL("postgres"), "VITAE_REDIS_URL=" + s.redis.URL(),
		"VITAE_TLS_REFRESH=1s", "VITAE_POSTGRES_MAX_CONNS=5", "VITAE_USAGE_BUFFER=1000",
		"VITAE_SMTP_URL=smtp://" + expect.Must(ports.FreeAddress())(t), "VITAE_MAIL_FROM=Vitae <vitae@example.com>", // nobody listens there
		"VITAE_CVRENDER_QUEUE=1", "VITAE_CVRENDER_CACHE_BYTES=0", "VITAE_CVRENDER_CHROMIUM=" + s.wrapChromium(t),
	}}
	s.Stack = expect.Must(stack.New(options))(t)
	if err := s.Start(t.Context()); err != nil {
		t.Fatalf("%v\n%s", err, s.LogTail())
	}
	t.Cleanup(func() {
		if err := s.Stop(); err != nil {
			t.Error(err)
		}
		if t.Failed() {
			t.Log(s.LogTail())
		}
	})
	s.prometheus = startPrometheus(t, s.targets(t))
	return s
}

// wrapChromium returns a program that starts Chromium unless noChromium exists.
func (s *system) wrapChromium(t *testing.T) string {
	t.Helper()
	s.noChromium = s.dir + "/no-chromium"
	for _, name := range chromiums {
		if path, err := exec.LookPath(name); err == nil {
			wrapper := s.dir + "/chromium"
			script := fmt.Sprintf("#!/bin/sh\n[ -e %s ] && exit 1\nexec %s \"$@\"\n", s.noChromium, path)
			if err := os.WriteFile(wrapper, []byte(script), 0o755); err != nil { //nolint:gosec // Chromium runs as a different user
				t.Fatal(err)
			}
			return wrapper
		}
	}
	t.Fatal("Chromium is not installed")
	return ""
}

// targets returns the addresses of the metrics endpoints of all service replicas and of this machine.
func (s *system) targets(t *testing.T) map[string][]string {
	t.Helper()
	all := map[string][]string{"node": {s.startNodeExporter(t)}}
	for _, service := range []string{"gateway", "auth", "candidate", "partnercatalog", "cvrender"} {
		for _, p := range s.Services(service) {
			if address, ok := p.Env("VITAE_OPS_ADDR"); ok {
				all[service] = append(all[service], address)
			}
		}
	}
	return all
}

func (s *system) startNodeExporter(t *testing.T) (address string) {
	t.Helper()
	address = expect.Must(ports.FreeAddress())(t)
	cmd := exec.Command("prometheus-node-exporter", "--web.listen-address="+address, "--collector.disable-defaults", "--collector.filesystem")
	process := expect.Must(child.Start(child.Options{Cmd: cmd, Name: "node exporter"}))(t)
	t.Cleanup(process.Kill)
	return address
}

// freeze suspends all processes of a service (SIGSTOP) until thaw is called.
func (s *system) freeze(t *testing.T, service string) (thaw func()) {
	t.Helper()
	processes := s.Services(service)
	if len(processes) == 0 {
		t.Fatalf("the stack has no %s", service)
	}
	thaw = func() {
		for _, p := range processes {
			_ = syscall.Kill(p.PID, syscall.SIGCONT)
		}
	}
	t.Cleanup(thaw)
	for _, p := range processes {
		if err := syscall.Kill(p.PID, syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
	}
	return thaw
}

// lock locks a table of a service's database against any use until unlock is called.
func (s *system) lock(t *testing.T, service, table string) (unlock func()) {
	t.Helper()
	conn := s.database(t, service)
	tx := expect.Must(conn.Begin(t.Context()))(t)
	expect.Must(tx.Exec(t.Context(), "LOCK TABLE "+table+" IN ACCESS EXCLUSIVE MODE"))(t)
	unlock = func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) }
	t.Cleanup(unlock)
	return unlock
}

// database connects to the database of a service as the superuser.
func (s *system) database(t *testing.T, service string) *pgx.Conn {
	t.Helper()
	of := expect.Must(s.Setting(service, "VITAE_POSTGRES_URL"))(t)
	name := expect.Must(pgx.ParseConfig(of))(t).Database
	conn := expect.Must(pgx.Connect(t.Context(), s.pg.URL(name)))(t)
	t.Cleanup(func() { _ = conn.Close(context.WithoutCancel(t.Context())) })
	return conn
}

// killChromium kills the stack's Chromium processes.
func (s *system) killChromium(t *testing.T) {
	t.Helper()
	for _, p := range s.Processes() {
		program, _, _ := strings.Cut(p.Command, " ")
		if strings.Contains(filepath.Base(program), "chrom") {
			_ = syscall.Kill(p.PID, syscall.SIGKILL)
		}
	}
}

// repeatedly repeats a function in a number of goroutines until stop is called.
func repeatedly(t *testing.T, goroutines int, do func(context.Context)) (stop func()) {
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	for range goroutines {
		go func() {
			defer func() { done <- struct{}{} }()
			pause := time.NewTicker(20 * time.Millisecond)
			defer pause.Stop()
			for ctx.Err() == nil {
				do(ctx)
				<-pause.C
			}
		}()
	}
	return func() {
		cancel()
		for range goroutines {
			<-done
		}
	}
}
