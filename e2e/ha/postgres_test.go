package ha_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/stack"
	"vitae.internal/e2e/internal/suite"
	"vitae.internal/e2e/internal/world"
	"vitae.internal/pkg/backing"
)

// standbys is how many standbys of Postgres there are, each of them synchronous.
const standbys = 2

// way is how the parts find the primary.
type way struct {
	name string
	url  func(*backing.PostgresGroup) string
}

func ways() []way {
	return []way{
		{"by HAProxy", func(g *backing.PostgresGroup) string { return g.URL("postgres") }},
		{"by target_session_attrs", func(g *backing.PostgresGroup) string { return g.HostsURL("postgres") }},
	}
}

func TestAFailoverOfPostgresLosesNothingThatWasAcknowledged(t *testing.T) {
	for _, w := range ways() {
		t.Run(w.name, func(t *testing.T) {
			g := newGroup(t)
			l := newLoad(t, start(t, "VITAE_POSTGRES_URL="+w.url(g)))
			stop := l.run(t)
			awaitMore(t, "acknowledged writes", &l.acknowledged, 60)
			before := expect.Must(g.Primary(t.Context()))(t)
			l.breaks()
			before.Kill()
			l.awaitWhole(t)
			t.Logf("the primary was killed: %s", l.seconds())
			if after := expect.Must(g.Primary(t.Context()))(t); after == before {
				t.Error("no standby was promoted: the test proves nothing")
			}
			if err := before.Restart(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := g.AwaitStandbys(t.Context(), standbys); err != nil {
				t.Fatal(err)
			}
			l.awaitWhole(t)
			stop()
			l.auditJobs(t)
			l.audit(t, l.BaseURLs)
		})
	}
}

func newGroup(t *testing.T) *backing.PostgresGroup {
	t.Helper()
	g := expect.Must(backing.StartPostgresGroup(t.Context(), newPlace(t), standbys))(t)
	t.Cleanup(g.Kill)
	return g
}

// start starts the whole system on servers of the test.
func start(t *testing.T, settings ...string) *stack.Stack {
	t.Helper()
	return suite.Start(t, "stack-"+world.Unique(), append(settings, suite.NoTiers)...)
}

// newPlace is a folder for servers, which run as another user.
func newPlace(t *testing.T) string {
	t.Helper()
	dir := expect.Must(os.MkdirTemp(suite.Scratch, "servers-"))(t)
	if err := errors.Join(os.Chmod(dir, 0o711), context.Cause(t.Context())); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "ha")
}
