package e2e_test

import (
	"context"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/redis/go-redis/v9"
	"golang.org/x/sync/errgroup"

	"vitae.internal/e2e/internal/partner"
)

// tries is how often a dead credential is presented after the answer that ended it.
const tries = 1000

// ending is one way to end what a connection holds.
type ending struct {
	name string
	end  func(testing.TB, connected)
	// path that must be refused, with this status and code.
	path   string
	status int
	code   string
}

var endings = []ending{
	{"the access token is revoked", func(t testing.TB, c connected) {
		revoked(t, must(c.app.Revoke(t.Context(), c.tokens.Access))(t))
	}, "/v1/me", http.StatusUnauthorized, "OAUTH_INVALID_TOKEN"},
	{"the refresh token is revoked", func(t testing.TB, c connected) {
		revoked(t, must(c.app.Revoke(t.Context(), c.tokens.Refresh))(t))
	}, "/v1/me/cv", http.StatusUnauthorized, "OAUTH_INVALID_TOKEN"},
	{"the person disconnects", func(t testing.TB, c connected) {
		if err := c.person.Disconnect(t.Context(), c.stack.AppURLs[0], c.appName(t, "web")); err != nil {
			t.Fatal(err)
		}
	}, "/v1/me", http.StatusUnauthorized, "OAUTH_INVALID_TOKEN"},
	{"an operator disconnects", func(t testing.TB, c connected) {
		connection := at(success(t, c.get(t, "/v1/me")), "connection", "id").(string)
		c.vitaectl(t, "person", "disconnect", "--person", c.created.People["layla"].ID, "--connection", connection)
	}, "/v1/me", http.StatusUnauthorized, "OAUTH_INVALID_TOKEN"},
	{"the person turns sharing off", func(t testing.TB, c connected) {
		c.share(t, false)
	}, "/v1/me/cv", http.StatusForbidden, "OAUTH_INSUFFICIENT_SCOPE"},
	{"the account is suspended", func(t testing.TB, c connected) {
		c.vitaectl(t, "account", "suspend", c.created.Developers["dev"].ID)
	}, "/v1/me", http.StatusForbidden, "DEVELOPER_ACCOUNT_SUSPENDED"},
	{"a rotated token is presented", func(t testing.TB, c connected) {
		must(must(c.app.Refresh(t.Context(), c.tokens.Refresh, ""))(t).Tokens())(t)
		flatRefused(t, must(c.app.Refresh(t.Context(), c.tokens.Refresh, ""))(t), http.StatusBadRequest, "invalid_grant")
	}, "/v1/me", http.StatusUnauthorized, "OAUTH_INVALID_TOKEN"},
}

func TestNoReplicaAcceptsATokenAfterItsEndWasAnswered(t *testing.T) {
	t.Parallel()
	for _, e := range endings {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			c := everything(t)
			c.warm(t, e.path)
			e.end(t, c)
			c.present(t, e, nil)
		})
	}
}

func TestNoReplicaAcceptsADeadTokenWhileRedisForgets(t *testing.T) {
	t.Parallel()
	flush := flusher(t)
	for _, e := range endings {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			c := everything(t)
			c.warm(t, e.path)
			e.end(t, c)
			c.present(t, e, flush)
		})
	}
}

func TestNoReplicaAcceptsADeadTokenUnderLoad(t *testing.T) {
	t.Parallel()
	flush := flusher(t)
	for _, e := range endings {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			c := everything(t)
			stop := c.load(t, e.path, flush)
			e.end(t, c)
			c.present(t, e, nil)
			stop()
			c.present(t, e, nil)
		})
	}
}

// warm has every replica accept the token, so that session records are there.
func (c connected) warm(t testing.TB, path string) {
	t.Helper()
	for range 3 {
		for _, at := range c.replicas(c.app) {
			success(t, must(at.Get(t.Context(), path, c.tokens.Access))(t))
		}
	}
}

// present presents the token at every replica and counts how often it is taken.
func (c connected) present(t testing.TB, e ending, between func(context.Context) error) {
	t.Helper()
	edges := c.replicas(c.app)
	var accepted atomic.Int64
	group, ctx := errgroup.WithContext(t.Context())
	group.SetLimit(16)
	for i := range tries {
		group.Go(func() error {
			if between != nil && i%50 == 0 {
				if err := between(ctx); err != nil {
					return err
				}
			}
			a, err := edges[i%len(edges)].Get(ctx, e.path, c.tokens.Access)
			if err != nil {
				return err
			}
			if a.Status != e.status || a.Code() != e.code {
				accepted.Add(1)
				t.Errorf("request %d: %s, want %d %s", i, a, e.status, e.code)
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	if n := accepted.Load(); n > 0 {
		t.Errorf("%d of %d requests were not refused as they must be", n, tries)
	}
}

// load reads with the token at every replica, and flushes Redis now and then, so
// that fills of session records are in flight all the time. It starts when every
// reader has been answered once; the result stops it.
func (c connected) load(t testing.TB, path string, flush func(context.Context) error) func() {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var wait, warm sync.WaitGroup
	edges := c.replicas(c.app)
	const readers = 4
	warm.Add(readers)
	for i := range readers {
		wait.Go(func() {
			first := sync.OnceFunc(warm.Done)
			defer first()
			for n := 0; ctx.Err() == nil; n++ {
				if n%25 == 0 && flush(ctx) != nil {
					return
				}
				if _, err := edges[i%len(edges)].Get(ctx, path, c.tokens.Access); err != nil {
					return
				}
				first()
			}
		})
	}
	warm.Wait()
	stop := func() {
		cancel()
		wait.Wait()
	}
	t.Cleanup(stop)
	return stop
}

// flusher empties the stack's Redis.
func flusher(t testing.TB) func(context.Context) error {
	t.Helper()
	address := must(system.Setting("gateway", "VITAE_REDIS_URL"))(t)
	client := redis.NewClient(must(redis.ParseURL(address))(t))
	t.Cleanup(func() { _ = client.Close() })
	return func(ctx context.Context) error { return client.FlushAll(ctx).Err() }
}

func TestLiveTokensAreServedWhileRedisForgets(t *testing.T) {
	t.Parallel()
	flush := flusher(t)
	c := everything(t)
	for range 30 {
		if err := flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		c.alive(t, c.tokens.Access)
	}
}

func TestSuspendedAccountIsRefusedEverywhereAndResumes(t *testing.T) {
	t.Parallel()
	c := everything(t)
	link := c.link(t)
	request := c.app.NewRequest(allScopes)
	account := c.created.Developers["dev"].ID
	c.vitaectl(t, "account", "suspend", account)
	for _, edge := range c.replicas(c.app) {
		for _, path := range []string{"/v1/me", "/v1/me/cv", "/v1/me/cv.pdf"} {
			refused(t, must(edge.Get(t.Context(), path, c.tokens.Access))(t), http.StatusForbidden, "DEVELOPER_ACCOUNT_SUSPENDED")
		}
		refused(t, must(partner.Get(t.Context(), edge.BaseURL+mustPath(t, link), ""))(t), http.StatusForbidden, "DEVELOPER_ACCOUNT_SUSPENDED")
		flatRefused(t, must(edge.Introspect(t.Context(), c.tokens.Access))(t), http.StatusForbidden, "access_denied")
		flatRefused(t, must(edge.Refresh(t.Context(), c.tokens.Refresh, ""))(t), http.StatusForbidden, "access_denied")
		flatRefused(t, must(edge.Exchange(t.Context(), "x", "y"))(t), http.StatusForbidden, "access_denied")
		refused(t, must(edge.Revoke(t.Context(), c.tokens.Access))(t), http.StatusForbidden, "DEVELOPER_ACCOUNT_SUSPENDED")
		refused(t, must(partner.Get(t.Context(), edge.URL(request), ""))(t), http.StatusForbidden, "DEVELOPER_ACCOUNT_SUSPENDED")
	}
	c.vitaectl(t, "account", "resume", account)
	c.alive(t, c.tokens.Access)
	if a := open(t, link); a.Status != http.StatusOK {
		t.Errorf("the link after the account was resumed: %s", a)
	}
}

// mustPath is an address without scheme and host.
func mustPath(t testing.TB, address string) string {
	t.Helper()
	return must(url.Parse(address))(t).RequestURI()
}
