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
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"google.golang.org/grpc"

	"vitae.internal/e2e/stack"
	"vitae.internal/pkg/backing"
	"vitae.internal/pkg/child"
	"vitae.internal/pkg/grpcx"
	"vitae.internal/pkg/localstack"
	"vitae.internal/pkg/mtls"
)

// part is a program of the system, which may be killed and started again.
type part struct {
	name, program string
	env           []string
	addr          string // where it serves
	readyURL      string
	logFile       string
	*child.Process
}

// system is two edges, three services, a Postgres and a Redis. The renderer is not
// there: nothing here reads a PDF.
type system struct {
	*stack.Stack
	dir   string
	pg    *backing.Postgres
	redis *backing.Redis
	parts map[string]*part
	note  localstack.Stack
}

// services are the parts with a database.
var services = []string{"auth", "partnercatalog", "candidate"}

// edges are the replicas of the gateway.
var edges = []string{"edge1", "edge2"}

// readyTimeout is for a start on a loaded machine.
const readyTimeout = 60 * time.Second

// newSystem starts a system and ends it with the test.
func newSystem(t *testing.T) *system {
	t.Helper()
	dir := must(os.MkdirTemp(scratch, "system-"))(t)
	if err := os.Chmod(dir, 0o711); err != nil {
		t.Fatal(err)
	}
	s := &system{dir: dir, parts: map[string]*part{}}
	s.pg = must(backing.StartPostgres(t.Context(), backing.PostgresOptions{Dir: filepath.Join(dir, "postgres"), Throwaway: true}))(t)
	t.Cleanup(func() { s.pg.Kill() })
	s.redis = must(backing.StartRedis(t.Context(), backing.RedisOptions{Dir: filepath.Join(dir, "redis")}))(t)
	t.Cleanup(func() { s.redis.Kill() })
	s.describe(t)
	for _, name := range append(append([]string{}, services...), edges...) {
		s.start(t, name)
		t.Cleanup(s.parts[name].end)
	}
	for name := range s.parts {
		s.awaitReady(t, name)
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(s.logs())
		}
	})
	return s
}

// describe makes certificates, databases and addresses, and the environment of
// every part.
func (s *system) describe(t *testing.T) {
	t.Helper()
	tls := filepath.Join(s.dir, "tls")
	if err := mtls.Issue(tls, "auth", "partnercatalog", "candidate", "cvrender", "gateway", "vitaectl", "internal"); err != nil {
		t.Fatal(err)
	}
	free := func() string { return must(stack.FreeAddress())(t) }
	ctl := mtls.Files(tls, "vitaectl")
	s.note = localstack.Stack{
		GRPC: localstack.GRPC{Auth: free(), PartnerCatalog: free(), Candidate: free(), CVRender: free()},
		TLS:  localstack.TLS{CA: ctl.CAFile, Cert: ctl.CertFile, Key: ctl.KeyFile},
	}
	public, app := []string{free(), free()}, []string{free(), free()}
	s.note.BaseURL, s.note.AppURL = "http://"+public[0], "http://"+app[0]
	if err := localstack.Save(s.dir, s.note); err != nil {
		t.Fatal(err)
	}
	common := []string{
		"VITAE_AUTH_GRPC_ADDR=" + s.note.GRPC.Auth, "VITAE_PARTNERCATALOG_GRPC_ADDR=" + s.note.GRPC.PartnerCatalog,
		"VITAE_CANDIDATE_GRPC_ADDR=" + s.note.GRPC.Candidate, "VITAE_CVRENDER_GRPC_ADDR=" + s.note.GRPC.CVRender,
		"VITAE_BASE_URL=" + s.note.BaseURL, "VITAE_APP_URL=" + s.note.AppURL,
		"VITAE_CV_LINK_KEY=" + secret(), "VITAE_COOKIE_KEY=" + secret(), "VITAE_BLOB_SIGNING_KEY=" + secret(),
		"VITAE_BLOB_URL=file://" + filepath.Join(s.dir, "resumes") + "?create_dir=true",
		"VITAE_REDIS_URL=" + s.redis.URL(), "VITAE_SURFACE_TIERS=off",
	}
	add := func(name, program, addr string, env ...string) {
		ops, files := free(), mtls.Files(tls, program)
		env = append(env, "VITAE_OPS_ADDR="+ops, "VITAE_TLS_CA="+files.CAFile, "VITAE_TLS_CERT="+files.CertFile, "VITAE_TLS_KEY="+files.KeyFile)
		s.parts[name] = &part{
			name: name, program: program, addr: addr, env: append(append(clean(os.Environ()), common...), env...),
			readyURL: "http://" + ops + "/readyz", logFile: filepath.Join(s.dir, name+".log"),
		}
	}
	admin := must(pgx.Connect(t.Context(), s.pg.URL("postgres")))(t)
	defer admin.Close(t.Context())
	for i, name := range services {
		must(admin.Exec(t.Context(), "CREATE DATABASE "+name))(t)
		add(name, name, []string{s.note.GRPC.Auth, s.note.GRPC.PartnerCatalog, s.note.GRPC.Candidate}[i], "VITAE_POSTGRES_URL="+s.pg.URL(name))
	}
	for i, name := range edges {
		add(name, "gateway", public[i], "VITAE_PUBLIC_ADDR="+public[i], "VITAE_APP_ADDR="+app[i])
	}
	s.Stack = stack.Of(programs, s.dir, []string{"http://" + public[0], "http://" + public[1]}, []string{"http://" + app[0], "http://" + app[1]})
}

// clean leaves out settings that would lead a part to another system.
func clean(env []string) (out []string) {
	for _, kv := range env {
		if !strings.HasPrefix(kv, "VITAE_") {
			out = append(out, kv)
		}
	}
	return out
}

// secret is base64 of 32 random bytes.
func secret() string {
	raw := make([]byte, 32)
	_, _ = rand.Read(raw) // never fails
	return base64.StdEncoding.EncodeToString(raw)
}

// start starts a part that does not run.
func (s *system) start(t *testing.T, name string) {
	t.Helper()
	p := s.parts[name]
	log := must(os.OpenFile(p.logFile, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600))(t)
	defer log.Close() // the child has its own copy
	cmd := exec.Command(programs.Path(p.program))
	cmd.Env, cmd.Stdout, cmd.Stderr = p.env, log, log
	p.Process = must(child.Start(child.Options{Cmd: cmd, Name: name}))(t)
}

func (p *part) end() {
	if p.Process != nil {
		p.Kill()
	}
}

// ready asks a part whether it can do its work.
func (s *system) ready(ctx context.Context, name string) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.parts[name].readyURL, nil)
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
	ctx, cancel := context.WithTimeout(t.Context(), readyTimeout)
	defer cancel()
	if err := stack.Until(ctx, "start "+name, func(ctx context.Context) error { return s.ready(ctx, name) }); err != nil {
		t.Fatalf("%v\n%s", err, s.logs())
	}
}

// listens says whether a part takes connections.
func (s *system) listens(ctx context.Context, name string) bool {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", s.parts[name].addr)
	if err != nil {
		return false
	}
	return conn.Close() == nil
}

// dial connects to a service as a caller.
func (s *system) dial(t *testing.T, addr, service, caller string) *grpc.ClientConn {
	t.Helper()
	identity := must(mtls.Load(mtls.Files(s.TLSDir(), caller)))(t)
	conn := must(grpcx.Dial(addr, service, identity))(t)
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// logs are the ends of what the parts logged.
func (s *system) logs() string {
	var out strings.Builder
	for name, p := range s.parts {
		raw, _ := os.ReadFile(p.logFile)
		const keep = 3 << 10
		fmt.Fprintf(&out, "--- %s:\n%s\n", name, raw[max(0, len(raw)-keep):])
	}
	return out.String()
}
