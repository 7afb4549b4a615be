package app_test

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"vitae.internal/pkg/backing"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/testkit"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

const owner = "owner@example.com"

// create creates a person who has never signed in.
func (w *world) create(email string) {
	w.Helper()
	_, err := w.people.CreatePerson(w.Context(), &authv1.CreatePersonRequest{Email: email, Password: plainWord})
	w.must(err)
}

// For an hour, passwords are guessed at twenty times the permitted rate. Package ceiling tests the same rule with
// ten thousand guesses.
func TestGuessesFromManyAddressesAreCapped(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.create(owner)
	home := w.browser("203.0.113.7")
	w.must(home.signIn(owner, plainWord))
	checked, signedIn := 0, 0
	fresh := w.browser("192.0.2.44") // the owner's new phone
	var due time.Time
	for i := range 2000 {
		if w.guess(owner, i) {
			checked++
		}
		w.clock.Advance(time.Hour / 2000)
		switch {
		case i%200 == 100:
			for range 3 {
				wantCode(t, home.signIn(owner, "a typo"), "SIGN_IN_FAILED")
			}
			w.must(home.signIn(owner, plainWord))
			signedIn++
		case i == 1000:
			wait := w.waits(fresh.signIn(owner, plainWord))
			if wait > 5*time.Minute {
				t.Errorf("a new browser must wait %v", wait)
			}
			due = w.clock.Now().Add(wait)
		case !due.IsZero() && !w.clock.Now().Before(due):
			if err := fresh.signIn(owner, plainWord); err != nil {
				t.Fatalf("a new browser after the waiting time: %v", err)
			}
			due = time.Time{}
		}
	}
	if checked > 100 || checked < 10 || signedIn != 10 || !due.IsZero() {
		t.Errorf("%d passwords were checked, the owner signed in %d times", checked, signedIn)
	}
	// The account now also knows the new browser.
	for range 3 {
		wantCode(t, fresh.signIn(owner, "a typo"), "SIGN_IN_FAILED")
	}
	w.must(fresh.signIn(owner, plainWord))
}

func TestRightPasswordsAreNotCounted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.create(owner)
	for i := range 60 { // more sign-ins than the ceiling admits
		w.clock.Advance(time.Second)
		w.must(w.signIn(owner, plainWord, elsewhere(i)).err)
	}
	for range 60 { // more sign-ins than one IP address may try
		w.must(w.signIn(owner, plainWord, "203.0.113.7").err)
	}
	var known int
	w.must(w.db.QueryRow(t.Context(), "SELECT count(*) FROM devices").Scan(&known))
	if known != 50 {
		t.Errorf("the account knows %d browsers, want the latest 50", known)
	}
}

// An attempt that the ceiling rejects is not counted as a failure from its IP address.
func TestUncheckedAttemptsAreNotCounted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.create(owner)
	for i := range 10 {
		w.guess(owner, i)
	}
	for i := range 10 {
		if wait := w.waits(w.signIn(owner, plainWord, "203.0.113.7").err); wait != time.Minute {
			t.Fatalf("attempt %d must wait %v", i, wait)
		}
	}
}

// All replicas share one ceiling, which applies even if Redis is down.
func TestCeilingIsSharedWithoutRedis(t *testing.T) {
	t.Parallel()
	server := testkit.PrivateRedis(t)
	w := newWorldOn(t, server.URL())
	w.create(owner)
	home := w.browser("203.0.113.7")
	w.must(home.signIn(owner, plainWord))
	replicas := []*world{w, w.replica(), w.replica()}
	server.Kill()
	checked := 0
	for i := range 300 {
		if replicas[i%3].guess(owner, i) {
			checked++
		}
	}
	if checked != 10 {
		t.Errorf("%d passwords were checked", checked)
	}
	for _, r := range replicas {
		home.world = r
		w.must(home.signIn(owner, plainWord))
	}
}

func TestConcurrentGuessesStayUnderCeiling(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.create(owner)
	var checked atomic.Int32
	atOnce(200, []*world{w, w.replica()}, func(i int, w *world) {
		if w.guess(owner, i) {
			checked.Add(1)
		}
	})
	if n := checked.Load(); n != 10 {
		t.Errorf("%d passwords were checked", n)
	}
}

func TestCeilingHidesWhetherAccountExists(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.create(owner)
	for i := range 60 {
		there, none := w.signIn(owner, "guess", elsewhere(i)).err, w.signIn("nobody@example.com", "guess", elsewhere(i)).err
		if there.Error() != none.Error() || w.wait(there) != w.wait(none) {
			t.Fatalf("guess %d: %v and %v", i, there, none)
		}
	}
}

func (w *world) wait(err error) time.Duration {
	e, _ := errs.As(err)
	return e.RetryAfter
}

func TestOwnerSignsInWithoutRedis(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(*backing.Redis) error{
		"killed": func(r *backing.Redis) error { r.Kill(); return nil },
		"frozen": (*backing.Redis).Freeze,
	} {
		t.Run(name, func(t *testing.T) {
			server := testkit.PrivateRedis(t)
			w := newWorldOn(t, server.URL())
			w.create(owner)
			w.must(spoil(server))
			home := w.browser("203.0.113.7")
			wantCode(t, home.signIn(owner, "a typo"), "SIGN_IN_FAILED")
			w.must(home.signIn(owner, plainWord))
			w.must(home.signIn(owner, plainWord))
		})
	}
}

// attemptsCounted returns the metric's value for the given kind of attempt.
func attemptsCounted(t *testing.T, outcome, known string) (n float64) {
	t.Helper()
	families, err := prometheus.DefaultGatherer.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range families {
		for _, m := range family.GetMetric() {
			labels := map[string]string{}
			for _, l := range m.GetLabel() {
				labels[l.GetName()] = l.GetValue()
			}
			if family.GetName() == "vitae_sign_in_attempts_total" && labels["outcome"] == outcome && labels["known"] == known {
				n += m.GetCounter().GetValue()
			}
		}
	}
	return n
}

// Not parallel: the metrics are global.
func TestSignInOutcomesAreCounted(t *testing.T) {
	w := newWorld(t)
	w.create(owner)
	home := w.browser("203.0.113.7")
	before := map[[2]string]float64{}
	want := map[[2]string]float64{
		{"signed_in", "no"}: 1, {"signed_in", "yes"}: 1, {"wrong", "yes"}: 1, {"wrong", "no"}: 15, {"ceiling", "no"}: 5, {"address", "no"}: 2,
	}
	for k := range want {
		before[k] = attemptsCounted(t, k[0], k[1])
	}
	w.must(home.signIn(owner, plainWord))
	wantCode(t, home.signIn(owner, "a typo"), "SIGN_IN_FAILED")
	w.must(home.signIn(owner, plainWord))
	for i := range 10 {
		w.guess(owner, i)
	}
	for i := range 5 {
		w.waits(w.signIn(owner, "guess", elsewhere(100+i)).err)
	}
	for range 5 {
		wantCode(t, w.signIn("nobody@example.com", "guess", "198.51.100.1").err, "SIGN_IN_FAILED")
	}
	for range 2 {
		w.waits(w.signIn("nobody@example.com", "guess", "198.51.100.1").err)
	}
	for k, n := range want {
		if got := attemptsCounted(t, k[0], k[1]) - before[k]; got != n {
			t.Errorf("%v: %v counted, want %v", k, got, n)
		}
	}
}
