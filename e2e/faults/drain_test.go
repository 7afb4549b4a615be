package faults_test

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/world"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	cvrenderv1 "vitae.internal/proto/gen/vitae/cvrender/v1"
	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
)

// pending is the number of pending requests when a process receives the stop signal. It is below the
// number of database connections of a service, and below the number of PDFs that the renderer accepts
// per person.
const pending = 4

// drain describes how requests are kept pending until a process has received the stop signal.
type drain struct {
	process string
	// hold delays requests until release is called.
	hold func(*testing.T, *scene) (release func())
	// service is the service that then has one pending call of method for each request.
	service, method string
	send            func(ctx context.Context, c *scene, n int) (partner.Response, error)
	want            int
}

func drains() []drain {
	lock := func(store, statement string) func(*testing.T, *scene) func() {
		return func(t *testing.T, c *scene) func() { return c.lock(t, store, statement) }
	}
	company := func(process string, edge int) drain {
		return drain{
			process, lock("partnercatalog", "LOCK TABLE companies IN SHARE MODE"),
			"partnercatalog", partnercatalogv1.CompanyService_CreateCompany_FullMethodName,
			func(ctx context.Context, c *scene, _ int) (partner.Response, error) {
				return c.Employer(edge).CreateCompany(ctx, world.Company())
			},
			http.StatusCreated,
		}
	}
	read := func(path string) func(context.Context, *scene, int) (partner.Response, error) {
		return func(ctx context.Context, c *scene, n int) (partner.Response, error) {
			return partner.Get(ctx, c.BaseURLs[n%len(edges)]+path, c.Token)
		}
	}
	return []drain{
		company("edge1", 0), company("edge2", 1), company("partnercatalog", 0),
		{
			"auth", lock("auth", "LOCK TABLE access_tokens IN SHARE MODE"),
			"auth", authv1.OAuthService_RefreshToken_FullMethodName,
			func(ctx context.Context, c *scene, n int) (partner.Response, error) {
				return c.App(n%len(edges)).Refresh(ctx, c.refresh[n], "")
			},
			http.StatusOK,
		},
		{
			"candidate", lock("candidate", "LOCK TABLE profiles IN ACCESS EXCLUSIVE MODE"),
			"candidate", candidatev1.MeService_GetMe_FullMethodName, read("/v1/me"), http.StatusOK,
		},
		{
			"cvrender", func(t *testing.T, c *scene) func() { return c.freezeChromium(t) },
			"cvrender", cvrenderv1.CvRenderService_RenderCv_FullMethodName, read("/v1/me/cv.pdf"), http.StatusOK,
		},
	}
}

func TestStoppingProcessFinishesRequests(t *testing.T) {
	s := newSystem(t)
	for _, d := range drains() {
		t.Run(d.process, func(t *testing.T) { drainRound(t, s, d) })
	}
}

func drainRound(t *testing.T, s *system, d drain) {
	c := newScene(t, s, fault{})
	c.connectMany(t, pending)
	if a := expect.Must(partner.Get(t.Context(), c.BaseURLs[0]+"/v1/me/cv.pdf", c.Token))(t); a.Status != http.StatusOK {
		t.Fatalf("before the test: %s", a)
	}
	release := d.hold(t, c)
	responses, errs := make([]partner.Response, pending), make([]error, pending)
	var wait sync.WaitGroup
	for i := range pending {
		wait.Go(func() { responses[i], errs[i] = d.send(t.Context(), c, i) })
	}
	s.awaitPending(t, d.service, d.method, pending)
	p := s.processes[d.process]
	if err := p.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	s.awaitClosed(t, d.process)
	release()
	wait.Wait()
	for i, a := range responses {
		if errs[i] != nil || a.Status != d.want {
			t.Errorf("a pending request: %s, %v", a, errs[i])
		}
	}
	if err := p.Err(); err != nil {
		t.Errorf("%s exited with %v", d.process, err)
	}
	s.start(t, d.process)
	s.awaitReady(t, d.process)
	// Its callers can reach the new process.
	c.awaitWhole(t)
}

// connectMany connects a person n times, and stores the refresh tokens.
func (c *scene) connectMany(t *testing.T, n int) {
	t.Helper()
	for range n {
		c.refresh = append(c.refresh, expect.Must(c.Connect(t.Context(), person.New(c.Revoker.Email, c.Revoker.Password)))(t).Refresh)
	}
}

// lock holds a lock in a database until unlock is called.
func (s *system) lock(t *testing.T, store, statement string) (unlock func()) {
	t.Helper()
	conn := expect.Must(pgx.Connect(t.Context(), s.pg.URL(store)))(t)
	tx := expect.Must(conn.Begin(t.Context()))(t)
	expect.Must(tx.Exec(t.Context(), statement))(t)
	unlock = sync.OnceFunc(func() { _ = conn.Close(context.Background()) })
	t.Cleanup(unlock)
	return unlock
}

// awaitPending waits until a process has n pending calls of a method.
func (s *system) awaitPending(t *testing.T, process, method string, n int) {
	t.Helper()
	expect.Eventually(t, "requests are pending", func(ctx context.Context) error {
		// In this order, a call that ends between the two reads does not count as pending.
		started, err := s.metric(ctx, process, "grpc_server_started_total", methodLabels(method)...)
		if err != nil {
			return err
		}
		handled, err := s.metric(ctx, process, "grpc_server_handled_total", methodLabels(method)...)
		if working := started - handled; err == nil && working < float64(n) {
			err = fmt.Errorf("%v of %d", working, n)
		}
		return err
	})
}

// awaitClosed waits until a process accepts no new connections, because it has received the signal.
func (s *system) awaitClosed(t *testing.T, name string) {
	t.Helper()
	expect.Eventually(t, name+" stops listening", func(ctx context.Context) error {
		if s.listens(ctx, name) {
			return fmt.Errorf("%s still listens", name)
		}
		return nil
	})
}
