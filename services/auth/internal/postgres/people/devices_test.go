package people_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"vitae.internal/pkg/credential"
	"vitae.internal/services/auth/internal/authtest"
	"vitae.internal/services/auth/internal/people/session"
)

func TestAttemptCountsForAKnownBrowser(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	p, other := w.Person(), w.Person()
	email := func(personID string) string { return personID + "@example.com" }
	device, now := credential.Hash("a browser"), w.Clock.Now()
	w.Must(w.Stores.Sessions.AddDevice(t.Context(), device, credential.Hash("none"), p, now, now.Add(time.Hour), 5))
	count := func(of credential.Digest, emailKey string, at time.Time, most int32) bool {
		t.Helper()
		counted, err := w.Stores.Sessions.CountDeviceAttempt(t.Context(), of, emailKey, at, most)
		w.Must(err)
		return counted
	}
	if count(device, email(other), now, 2) || count(credential.Hash("another"), email(p), now, 2) || count(device, email(p), now.Add(time.Hour), 2) {
		t.Error("counted for a different person, a different browser, or after the expiry")
	}
	if !count(device, email(p), now.Add(time.Hour-time.Microsecond), 2) || !count(device, email(p), now, 2) || count(device, email(p), now, 2) {
		t.Error("the first two attempts are not counted, or more are")
	}
	w.Must(w.Stores.Sessions.UncountDeviceAttempt(t.Context(), device, email(other)))
	if count(device, email(p), now, 2) {
		t.Error("a different person's success uncounted an attempt")
	}
	second := credential.Hash("a second browser")
	w.Must(w.Stores.Sessions.AddDevice(t.Context(), second, credential.Hash("none"), p, now, now.Add(time.Hour), 5))
	if !count(second, email(p), now, 1) {
		t.Error("a second browser is not counted separately")
	}
	for range 3 {
		w.Must(w.Stores.Sessions.UncountDeviceAttempt(t.Context(), device, email(p)))
	}
	if !count(device, email(p), now, 2) || !count(device, email(p), now, 2) || count(device, email(p), now, 2) {
		t.Error("the two attempts were not uncounted, or more were")
	}
	w.Must(w.Stores.Sessions.RenewDevice(t.Context(), device, p, now, now.Add(time.Hour)))
	if count(second, email(p), now, 1) {
		t.Error("a success in one browser uncounted an attempt in a different one")
	}
	if !count(device, email(p), now, 1) || count(device, email(p), now, 1) {
		t.Error("a success did not reset the earlier attempts")
	}
	w.Must(w.Stores.Sessions.RenewDevice(t.Context(), device, other, now, now.Add(time.Hour)))
	if count(device, email(p), now, 1) {
		t.Error("a different person's success renewed the browser")
	}
	w.Must(w.Stores.Sessions.RenewDevice(t.Context(), device, p, now, now.Add(time.Hour)))
	if !count(device, email(p), now, 1) {
		t.Error("a success did not renew the browser")
	}
	_, err := w.Pool.Exec(t.Context(), "UPDATE people SET password_set_at = $1", now.Add(time.Microsecond))
	w.Must(err)
	if count(device, email(p), now, 5) {
		t.Error("a browser from before the password was set is still known")
	}
}

func TestOldestBrowsersAreForgotten(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	p, other := w.Person(), w.Person()
	none, end := credential.Hash("none"), w.Clock.Now().Add(time.Hour)
	w.Must(w.Stores.Sessions.AddDevice(t.Context(), credential.Hash("of another"), none, other, w.Clock.Now(), end, 2))
	for _, name := range []string{"first", "second", "third"} {
		w.Clock.Advance(time.Second)
		w.Must(w.Stores.Sessions.AddDevice(t.Context(), credential.Hash(name), none, p, w.Clock.Now(), end, 2))
	}
	for name, want := range map[string]bool{"first": false, "second": true, "third": true} {
		known, err := w.Stores.Sessions.CountDeviceAttempt(t.Context(), credential.Hash(name), p+"@example.com", w.Clock.Now(), 1)
		if err != nil || known != want {
			t.Errorf("%s: known %t, %v", name, known, err)
		}
	}
	if known, err := w.Stores.Sessions.CountDeviceAttempt(t.Context(), credential.Hash("of another"), other+"@example.com", w.Clock.Now(), 1); err != nil || !known {
		t.Errorf("a different person's browser: known %t, %v", known, err)
	}
}

func TestReplacementTokenIsConfirmedOnce(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	p, other := w.Person(), w.Person()
	was, is, none := credential.Hash("was"), credential.Hash("is"), credential.Hash("none")
	now, end := w.Clock.Now(), w.Clock.Now().Add(time.Hour)
	known := func(of credential.Digest, personID string) bool {
		t.Helper()
		counted, err := w.Stores.Sessions.CountDeviceAttempt(t.Context(), of, personID+"@example.com", now, 5)
		w.Must(err)
		return counted
	}
	confirm := func(of credential.Digest, personID string, at time.Time) bool {
		t.Helper()
		confirmed, err := w.Stores.Sessions.ConfirmDevice(t.Context(), of, personID, at, at.Add(time.Hour))
		w.Must(err)
		return confirmed
	}
	w.Must(w.Stores.Sessions.AddDevice(t.Context(), was, none, p, now, end, 5))
	w.Must(w.Stores.Sessions.AddDevice(t.Context(), is, was, other, now, end, 5))
	if !known(was, p) || known(is, p) || !known(is, other) || known(was, other) {
		t.Error("the replacement changed the token by which a person knows the browser")
	}
	if confirm(is, other, now) || confirm(was, p, now) || confirm(none, p, now) || confirm(is, p, end) {
		t.Error("confirmed by a different person, for the same token, for none, or too late")
	}
	if !confirm(is, p, end.Add(-time.Microsecond)) || confirm(is, p, now) {
		t.Error("not confirmed exactly once")
	}
	if known(was, p) || !known(is, p) || !known(is, other) {
		t.Error("the new token did not replace the previous one, or a different person's did")
	}
}

func TestConfirmationChangesOnePersonsRows(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	p, sharer, mover := w.Person(), w.Person(), w.Person()
	was, is, none, elsewhere := credential.Hash("was"), credential.Hash("is"), credential.Hash("none"), credential.Hash("elsewhere")
	now, end := w.Clock.Now(), w.Clock.Now().Add(time.Hour)
	w.Must(w.Stores.Sessions.AddDevice(t.Context(), elsewhere, none, p, now, end, 5))
	for _, who := range []string{p, sharer} {
		w.Must(w.Stores.Sessions.AddDevice(t.Context(), was, none, who, now, end, 5))
	}
	w.Must(w.Stores.Sessions.AddDevice(t.Context(), is, was, mover, now, end, 5)) // both other people can still exchange the old token for the new one
	password := func(at time.Time) {
		t.Helper()
		_, err := w.Pool.Exec(t.Context(), "UPDATE people SET password_set_at = $2 WHERE id = $1", p, at)
		w.Must(err)
	}
	confirm := func() (bool, error) { return w.Stores.Sessions.ConfirmDevice(t.Context(), is, p, now, end) }
	password(now.Add(time.Microsecond))
	if confirmed, err := confirm(); err != nil || confirmed {
		t.Errorf("a browser from before the password was set was confirmed: %t, %v", confirmed, err)
	}
	password(now)
	if confirmed, err := confirm(); err != nil || !confirmed {
		t.Errorf("confirmed %t, %v", confirmed, err)
	}
	for name, c := range map[string]struct {
		device credential.Digest
		person string
		known  bool
	}{
		"the new token": {is, p, true}, "the previous token": {was, p, false}, "a different browser": {elsewhere, p, true},
		"the previous token, of a different person": {was, sharer, true}, "the new token, of that person": {is, sharer, false}, "the new token, of the person it was created for": {is, mover, true},
	} {
		if known, err := w.Stores.Sessions.CountDeviceAttempt(t.Context(), c.device, c.person+"@example.com", now, 5); err != nil || known != c.known {
			t.Errorf("%s: known %t, %v", name, known, err)
		}
	}
}

func TestConcurrentConfirmationsCountOnce(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	p := w.Person()
	was, is, end := credential.Hash("was"), credential.Hash("is"), w.Clock.Now().Add(time.Hour)
	w.Must(w.Stores.Sessions.AddDevice(t.Context(), was, credential.Hash("none"), p, w.Clock.Now(), end, 5))
	w.Must(w.Stores.Sessions.AddDevice(t.Context(), is, was, w.Person(), w.Clock.Now(), end, 5))
	tx, err := w.Pool.Begin(t.Context())
	w.Must(err)
	_, err = tx.Exec(t.Context(), "SELECT 1 FROM devices FOR UPDATE")
	w.Must(err)
	confirmed := make(chan bool)
	for range 2 {
		go func() {
			counted, err := w.Stores.Sessions.ConfirmDevice(t.Context(), is, p, w.Clock.Now(), end)
			if err != nil {
				t.Error(err)
			}
			confirmed <- counted
		}()
	}
	authtest.Waits(w, 2, nil)
	w.Must(tx.Rollback(t.Context()))
	if first, second := <-confirmed, <-confirmed; first == second {
		t.Errorf("both calls returned %t", first)
	}
}

func TestForgettingBrowserKeepsOtherPeoples(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	p, other := w.Person(), w.Person()
	none, end := credential.Hash("none"), w.Clock.Now().Add(time.Hour)
	knows := func(personID, name string) bool {
		t.Helper()
		known, err := w.Stores.Sessions.CountDeviceAttempt(t.Context(), credential.Hash(name), personID+"@example.com", w.Clock.Now(), 100)
		w.Must(err)
		return known
	}
	add := func(personID, name string) {
		t.Helper()
		w.Clock.Advance(time.Microsecond)
		w.Must(w.Stores.Sessions.AddDevice(t.Context(), credential.Hash(name), none, personID, w.Clock.Now(), end, 2))
	}
	add(p, "shared")
	add(other, "shared")
	add(p, "second")
	add(other, "newer")
	add(p, "third")
	for name, want := range map[string]bool{"shared": false, "second": true, "third": true} {
		if got := knows(p, name); got != want {
			t.Errorf("the person's browser %s is known: %t", name, got)
		}
	}
	if !knows(other, "shared") || !knows(other, "newer") {
		t.Error("a different person's browser was forgotten")
	}

	// A replaced token must not count as a separate browser, however new it is.
	w.Must(w.Stores.Sessions.AddDevice(t.Context(), credential.Hash("moved"), credential.Hash("third"), other, w.Clock.Now(), end, 5))
	_, err := w.Pool.Exec(t.Context(), "UPDATE devices SET signed_in_at = $1 WHERE moved_from IS NOT NULL", w.Clock.Now().Add(time.Minute))
	w.Must(err)
	add(p, "fourth")
	if !knows(p, "third") || !knows(p, "fourth") || knows(p, "second") {
		t.Errorf("known browsers: third %t, fourth %t, second %t", knows(p, "third"), knows(p, "fourth"), knows(p, "second"))
	}
}

func TestReplacementDeletesEarlierSuccessors(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	first, second := w.Person(), w.Person()
	was, end := credential.Hash("was"), w.Clock.Now().Add(time.Hour)
	for _, p := range []string{first, second} {
		w.Must(w.Stores.Sessions.AddDevice(t.Context(), was, credential.Hash("none"), p, w.Clock.Now(), end, 5))
	}
	w.Must(w.Stores.Sessions.AddDevice(t.Context(), credential.Hash("once"), was, w.Person(), w.Clock.Now(), end, 5))
	_, err := w.Pool.Exec(t.Context(), "DELETE FROM devices WHERE hash = $1 AND person_id = $2", was[:], second) // deletes the row, as the cleanup does
	w.Must(err)
	w.Must(w.Stores.Sessions.AddDevice(t.Context(), credential.Hash("twice"), was, w.Person(), w.Clock.Now(), end, 5))
	moves := func(personID string) []string {
		return authtest.Names(w, "SELECT encode(hash, 'hex') FROM devices WHERE moved_from IS NOT NULL AND person_id = '"+personID+"'")
	}
	hex := func(name string) string { return fmt.Sprintf("%x", credential.Hash(name)) }
	if got := moves(first); !slices.Equal(got, []string{hex("twice")}) {
		t.Errorf("the first person has %v", got)
	}
	if got := moves(second); !slices.Equal(got, []string{hex("once")}) {
		t.Errorf("the second person has %v", got)
	}
}

func TestReplacedTokenIsDeletedWithItsBrowser(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	p, other := w.Person(), w.Person()
	end := w.Clock.Now().Add(time.Hour)
	add := func(name, previous, personID string) {
		t.Helper()
		w.Clock.Advance(time.Second)
		w.Must(w.Stores.Sessions.AddDevice(t.Context(), credential.Hash(name), credential.Hash(previous), personID, w.Clock.Now(), end, 2))
	}
	rows := func() (n int) {
		t.Helper()
		w.Must(w.Pool.QueryRow(t.Context(), "SELECT count(*) FROM devices WHERE person_id = $1", p).Scan(&n))
		return n
	}
	add("first", "none", p)
	add("second", "none", p)
	add("moved", "second", other)
	add("moved on", "moved", w.Person())
	if known, err := w.Stores.Sessions.CountDeviceAttempt(t.Context(), credential.Hash("first"), p+"@example.com", w.Clock.Now(), 5); err != nil || !known || rows() != 3 {
		t.Errorf("a replaced token counts as a browser: known %t, %d rows, %v", known, rows(), err)
	}
	add("third", "none", p)
	add("fourth", "none", p)
	if rows() != 2 {
		t.Errorf("%d rows are left", rows())
	}
}

func TestSessionIsLiveUntilItExpires(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	p, now := w.Person(), w.Clock.Now()
	old, fresh := credential.Hash("old"), credential.Hash("new")
	open := func(hash credential.Digest, at time.Time) bool {
		got, err := w.Stores.Sessions.Session(t.Context(), hash, at, nil)
		return err == nil && got.Person.ID == p
	}
	w.Must(w.Stores.Sessions.OpenSession(t.Context(), session.Opening{Hash: old, Previous: credential.Hash("none"), PersonID: p, CreatedAt: now, ExpiresAt: now.Add(time.Hour)}))
	if !open(old, now.Add(time.Hour-time.Microsecond)) || open(old, now.Add(time.Hour)) || open(fresh, now) {
		t.Error("expired too early, or still live after its expiry, or an unknown session is live")
	}
	w.Must(w.Stores.Sessions.OpenSession(t.Context(), session.Opening{Hash: fresh, Previous: old, PersonID: p, CreatedAt: now, ExpiresAt: now.Add(time.Hour)}))
	if open(old, now) || !open(fresh, now) {
		t.Error("a new session did not replace the previous one")
	}
	w.Must(w.Stores.Sessions.CloseSession(t.Context(), fresh))
	if open(fresh, now) {
		t.Error("live after it was closed")
	}
}
