package app_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"vitae.internal/pkg/errs"
	"vitae.internal/services/auth/app"
)

// narrow returns a replica that checks one password at a time and queues the given number of others. More memory (in
// KiB) makes each check slower.
func narrow(t *testing.T, waiting int, memory uint32) *world {
	t.Helper()
	w := newWorld(t)
	w.cfg.PasswordsAtOnce, w.cfg.PasswordsWaiting = 1, waiting
	return w.replica(app.WithPasswordCost(memory, 1, 1))
}

// attackers is larger than the queue, so the attackers always keep it full.
const attackers = 20

// flood signs in continuously while run is running, each time with another of the IP addresses that from generates.
// It returns the number of attempts rejected because the queue was full.
func (w *world) flood(from func(i int) string, run func()) int {
	w.Helper()
	var busy atomic.Int32
	var done atomic.Bool
	var flood sync.WaitGroup
	for i := range attackers {
		flood.Go(func() {
			for n := i; !done.Load(); n += attackers {
				switch err := w.signIn(fmt.Sprintf("nobody%d@example.com", n), "guess", from(n)).err; {
				case errs.HasCode(err, "SIGN_IN_BUSY"):
					if errs.KindOf(err) != errs.Exhausted || w.wait(err) <= 0 {
						w.Errorf("rejected with %v", err)
					}
					busy.Add(1)
				case !errs.HasCode(err, "SIGN_IN_FAILED") && !errs.HasCode(err, "SIGN_IN_SLOWED"):
					w.Errorf("the flood: %v", err)
				}
			}
		})
	}
	run()
	done.Store(true)
	flood.Wait()
	return int(busy.Load())
}

func TestOneAddressDoesNotStarveOthers(t *testing.T) {
	t.Parallel()
	w := narrow(t, 8, 4096)
	w.create(owner)
	home := w.browser("203.0.113.7")
	w.must(home.signIn(owner, plainWord))
	busy := w.flood(func(int) string { return "2001:db8:ffff::1" }, func() {
		for i := range 4 {
			w.must(w.signIn(owner, plainWord, elsewhere(i)).err)
			w.must(home.signIn(owner, plainWord))
			w.create(fmt.Sprintf("imported%d@example.com", i))
		}
	})
	if busy == 0 {
		t.Error("no attempt of the flood was rejected, so the test proves nothing")
	}
}

// Guessers who use a new IP address for each attempt fill the part of the queue reserved for unknown browsers. Known
// browsers and imports have their own parts.
func TestFloodDoesNotStarveKnownBrowsers(t *testing.T) {
	t.Parallel()
	w := narrow(t, 8, 4096)
	w.create(owner)
	home := w.browser("203.0.113.7")
	w.must(home.signIn(owner, plainWord))
	busy := w.flood(elsewhere, func() {
		for i := range 4 {
			w.must(home.signIn(owner, plainWord))
			w.create(fmt.Sprintf("imported%d@example.com", i))
		}
	})
	if busy == 0 {
		t.Error("no attempt of the flood was rejected, so the test proves nothing")
	}
}

// Attempts rejected because the queue is full must not use up an account's attempts.
func TestAttemptsRejectedAsBusyAreNotCounted(t *testing.T) {
	t.Parallel()
	w := narrow(t, 1, 16<<10) // attempts arrive faster than they are checked
	w.create(owner)
	var busy atomic.Int32
	for busy.Load() == 0 {
		atOnce(40, []*world{w}, func(i int, w *world) {
			if errs.HasCode(w.signIn(owner, plainWord, elsewhere(i)).err, "SIGN_IN_BUSY") {
				busy.Add(1)
			}
		})
	}
	var counted int
	w.must(w.db.QueryRow(t.Context(), "SELECT count(*) FROM sign_in_ceilings WHERE open_until > $1 OR turns_until > $1", w.clock.Now()).Scan(&counted))
	if counted != 0 {
		t.Error("the rejected attempts were counted")
	}
}
