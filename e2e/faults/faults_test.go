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

// fault is a way to break and repair the system.
type fault struct {
	name string
	// prepare runs before the load. It may be nil.
	prepare      func(*testing.T, *system)
	breaks, mend func(*testing.T, *system)
	// unready is the process whose /readyz must fail during the fault, or "" if there is none.
	unready string
	// edge is the replica that may be unreachable during the fault, or "" if there is none.
	edge string
	// unharmed lists the reads that must succeed during the fault.
	unharmed []string
	// beyond is the number of requests that may be admitted in addition to the daily quota.
	beyond int64
	// short includes the fault in the short form.
	short bool
}

const (
	// separateExcess is the excess if each of the two replicas enforces the limits on its own.
	separateExcess = smallDay
	// lostCounterExcess is the excess if the day's counter is lost. It is restored from what one
	// replica and auth know, without the last requests that the other replica admitted.
	lostCounterExcess = smallDay / 5
)

// calm reports whether a read on a replica must succeed during the fault.
func (f fault) calm(read, edge string) bool {
	return f.edge != edge && slices.Contains(f.unharmed, read)
}

var everyRead = []string{"me", "cv", "company", "job", "candidates", "application"}

// readsWithout lists the reads that do not need a process. Without auth, reads succeed as long as a session
// record exists, but no test may rely on that.
var readsWithout = map[string][]string{
	"auth": nil, "candidate": {"company", "job"}, "partnercatalog": {"me", "cv", "application"}, "edge1": everyRead, "edge2": everyRead,
}

// processFaults returns all faults of a process.
func processFaults(name string) []fault {
	edge := ""
	if slices.Contains(edges, name) {
		edge = name
	}
	again := func(t *testing.T, s *system) { s.start(t, name) }
	signal := func(sig syscall.Signal) func(*testing.T, *system) {
		return func(t *testing.T, s *system) {
			if err := s.processes[name].Signal(sig); err != nil {
				t.Fatal(err)
			}
		}
	}
	return []fault{
		{name: "kill " + name, breaks: func(_ *testing.T, s *system) { s.processes[name].Kill() }, mend: again, edge: edge, unharmed: readsWithout[name], short: name == "auth"},
		{name: "freeze " + name, breaks: signal(syscall.SIGSTOP), mend: signal(syscall.SIGCONT), edge: edge, unharmed: readsWithout[name]},
		{name: "stop " + name, breaks: signal(syscall.SIGTERM), mend: func(t *testing.T, s *system) {
			if err := s.processes[name].Err(); err != nil {
				t.Errorf("%s exited with %v", name, err)
			}
			again(t, s)
		}, edge: edge, unharmed: readsWithout[name]},
	}
}

// storeFaults returns the faults of Postgres and Redis.
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
		{name: "FLUSHALL and SCRIPT FLUSH", breaks: check(flush), mend: nothing, unharmed: everyRead, beyond: lostCounterExcess},
		{
			name: "stop redis", breaks: check(func(ctx context.Context, s *system) error { return s.redis.Stop(ctx) }),
			mend: check(func(ctx context.Context, s *system) error { return s.redis.Restart(ctx) }), beyond: separateExcess, unharmed: everyRead,
		},
		{
			name: "freeze redis", breaks: check(func(_ context.Context, s *system) error { return s.redis.Freeze() }),
			mend: check(func(_ context.Context, s *system) error { return s.redis.Thaw() }), beyond: separateExcess, unharmed: everyRead,
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

// cutFault returns a fault that cuts the network connection between a process and Postgres.
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
		unharmed: readsWithout[name], unready: name, short: name == "candidate",
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

// allFaults returns the faults of TestFaultsBreakNoPromise. The renderer has its own tests.
func allFaults() []fault {
	all := storeFaults()
	for _, name := range stores {
		all = append(all, cutFault(name))
	}
	for _, name := range slices.Concat(stores, edges) {
		all = append(all, processFaults(name)...)
	}
	return all
}
