package app_test

import (
	"context"
	"fmt"
	"maps"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"vitae.internal/pkg/grpcserver"
	"vitae.internal/pkg/grpcserver/servertest"
	"vitae.internal/pkg/mtls"
	"vitae.internal/pkg/testkit"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	"vitae.internal/services/candidate/app"
	"vitae.internal/services/candidate/internal/postgres"
)

// deployment runs several replicas of the service on one database, with a partnercatalog server
// that can be killed.
type deployment struct {
	t        *testing.T
	dir      string
	database string
	pool     *pgxpool.Pool
	catalog  *catalog
	identity *mtls.Identity
	// addr is the address of the partnercatalog server, even while it is down.
	addr   string
	server *grpcserver.Server
	served chan error
}

func deploy(t *testing.T) *deployment {
	t.Helper()
	d := &deployment{t: t, dir: certificates(t), database: testkit.Database(t, "candidate", postgres.Migrate), catalog: newCatalog(), addr: "127.0.0.1:0"}
	d.identity = servertest.Identity(t, d.dir, "partnercatalog")
	pool, err := pgxpool.New(t.Context(), d.database)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	d.pool = pool
	d.revive()
	t.Cleanup(d.kill)
	return d
}

// revive starts the partnercatalog server on its old address.
func (d *deployment) revive() {
	d.t.Helper()
	server, err := grpcserver.New(d.identity, quiet, d.catalog.register)
	if err != nil {
		d.t.Fatal(err)
	}
	l, err := net.Listen("tcp", d.addr)
	if err != nil {
		d.t.Fatal(err)
	}
	d.addr, d.server, d.served = l.Addr().String(), server, make(chan error, 1)
	go func() { d.served <- server.Serve(l) }()
}

// kill cuts all connections to the partnercatalog server, including those with calls in progress.
func (d *deployment) kill() {
	now, cancel := context.WithCancel(context.Background())
	cancel()
	d.server.Stop(now)
	<-d.served
}

// replica starts a replica and returns it together with a client for its intake API.
func (d *deployment) replica() (*app.App, candidatev1.ApplicationIntakeServiceClient) {
	d.t.Helper()
	a := newAppOn(d.t, d.database, d.dir, d.addr)
	r := &running{t: d.t, dir: d.dir, addr: servertest.Serve(d.t, servertest.Identity(d.t, d.dir, app.Name), quiet, a.Register, grpcserver.WithSessions(signedIn{}))}
	return a, candidatev1.NewApplicationIntakeServiceClient(r.dial("internal"))
}

// people adds n profiles.
func (d *deployment) people(n int) {
	d.t.Helper()
	if _, err := d.pool.Exec(d.t.Context(), `INSERT INTO profiles SELECT 'usr_' || i, 'a@example.com', true, 'Name', '', '', '', '', false, false, false,
		'', '', '', '', '', '', '', '', '', '', '{"v":1,"summary":"s"}', true, 0, now(), now() FROM generate_series(0, $1::integer - 1) i`, n); err != nil {
		d.t.Fatal(err)
	}
}

// apply makes the people with numbers in [from, to) apply for the job concurrently.
func (d *deployment) apply(intake candidatev1.ApplicationIntakeServiceClient, jobID string, from, to int) {
	d.t.Helper()
	var wg sync.WaitGroup
	for i := from; i < to; i++ {
		wg.Go(func() {
			_, err := intake.Apply(context.Background(), &candidatev1.ApplyRequest{
				JobId: jobID, PersonId: fmt.Sprintf("usr_%d", i), Submission: &candidatev1.ApplyRequest_CvId{CvId: "master"},
			})
			if err != nil {
				d.t.Error(err)
			}
		})
	}
	wg.Wait()
}

// settles waits until the partnercatalog server has received the counts and the outbox is empty.
func (d *deployment) settles(want map[string]int32) {
	d.t.Helper()
	deadline := time.After(60 * time.Second)
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		var left int
		if err := d.pool.QueryRow(d.t.Context(), "SELECT count(*) FROM application_count_outbox").Scan(&left); err != nil {
			d.t.Fatal(err)
		}
		got := d.catalog.snapshot()
		if left == 0 && maps.Equal(got, want) {
			return
		}
		select {
		case <-tick.C:
		case <-deadline:
			d.t.Fatalf("partnercatalog has %v, want %v; %d left to send", got, want, left)
		}
	}
}

func TestCountsAreExactAfterCatalogCrash(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]fault{"before its commit": hangs, "after its commit": hangsAfter} {
		t.Run(name, func(t *testing.T) {
			d := deploy(t)
			d.people(6)
			d.catalog.post("job_1", "app_1")
			_, intake := d.replica()
			d.catalog.setFault(f)
			d.apply(intake, "job_1", 0, 3)
			<-d.catalog.calls
			d.kill()
			d.catalog.setFault(works)
			d.revive()
			d.settles(map[string]int32{"job_1": 3})
			d.apply(intake, "job_1", 3, 6)
			d.settles(map[string]int32{"job_1": 6})
		})
	}
}

func TestApplyingNeedsCatalog(t *testing.T) {
	t.Parallel()
	d := deploy(t)
	d.people(1)
	d.catalog.post("job_1", "app_1")
	_, intake := d.replica()
	d.kill()
	attempt := func() error {
		_, err := intake.Apply(t.Context(), &candidatev1.ApplyRequest{
			JobId: "job_1", PersonId: "usr_0", Submission: &candidatev1.ApplyRequest_CvId{CvId: "master"},
		})
		return err
	}
	wantCode(t, attempt(), "SERVICE_UNAVAILABLE")
	d.revive()
	deadline := time.After(60 * time.Second)
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for err := attempt(); err != nil; err = attempt() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatal(err)
		}
	}
	d.settles(map[string]int32{"job_1": 1})
}
