package faults_test

import (
	"context"
	"net/url"
	"slices"
	"syscall"
	"testing"

	"github.com/redis/go-redis/v9"

	"vitae.internal/e2e/internal/expect"
)

// fault is something that breaks, and is mended.
type fault struct {
	name string
	// prepare comes before the load; nil for nothing.
	prepare      func(*testing.T, *system)
	breaks, mend func(*testing.T, *system)
	// unready is the part that says meanwhile that it cannot do its work; empty for
	// none.
	unready string
	// edge is the replica that may answer nothing at all meanwhile.
	edge string
	// unharmed are the reads that must be served throughout.
	unharmed []string
	// beyond is how many requests more than a day's budget it may let through.
	beyond int64
	// short puts it into the short form.
	short bool
}

const (
	// alone is for two replicas that hold the limits each for itself.
	alone = smallDay
	// unseen is for a day's counter that is lost: it begins again from what one replica
	// and the books know, which lack what another replica let through just before.
	unseen = smallDay / 5
)

// calm says whether a read at an edge must be served throughout.
func (f fault) calm(read, edge string) bool {
	return f.edge != edge && slices.Contains(f.unharmed, read)
}

var everyRead = []string{"me", "cv", "company", "job", "candidates", "application"}

// without are the reads that do not need a part. Those that need auth go on for as
// long as the edge knows the credential, which no test should bet on.
var without = map[string][]string{
	"auth": nil, "candidate": {"company", "job"}, "partnercatalog": {"me", "cv", "application"}, "edge1": everyRead, "edge2": everyRead,
}

// partFaults are all that can happen to a part.
func partFaults(name string) []fault {
	edge := ""
	if slices.Contains(edges, name) {
		edge = name
	}
	again := func(t *testing.T, s *system) { s.start(t, name) }
	signal := func(sig syscall.Signal) func(*testing.T, *system) {
		return func(t *testing.T, s *system) {
			if err := s.parts[name].Signal(sig); err != nil {
				t.Fatal(err)
			}
		}
	}
	return []fault{
		{name: "kill " + name, breaks: func(_ *testing.T, s *system) { s.parts[name].Kill() }, mend: again, edge: edge, unharmed: without[name], short: name == "auth"},
		{name: "freeze " + name, breaks: signal(syscall.SIGSTOP), mend: signal(syscall.SIGCONT), edge: edge, unharmed: without[name]},
		{name: "end " + name, breaks: signal(syscall.SIGTERM), mend: func(t *testing.T, s *system) {
			if err := s.parts[name].Err(); err != nil {
				t.Errorf("%s ended with %v", name, err)
			}
			again(t, s)
		}, edge: edge, unharmed: without[name]},
	}
}

// storeFaults are those of Postgres and Redis.
func storeFaults() []fault {
	nothing := func(*testing.T, *system) {}
	check := func(do func(context.Context, *system) error) func(*testing.T, *system) {
		return func(t *testing.T, s *system) {
			if err := do(t.Context(), s); err != nil {
				t.Fatal(err)
			}
		}
	}
	return []fault{
		{name: "FLUSHALL and SCRIPT FLUSH", breaks: check(flush), mend: nothing, unharmed: everyRead, beyond: unseen},
		{
			name: "stop redis", breaks: check(func(ctx context.Context, s *system) error { return s.redis.Stop(ctx) }),
			mend: check(func(ctx context.Context, s *system) error { return s.redis.Restart(ctx) }), beyond: alone, unharmed: everyRead,
		},
		{
			name: "freeze redis", breaks: check(func(_ context.Context, s *system) error { return s.redis.Freeze() }),
			mend: check(func(_ context.Context, s *system) error { return s.redis.Thaw() }), beyond: alone, unharmed: everyRead,
		},
		{
			name: "stop postgres", breaks: check(func(ctx context.Context, s *system) error { return s.pg.Stop(ctx) }),
			mend: check(func(ctx context.Context, s *system) error { return s.pg.Restart(ctx) }), short: true,
		},
		{
			name: "kill postgres", breaks: func(_ *testing.T, s *system) { s.pg.Kill() },
			mend: check(func(ctx context.Context, s *system) error { return s.pg.Restart(ctx) }),
		},
	}
}

// cutFault takes Postgres from one part alone.
func cutFault(name string) fault {
	var network *proxy
	return fault{
		name: "cut " + name + " off from postgres",
		prepare: func(t *testing.T, s *system) {
			at := expect.Must(url.Parse(s.pg.URL(name)))(t)
			network = newProxy(t, at.Host)
			at.Host = network.addr
			s.redirect(t, name, "VITAE_POSTGRES_URL="+at.String())
		},
		breaks:   func(*testing.T, *system) { network.refuse() },
		mend:     func(t *testing.T, _ *system) { network.heal(t) },
		unharmed: without[name], unready: name, short: name == "candidate",
	}
}

func flush(ctx context.Context, s *system) error {
	o, err := redis.ParseURL(s.redis.URL())
	if err != nil {
		return err
	}
	rdb := redis.NewClient(o)
	defer rdb.Close()
	if err := rdb.FlushAll(ctx).Err(); err != nil {
		return err
	}
	return rdb.ScriptFlush(ctx).Err()
}

// allFaults are those of the rounds. What happens to the renderer has tests of its
// own.
func allFaults() []fault {
	all := storeFaults()
	for _, name := range stores {
		all = append(all, cutFault(name))
	}
	for _, name := range slices.Concat(stores, edges) {
		all = append(all, partFaults(name)...)
	}
	return all
}
