package throttle_test

import (
	"fmt"
	"testing"
	"time"

	"vitae.internal/pkg/redisx"
	"vitae.internal/pkg/testkit"
	"vitae.internal/services/auth/internal/people/guesses/throttle"
	"vitae.internal/services/auth/internal/redis"
)

func TestMain(m *testing.M) { testkit.Main(m) }

var start = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

const victim = "owner@example.com"

// counters runs a test with each implementation of Counter.
func counters(t *testing.T, test func(t *testing.T, c throttle.Counter)) {
	t.Run("memory", func(t *testing.T) { test(t, throttle.NewMemory()) })
	t.Run("redis", func(t *testing.T) {
		rdb, err := redisx.Open(redisx.Config{URL: testkit.Redis(t)})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = rdb.Close() })
		attempts, err := redis.NewAttempts(rdb)
		if err != nil {
			t.Fatal(err)
		}
		test(t, attempts)
	})
}

func admit(t *testing.T, c throttle.Counter, email, ip string, now time.Time) time.Duration {
	t.Helper()
	wait, err := c.Admit(t.Context(), throttle.NewAttempt(email, ip), now)
	if err != nil {
		t.Fatal(err)
	}
	return wait
}

func TestGuessesFromOneAddressAreSlowed(t *testing.T) {
	counters(t, func(t *testing.T, c throttle.Counter) {
		now := start
		for i := range throttle.FreePerPair {
			if wait := admit(t, c, victim, "203.0.113.7", now); wait != 0 {
				t.Fatalf("free attempt %d waits %v", i, wait)
			}
		}
		for _, want := range []time.Duration{1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300} {
			if wait := admit(t, c, victim, "203.0.113.7", now); wait != want*time.Second {
				t.Fatalf("waits %v, want %v", wait, want*time.Second)
			}
			now = now.Add(want * time.Second)
			if wait := admit(t, c, victim, "203.0.113.7", now); wait != 0 {
				t.Fatalf("still waits %v", wait)
			}
		}
	})
}

func TestGuessesElsewhereDoNotSlowTheOwner(t *testing.T) {
	counters(t, func(t *testing.T, c throttle.Counter) {
		for i := range 500 {
			admit(t, c, victim, fmt.Sprintf("198.51.100.%d", i%250), start)
		}
		// The owner also mistypes the password.
		for i := range throttle.FreePerPair {
			if wait := admit(t, c, victim, "203.0.113.7", start); wait != 0 {
				t.Fatalf("attempt %d of the owner waits %v", i, wait)
			}
		}
	})
}

func TestTakeBackLeavesNoCount(t *testing.T) {
	counters(t, func(t *testing.T, c throttle.Counter) {
		a := throttle.NewAttempt(victim, "203.0.113.7")
		for i := range 3 * throttle.FreePerAddress {
			if wait := admit(t, c, victim, "203.0.113.7", start); wait != 0 {
				t.Fatalf("attempt %d waits %v", i, wait)
			}
			if err := c.TakeBack(t.Context(), a); err != nil {
				t.Fatal(err)
			}
		}
		// Earlier failures stay.
		for range throttle.FreePerPair {
			admit(t, c, victim, "203.0.113.7", start)
		}
		if wait := admit(t, c, victim, "203.0.113.7", start); wait != time.Second {
			t.Errorf("waits %v", wait)
		}
	})
}

func TestGuessingManyEmailsIsSlowed(t *testing.T) {
	counters(t, func(t *testing.T, c throttle.Counter) {
		for i := range throttle.FreePerAddress {
			if wait := admit(t, c, fmt.Sprintf("p%d@example.com", i), "2001:db8::1", start); wait != 0 {
				t.Fatalf("attempt %d waits %v", i, wait)
			}
		}
		if wait := admit(t, c, "another@example.com", "2001:db8::ffff", start); wait != time.Second {
			t.Errorf("a different address in the same /64 waits %v", wait)
		}
		if wait := admit(t, c, "another@example.com", "2001:db8:0:1::1", start); wait != 0 {
			t.Errorf("an address in a different /64 waits %v", wait)
		}
	})
}

func TestRightPasswordsAreNotCharged(t *testing.T) {
	counters(t, func(t *testing.T, c throttle.Counter) {
		for i := range 100 {
			if wait := admit(t, c, victim, "203.0.113.7", start); wait != 0 {
				t.Fatalf("sign-in %d waits %v", i, wait)
			}
			if err := c.Forgive(t.Context(), throttle.NewAttempt(victim, "203.0.113.7")); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func TestConcurrentAttemptsDoNotWait(t *testing.T) {
	counters(t, func(t *testing.T, c throttle.Counter) {
		admit(t, c, "first@example.com", "203.0.113.7", start)
		// Another replica has read its clock earlier, but counts its attempt later.
		earlier := start.Add(-3 * time.Millisecond)
		for _, email := range []string{"second@example.com", "first@example.com"} {
			if wait := admit(t, c, email, "203.0.113.7", earlier); wait != 0 {
				t.Errorf("%s waits %v", email, wait)
			}
		}
	})
}

func TestCountsExpire(t *testing.T) {
	counters(t, func(t *testing.T, c throttle.Counter) {
		for range throttle.FreePerPair {
			admit(t, c, victim, "203.0.113.7", start)
		}
		if wait := admit(t, c, victim, "203.0.113.7", start.Add(throttle.Window+time.Second)); wait != 0 {
			t.Errorf("waits %v", wait)
		}
	})
}
