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

// underWay is how many requests have begun when a part is asked to end. A service has
// more connections to its database, and the renderer works on as many PDFs for one
// person.
const underWay = 4

// drain keeps requests from being answered until a part has been asked to end.
type drain struct {
	part string
	// hold keeps requests from being answered until release is called.
	hold func(*testing.T, *scene) (release func())
	// service then has one call of method in progress for each request.
	service, method string
	ask             func(ctx context.Context, c *scene, n int) (partner.Response, error)
	want            int
}

func drains() []drain {
	lock := func(store, statement string) func(*testing.T, *scene) func() {
		return func(t *testing.T, c *scene) func() { return c.lock(t, store, statement) }
	}
	company := func(part string, edge int) drain {
		return drain{
			part, lock("partnercatalog", "LOCK TABLE companies IN SHARE MODE"),
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

func TestAPartThatIsAskedToEndAnswersEveryRequestThatHasBegun(t *testing.T) {
	s := newSystem(t)
	for _, d := range drains() {
		t.Run(d.part, func(t *testing.T) { drainRound(t, s, d) })
	}
}

func drainRound(t *testing.T, s *system, d drain) {
	c := newScene(t, s, fault{})
	c.connectMany(t, underWay)
	if a := expect.Must(partner.Get(t.Context(), c.BaseURLs[0]+"/v1/me/cv.pdf", c.Token))(t); a.Status != http.StatusOK {
		t.Fatalf("before: %s", a)
	}
	release := d.hold(t, c)
	answers, faults := make([]partner.Response, underWay), make([]error, underWay)
	var wait sync.WaitGroup
	for i := range underWay {
		wait.Go(func() { answers[i], faults[i] = d.ask(t.Context(), c, i) })
	}
	s.awaitUnderWay(t, d.service, d.method, underWay)
	p := s.parts[d.part]
	if err := p.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	s.awaitClosed(t, d.part)
	release()
	wait.Wait()
	for i, a := range answers {
		if faults[i] != nil || a.Status != d.want {
			t.Errorf("a request that had begun: %s, %v", a, faults[i])
		}
	}
	if err := p.Err(); err != nil {
		t.Errorf("%s ended with %v", d.part, err)
	}
	s.start(t, d.part)
	s.awaitReady(t, d.part)
	// Its callers reach the new process.
	c.awaitWhole(t)
}

// connectMany connects a person n times, each time with a new refresh token.
func (c *scene) connectMany(t *testing.T, n int) {
	t.Helper()
	for range n {
		c.refresh = append(c.refresh, expect.Must(c.Connect(t.Context(), person.New(c.Revoker.Email, c.Revoker.Password)))(t).Refresh)
	}
}

// lock holds a lock in the database of a part until unlock is called.
func (s *system) lock(t *testing.T, store, statement string) (unlock func()) {
	t.Helper()
	conn := expect.Must(pgx.Connect(t.Context(), s.pg.URL(store)))(t)
	tx := expect.Must(conn.Begin(t.Context()))(t)
	expect.Must(tx.Exec(t.Context(), statement))(t)
	unlock = sync.OnceFunc(func() { _ = conn.Close(context.Background()) })
	t.Cleanup(unlock)
	return unlock
}

// awaitUnderWay waits until a part works on n calls of a method.
func (s *system) awaitUnderWay(t *testing.T, part, method string, n int) {
	t.Helper()
	expect.Eventually(t, "requests under way", func(ctx context.Context) error {
		// In this order, a call that ends in between does not count as in progress.
		started, err := s.metric(ctx, part, "grpc_server_started_total", methodLabels(method)...)
		if err != nil {
			return err
		}
		handled, err := s.metric(ctx, part, "grpc_server_handled_total", methodLabels(method)...)
		if working := started - handled; err == nil && working < float64(n) {
			err = fmt.Errorf("%v of %d", working, n)
		}
		return err
	})
}

// awaitClosed waits until a part accepts no new connections: it has received the signal.
func (s *system) awaitClosed(t *testing.T, name string) {
	t.Helper()
	expect.Eventually(t, "end of "+name, func(ctx context.Context) error {
		if s.listens(ctx, name) {
			return fmt.Errorf("%s still listens", name)
		}
		return nil
	})
}
