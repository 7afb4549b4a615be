package ha_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/load"
	"vitae.internal/e2e/internal/stack"
	"vitae.internal/e2e/internal/suite"
	"vitae.internal/e2e/internal/world"
	"vitae.internal/pkg/backing/backingtest"
)

// standbys is the number of Postgres standbys, all of them synchronous.
const standbys = 2

// failover describes how the services find the primary, and how the primary fails and returns.
type failover struct {
	name    string
	url     func(*backingtest.PostgresGroup) string
	fail    func(*backingtest.PostgresNode) error
	restore func(context.Context, *backingtest.PostgresNode) error
}

func failovers() []failover {
	proxy := func(g *backingtest.PostgresGroup) string { return g.URL("postgres") }
	hosts := func(g *backingtest.PostgresGroup) string { return g.HostsURL("postgres") }
	kill := func(n *backingtest.PostgresNode) error { n.Kill(); return nil }
	restart := func(ctx context.Context, n *backingtest.PostgresNode) error { return n.Restart(ctx) }
	thaw := func(_ context.Context, n *backingtest.PostgresNode) error { return n.Thaw() }
	return []failover{
		{"killed, found by HAProxy", proxy, kill, restart},
		{"killed, found by target_session_attrs", hosts, kill, restart},
		// It resumes as a primary until its Patroni notices the failover.
		{"suspended and resumed, found by HAProxy", proxy, (*backingtest.PostgresNode).Freeze, thaw},
	}
}

func TestPostgresFailoverLosesNoWrite(t *testing.T) {
	for _, f := range failovers() {
		t.Run(f.name, func(t *testing.T) { failoverRound(t, f) })
	}
}

func failoverRound(t *testing.T, f failover) {
	g := newGroup(t)
	c := newClients(t, start(t, "VITAE_POSTGRES_URL="+f.url(g)), 0)
	stop := c.Run(t)
	load.Await(t, "acknowledged writes", &c.Acknowledged, 60)
	before := expect.Must(g.Primary(t.Context()))(t)
	c.Breaks()
	if err := f.fail(before); err != nil {
		t.Fatal(err)
	}
	c.awaitWhole(t)
	t.Logf("the primary: %s: %s", f.name, c.Impact())
	if after := expect.Must(g.Primary(t.Context()))(t); after == before {
		t.Error("no standby was promoted: the test proves nothing")
	}
	if err := f.restore(t.Context(), before); err != nil {
		t.Fatal(err)
	}
	if err := g.AwaitStandbys(t.Context(), standbys); err != nil {
		t.Fatal(err)
	}
	c.awaitWhole(t)
	stop()
	c.Audit(t)
}

func newGroup(t *testing.T) *backingtest.PostgresGroup {
	t.Helper()
	g := expect.Must(backingtest.StartPostgresGroup(t.Context(), newPlace(t), standbys))(t)
	t.Cleanup(g.Kill)
	return g
}

// start starts the whole system on the test's servers.
func start(t *testing.T, settings ...string) *stack.Stack {
	t.Helper()
	return suite.Start(t, "stack-"+world.Unique(), append(settings, suite.NoTiers, suite.Split)...)
}

// newPlace returns a folder for servers, which run as a different user.
func newPlace(t *testing.T) string {
	t.Helper()
	dir := expect.Must(os.MkdirTemp(suite.Scratch, "servers-"))(t)
	if err := errors.Join(os.Chmod(dir, 0o711), context.Cause(t.Context())); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "ha")
}
