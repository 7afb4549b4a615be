package faults_test

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/stack"
	"vitae.internal/e2e/internal/suite"
	"vitae.internal/pkg/child"
	"vitae.internal/pkg/localstack"
	"vitae.internal/pkg/mtls"
	"vitae.internal/pkg/redisacl"
	"vitae.internal/pkg/testkit/ports"
)

// process is a program of the system that can be killed and restarted.
type process struct {
	name, program string
	env           []string
	addr          string // host:port that it serves on
	opsURL        string // base URL of its operations endpoints
	logFile       string
	*child.Process
}

// describe creates certificates and databases, and chooses the address and the environment of every
// process.
func (s *system) describe(t *testing.T) {
	t.Helper()
	tls := filepath.Join(s.dir, "tls")
	if err := mtls.Issue(tls, "auth", "partnercatalog", "candidate", "cvrender", "gateway", "vitaectl", "internal"); err != nil {
		t.Fatal(err)
	}
	free := func() string { return expect.Must(ports.FreeAddress())(t) }
	ctl := mtls.Files(tls, "vitaectl")
	s.note = localstack.Stack{
		GRPC: localstack.GRPC{Auth: free(), PartnerCatalog: free(), Candidate: free(), CVRender: free()},
		TLS:  localstack.TLS{CA: ctl.CAFile, Cert: ctl.CertFile, Key: ctl.KeyFile},
	}
	public, app := []string{free(), free()}, []string{free(), free()}
	console := []string{free(), free()}
	s.note.BaseURL, s.note.AppURL, s.note.ConsoleURL = "http://"+public[0], "http://"+app[0], "http://"+console[0]
	if err := localstack.Save(s.dir, s.note); err != nil {
		t.Fatal(err)
	}
	common := []string{
		"VITAE_AUTH_GRPC_ADDR=" + s.note.GRPC.Auth, "VITAE_PARTNERCATALOG_GRPC_ADDR=" + s.note.GRPC.PartnerCatalog,
		"VITAE_CANDIDATE_GRPC_ADDR=" + s.note.GRPC.Candidate, "VITAE_CVRENDER_GRPC_ADDR=" + s.note.GRPC.CVRender,
		"VITAE_BASE_URL=" + s.note.BaseURL, "VITAE_APP_URL=" + s.note.AppURL, "VITAE_CONSOLE_URL=" + s.note.ConsoleURL,
		"VITAE_CV_LINK_KEYS=" + ring(), "VITAE_COOKIE_KEYS=" + ring(), "VITAE_RECORD_KEYS=" + ring(), "VITAE_BLOB_SIGNING_KEYS=" + ring(),
		"VITAE_BLOB_URL=file://" + filepath.Join(s.dir, "resumes") + "?create_dir=true",
		"VITAE_SURFACE_TIERS=off",
	}
	add := func(name, program, addr string, env ...string) {
		ops, files := free(), mtls.Files(tls, program)
		env = append(env, "VITAE_OPS_ADDR="+ops, "VITAE_TLS_CA="+files.CAFile, "VITAE_TLS_CERT="+files.CertFile, "VITAE_TLS_KEY="+files.KeyFile)
		s.processes[name] = &process{
			name: name, program: program, addr: addr, env: append(append(stack.Environ(), common...), env...),
			opsURL: "http://" + ops, logFile: filepath.Join(s.dir, name+".log"),
		}
	}
	admin := expect.Must(pgx.Connect(t.Context(), s.pg.URL("postgres")))(t)
	defer admin.Close(t.Context())
	for i, name := range stores {
		expect.Must(admin.Exec(t.Context(), "CREATE DATABASE "+name))(t)
		add(name, name, []string{s.note.GRPC.Auth, s.note.GRPC.PartnerCatalog, s.note.GRPC.Candidate}[i], "VITAE_POSTGRES_URL="+s.pg.URL(name))
	}
	s.processes["auth"].env = append(s.processes["auth"].env, "VITAE_REDIS_URL="+s.redis.URLOf(redisacl.Auth))
	// Without a cache, every read of a PDF needs Chromium. A short deadline shortens the test in which
	// Chromium hangs.
	add("cvrender", "cvrender", s.note.GRPC.CVRender, "VITAE_CVRENDER_CACHE_BYTES=0", "VITAE_CVRENDER_DEADLINE=4s")
	for i, name := range edges {
		add(name, "gateway", public[i], "VITAE_PUBLIC_ADDR="+public[i], "VITAE_APP_ADDR="+app[i], "VITAE_LEGACY_ADDR="+free(), "VITAE_CONSOLE_ADDR="+console[i],
			"VITAE_REDIS_URL="+s.redis.URLOf(redisacl.Gateway))
	}
	s.Stack = stack.Of(suite.Programs, s.dir, []string{"http://" + public[0], "http://" + public[1]}, []string{"http://" + app[0], "http://" + app[1]})
}

// ring returns a key ring with one random key of 32 bytes.
func ring() string {
	raw := make([]byte, 32)
	_, _ = rand.Read(raw) // does not fail
	return "faults:" + base64.StdEncoding.EncodeToString(raw)
}

// start starts a process that is not running. Additional settings apply only to this start.
func (s *system) start(t *testing.T, name string, more ...string) {
	t.Helper()
	p := s.processes[name]
	log := expect.Must(os.OpenFile(p.logFile, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600))(t)
	defer log.Close() // the child has its own copy
	cmd := exec.Command(suite.Programs.Path(p.program))
	cmd.Env, cmd.Stdout, cmd.Stderr = append(slices.Clone(p.env), more...), log, log
	p.Process = expect.Must(child.Start(child.Options{Cmd: cmd, Name: name}))(t)
}

// redirect restarts a process with additional settings, which apply until the test ends.
func (s *system) redirect(t *testing.T, name string, settings ...string) {
	t.Helper()
	s.startAgain(t, name, settings...)
	t.Cleanup(func() { s.startAgain(t, name) })
}

// startAgain restarts a process. Additional settings apply only to this start.
func (s *system) startAgain(t *testing.T, name string, settings ...string) {
	t.Helper()
	s.processes[name].end()
	s.start(t, name, settings...)
	s.awaitReady(t, name)
}

func (p *process) end() {
	if p.Process != nil {
		p.Kill()
	}
}

// ready returns an error unless /readyz of a process returns 200.
func (s *system) ready(ctx context.Context, name string) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.processes[name].opsURL+"/readyz", nil)
	if err != nil {
		return err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("%s is not ready: %s", name, res.Status)
	}
	return nil
}

func (s *system) awaitReady(t *testing.T, name string) {
	t.Helper()
	// This is also called in cleanup functions, when t.Context is done.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), readyTimeout)
	defer cancel()
	err := stack.Until(ctx, "start "+name, func(ctx context.Context) error {
		if exited(s.processes[name].Done()) {
			cancel()
			return fmt.Errorf("%s has exited", name)
		}
		return s.ready(ctx, name)
	})
	if err != nil {
		t.Fatalf("%v\n%s", err, s.logs())
	}
}

// listens reports whether a process accepts connections.
func (s *system) listens(ctx context.Context, name string) bool {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", s.processes[name].addr)
	if err != nil {
		return false
	}
	return conn.Close() == nil
}
