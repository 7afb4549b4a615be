package app_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"google.golang.org/grpc"

	"vitae.internal/pkg/child"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/grpcserver/servertest"
	"vitae.internal/pkg/mtls"
	"vitae.internal/pkg/testkit"
	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
	"vitae.internal/services/partnercatalog/app"
	"vitae.internal/services/partnercatalog/internal/postgres"
)

// mortal is the service in a separate process, which the test kills.
type mortal struct {
	*running
	program string
	env     []string
	log     *bytes.Buffer
	process *child.Process
}

// startMortal builds and starts the service.
func startMortal(t *testing.T, database string) *mortal {
	t.Helper()
	m := &mortal{running: &running{t: t, dir: servertest.Certificates(t, app.Name, "gateway")}, program: filepath.Join(t.TempDir(), "partnercatalog")}
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", m.program, "../cmd/partnercatalog").CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	m.addr = l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	files := mtls.Files(m.dir, app.Name)
	m.env = append(os.Environ(), "VITAE_POSTGRES_URL="+database, "VITAE_PARTNERCATALOG_GRPC_ADDR="+m.addr,
		"VITAE_TLS_CA="+files.CAFile, "VITAE_TLS_CERT="+files.CertFile, "VITAE_TLS_KEY="+files.KeyFile)
	m.restart()
	t.Cleanup(func() { m.process.Kill() })
	return m
}

// patient returns the context of a call that may wait for a restart.
func (m *mortal) patient() context.Context {
	ctx, cancel := context.WithTimeout(m.key("app_1"), time.Minute)
	m.t.Cleanup(cancel)
	return ctx
}

func (m *mortal) restart() {
	m.t.Helper()
	cmd := exec.Command(m.program)
	cmd.Env, m.log = m.env, &bytes.Buffer{}
	cmd.Stderr = m.log
	process, err := child.Start(child.Options{Cmd: cmd, Name: app.Name})
	if err != nil {
		m.t.Fatal(err)
	}
	m.process = process
}

// kill sends SIGKILL and checks that the service has not logged an internal error.
func (m *mortal) kill() {
	m.t.Helper()
	m.process.Kill()
	if bytes.Contains(m.log.Bytes(), []byte("panic")) || bytes.Contains(m.log.Bytes(), []byte("call failed")) {
		m.t.Errorf("the service failed before it was killed:\n%s", m.log)
	}
}

func TestKilledServiceMakesOneJobPerKey(t *testing.T) {
	t.Parallel()
	database := testkit.Database(t, "catalog", postgres.Migrate)
	m := startMortal(t, database)
	conn := m.dial("gateway")
	jobs := partnercatalogv1.NewJobServiceClient(conn)
	company, err := partnercatalogv1.NewCompanyServiceClient(conn).CreateCompany(m.patient(), wanted("Acme"), grpc.WaitForReady(true))
	if err != nil {
		t.Fatal(err)
	}
	attempt := func(key string, patience ...grpc.CallOption) (*partnercatalogv1.CreateJobResponse, error) {
		req := fullJob(company.GetCompany().GetId())
		req.IdempotencyKey = &key
		return jobs.CreateJob(m.patient(), req, patience...)
	}
	untilUp := grpc.WaitForReady(true)
	// The duration of one undisturbed attempt determines when to kill.
	begun := time.Now()
	if _, err := attempt("warm", untilUp); err != nil {
		t.Fatal(err)
	}
	usual := time.Since(begun)

	const rounds = 12
	made, answered := 0, 0
	for round := range rounds {
		key := fmt.Sprint("round-", round)
		var before sync.Map // ids in answers before the kill
		var wg sync.WaitGroup
		for range 6 {
			wg.Go(func() {
				if resp, err := attempt(key); err == nil {
					before.Store(resp.GetJob().GetId(), true)
				} else if errs.KindOf(err) != errs.Unavailable {
					t.Errorf("an attempt that was cut off: %v", err)
				}
			})
		}
		<-time.After(rand.N(usual/2 + time.Millisecond)) // a random time during the attempts
		m.kill()
		wg.Wait()
		m.restart()

		final, err := attempt(key, untilUp)
		if err != nil {
			t.Fatalf("round %d: the retry: %v", round, err)
		}
		before.Range(func(id, _ any) bool {
			answered++
			if id != final.GetJob().GetId() || !final.GetReplayed() {
				t.Errorf("round %d: an answer named %v, the retry %v (replayed: %t)", round, id, final.GetJob().GetId(), final.GetReplayed())
			}
			return true
		})
		if final.GetReplayed() {
			made++
		}
		again, err := attempt(key, untilUp)
		if err != nil || !again.GetReplayed() {
			t.Fatalf("round %d: after the retry: %v, %v", round, again, err)
		}
		equal(t, "the job of the key", again.GetJob(), final.GetJob())
	}
	t.Logf("an attempt takes %v; in %d rounds with a kill, %d had created the job and %d had answered", usual, rounds, made, answered)

	db, err := pgx.Connect(t.Context(), database)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close(context.Background())
	var rows, keys, total int
	if err := db.QueryRow(t.Context(), `SELECT (SELECT count(*) FROM jobs), (SELECT count(*) FROM job_keys),
		(SELECT count FROM job_counts WHERE span = 'all' AND status = 'active')`).Scan(&rows, &keys, &total); err != nil {
		t.Fatal(err)
	}
	if rows != rounds+1 || keys != rounds+1 || total != rounds+1 {
		t.Errorf("%d jobs, %d keys, a total of %d, want %d of each", rows, keys, total, rounds+1)
	}
}
