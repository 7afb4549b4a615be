package app_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// besieged returns a world in which the owner's account has so many failed attempts that only known browsers can
// sign in immediately. The owner has signed in at home before.
func besieged(t *testing.T) (w *world, home *browser) {
	t.Helper()
	w = newWorld(t)
	w.create(owner)
	home = w.browser("203.0.113.7")
	w.must(home.signIn(owner, plainWord))
	w.besiege()
	return w, home
}

func (w *world) besiege() {
	w.Helper()
	for i := range 20 {
		w.guess(owner, i)
	}
	w.waits(w.signIn(owner, plainWord, "192.0.2.1").err)
}

func TestGuessingBrowserIsNoLongerKnown(t *testing.T) {
	t.Parallel()
	w, home := besieged(t)
	thief := *home
	thief.ip = "192.0.2.66"
	for range 10 {
		wantCode(t, thief.signIn(owner, "guess"), "SIGN_IN_FAILED")
	}
	w.waits(thief.signIn(owner, "guess"))
	w.waits(home.signIn(owner, plainWord)) // home has the same cookie as the thief
	// The owner has to wait, as with a new browser, and then gets a new token.
	w.clock.Advance(2 * time.Minute)
	w.must(home.signIn(owner, plainWord))
	if home.token == thief.token {
		t.Error("the token that lost the privilege got it back")
	}
	w.must(home.signIn(owner, plainWord))
	w.clock.Advance(time.Minute)
	_ = thief.signIn(owner, "guess")
	w.waits(thief.signIn(owner, "guess"))
}

func TestConcurrentGuessesOfBrowserAllCount(t *testing.T) {
	t.Parallel()
	w, home := besieged(t)
	results := make([]error, 100)
	atOnce(100, []*world{w, w.replica()}, func(i int, w *world) {
		b := *home
		b.world, b.ip = w, elsewhere(i)
		results[i] = b.signIn(owner, "guess")
	})
	checked := 0
	for _, err := range results {
		if w.wait(err) == 0 {
			wantCode(t, err, "SIGN_IN_FAILED")
			checked++
		}
	}
	if checked != 10 {
		t.Errorf("%d passwords were checked", checked)
	}
}

func TestBrowserIsForgottenAfterHalfAYear(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	w, home := besieged(t)
	known := func() bool {
		w.besiege()
		for range 5 {
			_ = w.signInWith(home, "guess")
		}
		return w.wait(w.signInWith(home, "guess")) == 0
	}
	w.clock.Advance(179 * day)
	if !known() {
		t.Error("the browser was forgotten too early")
	}
	w.must(home.signIn(owner, plainWord))
	w.clock.Advance(179 * day)
	w.cleanUp()
	if !known() {
		t.Error("a sign-in did not keep the browser known")
	}
	w.clock.Advance(2 * day)
	if known() {
		t.Error("the browser is still known after half a year")
	}
	w.clock.Advance(8 * day)
	w.cleanUp()
	var rows int
	w.must(w.db.QueryRow(t.Context(), `SELECT (SELECT count(*) FROM devices) + (SELECT count(*) FROM sign_in_ceilings)
		+ (SELECT count(*) FROM sign_in_turns)`).Scan(&rows))
	if rows != 0 {
		t.Errorf("%d rows are left", rows)
	}
}

func (w *world) signInWith(b *browser, password string) error {
	w.Helper()
	_, err := w.sessions.SignIn(w.Context(), &authv1.SignInRequest{Email: owner, Password: password, ClientIp: b.ip, DeviceToken: b.token})
	return err
}

func TestBrowserIsKnownToAllItsPeople(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	shared := w.browser("203.0.113.7")
	people := []string{owner, "sister@example.com", "brother@example.com"}
	for _, email := range people {
		w.create(email)
		w.must(shared.signIn(email, plainWord))
	}
	for _, email := range people { // with the token from the previous sign-in
		w.must(shared.signIn(email, plainWord))
	}
	token := shared.token
	for _, email := range people {
		for i := range 40 {
			w.guess(email, i)
		}
		w.must(shared.signIn(email, plainWord))
	}
	if shared.token != token {
		t.Error("people who share a browser lose its token to each other")
	}
}

// Signing in to a different account with a stolen cookie returns a new token, which the owner's account doesn't
// recognize. The owner's browser remains known.
func TestStolenCookieKeepsOwnersBrowserKnown(t *testing.T) {
	t.Parallel()
	w, home := besieged(t)
	w.create("mallory@example.com")
	for range 3 {
		thief := *home
		thief.ip = "192.0.2.66"
		for range 3 { // also with a token that has already been replaced
			w.must(thief.signIn("mallory@example.com", plainWord))
			if thief.token == home.token {
				t.Fatal("the stolen token is known to the thief's account")
			}
			w.waits(thief.signIn(owner, "guess"))
			thief.token = moved(t, w, thief)
		}
	}
	stolen := home.token
	w.must(home.signIn(owner, plainWord))
	if home.token != stolen {
		t.Error("the owner's browser has a different token")
	}
	var rows int
	w.must(w.db.QueryRow(t.Context(), `SELECT count(*) FROM devices d JOIN people p ON p.id = d.person_id WHERE p.email = $1`, owner).Scan(&rows))
	if rows > 2 {
		t.Errorf("successors accumulate: the owner has %d rows", rows)
	}
}

// moved signs in to a different account, and returns the browser's new token.
func moved(t *testing.T, w *world, b browser) string {
	t.Helper()
	email := fmt.Sprintf("%d@example.com", rand.Int64())
	w.create(email)
	w.must(b.signIn(email, plainWord))
	return b.token
}

func TestReplacedTokenIsKnownAfterSignIn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.create(owner)
	w.create("sister@example.com")
	shared := w.browser("203.0.113.7")
	w.must(shared.signIn(owner, plainWord))
	before := *shared
	w.must(shared.signIn("sister@example.com", plainWord))
	w.besiege()
	w.waits(shared.signIn(owner, plainWord))
	w.clock.Advance(2 * time.Minute)
	w.must(shared.signIn(owner, plainWord))
	if known := shared.token; known == before.token {
		t.Fatal("the token was not replaced")
	}
	w.besiege()
	w.must(shared.signIn(owner, plainWord))
	w.must(shared.signIn("sister@example.com", plainWord))
	before.ip = "192.0.2.66"
	_ = before.signIn(owner, "guess") // allowed once at its reserved time, like a returning browser
	w.waits(before.signIn(owner, "guess"))
}

func TestTokenBeforeReplacementIsUnknown(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.create(owner)
	w.create("mallory@example.com")
	thief := w.browser("192.0.2.66")
	w.must(thief.signIn(owner, plainWord))
	w.must(thief.signIn("mallory@example.com", plainWord))
	w.clock.Advance(time.Second)
	_, err := w.db.Exec(t.Context(), "UPDATE people SET password_set_at = $1 WHERE email = $2", w.clock.Now(), owner)
	w.must(err)
	home := *thief // home has the cookie that the thief planted
	w.must(home.signIn(owner, plainWord))
	if home.token == thief.token {
		t.Error("the owner's account knows the planted token")
	}
}

// An attacker who planted a cookie and therefore knows its token gains nothing when the owner signs
// in with it.
func TestPlantedCookieDoesNotBecomeKnown(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.create(owner)
	w.create("mallory@example.com")
	mallory := w.browser("192.0.2.66")
	w.must(mallory.signIn("mallory@example.com", plainWord))
	for name, planted := range map[string]string{"known to another account": mallory.token, "made up": "planted"} {
		home := w.browser("203.0.113.7")
		home.token, home.since = planted, w.clock.Now()
		w.must(home.signIn(owner, plainWord))
		if home.token == planted {
			t.Errorf("%s: the token was not replaced", name)
		}
		var known int
		w.must(w.db.QueryRow(t.Context(), `SELECT count(*) FROM devices d JOIN people p ON p.id = d.person_id
			WHERE p.email = $1 AND d.hash = sha256($2::bytea)`, owner, []byte(planted)).Scan(&known))
		if known != 0 {
			t.Errorf("%s: the account knows the planted token", name)
		}
	}
}
