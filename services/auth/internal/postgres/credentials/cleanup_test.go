package credentials_test

import (
	"slices"
	"testing"
	"time"

	"vitae.internal/services/auth/internal/authtest"
	"vitae.internal/services/auth/internal/people/guesses/ceiling"
)

// mortal is a kind of row that the cleanup deletes. insert is a statement with a name, a person and a time as
// parameters; left is a query that returns the names of the remaining rows.
type mortal struct{ name, insert, left string }

var mortals = []mortal{
	{"sessions", `INSERT INTO sessions (hash, person_id, created_at, expires_at) VALUES (convert_to($1, 'UTF8'), $2, 'epoch', $3)`,
		`SELECT convert_from(hash, 'UTF8') FROM sessions WHERE id <> 'browser'`},
	{"unused codes", `INSERT INTO authorization_codes (hash, app_id, connection_id, redirect_uri, code_challenge, scopes, created_at, expires_at)
		VALUES (convert_to($1, 'UTF8'), '', $2, '', '', '{}', 'epoch', $3)`,
		`SELECT convert_from(hash, 'UTF8') FROM authorization_codes WHERE used_at IS NULL`},
	{"access tokens", `INSERT INTO access_tokens (hash, family_id, app_id, connection_id, scopes, created_at, expires_at)
		VALUES (convert_to($1, 'UTF8'), 'fam', '', $2, '{}', 'epoch', $3)`,
		`SELECT convert_from(hash, 'UTF8') FROM access_tokens WHERE NOT legacy`},
	{"families that expired", `INSERT INTO token_families (id, app_id, connection_id, scopes, created_at, expires_at) VALUES ($1, '', $2, '{}', 'epoch', $3)`,
		`SELECT id FROM token_families WHERE revoked_at IS NULL AND id <> 'fam'`},
	{"families that were revoked", `INSERT INTO token_families (id, app_id, connection_id, scopes, created_at, expires_at, revoked_at)
		VALUES ('revoked ' || $1, '', $2, '{}', 'epoch', 'infinity', $3)`,
		`SELECT replace(id, 'revoked ', '') FROM token_families WHERE revoked_at IS NOT NULL`},
	{"links that ended", `INSERT INTO cv_links (id, hash, connection_id, created_at, ended_at) VALUES ($1, convert_to($1, 'UTF8'), $2, 'epoch', $3)`,
		`SELECT id FROM cv_links WHERE ended_at IS NOT NULL`},
	{"browsers", `INSERT INTO devices (hash, person_id, signed_in_at, expires_at) VALUES (convert_to($1, 'UTF8'), $2, 'epoch', $3)`,
		`SELECT convert_from(hash, 'UTF8') FROM devices`},
	{"console sessions", `INSERT INTO console_sessions (hash, person_id, connection_id, created_at, used_at, expires_at, browser_session)
		VALUES (convert_to($1, 'UTF8'), $2, 'con', 'epoch', 'epoch', $3, 'browser')`,
		`SELECT convert_from(hash, 'UTF8') FROM console_sessions`},
	{"invitations", `INSERT INTO invitations (id, account_id, email, email_key, role, hash, created_by, created_at, expires_at)
		VALUES ($1, 'dev', $1, $1, 'viewer', convert_to($1, 'UTF8'), $2, 'epoch', $3)`,
		`SELECT id FROM invitations`},
}

// add inserts a row of this kind.
func (m mortal) add(w *authtest.World, name, personID string, at time.Time) {
	w.Helper()
	_, err := w.Pool.Exec(w.Context(), m.insert, name, personID, at)
	w.Must(err)
}

// graveyard returns a database that contains the rows to which the others refer: a token family, an account, a
// connection and a browser session.
func graveyard(t *testing.T) (*authtest.World, string) {
	w := authtest.New(t)
	p, a := w.Person(), w.Confidential()
	_, err := w.Pool.Exec(t.Context(), `WITH family AS (
		INSERT INTO token_families (id, app_id, connection_id, scopes, created_at, expires_at) VALUES ('fam', '', '', '{}', 'epoch', 'infinity')
	), browser AS (
		INSERT INTO sessions (hash, id, person_id, created_at, expires_at) VALUES ('browser', 'browser', $1, 'epoch', 'infinity')
	), account AS (
		INSERT INTO accounts (id, name, email, plan, created_at) VALUES ('dev', '', '', 'standard', 'epoch')
	)
	INSERT INTO connections (id, person_id, app_id, granted_scopes, cv_sharing, cv_id, share_photo, created_at)
		VALUES ('con', $1, $2, '{}', false, 'master', false, 'epoch')`, p, a.App.ID)
	w.Must(err)
	return w, p
}

func TestCleanUpLeavesLiveRows(t *testing.T) {
	t.Parallel()
	w, p := graveyard(t)
	before := w.Clock.Now()
	for _, m := range mortals {
		m.add(w, "dead", p, before.Add(-time.Microsecond))
		m.add(w, "at the end", p, before)
		m.add(w, "alive", p, before.Add(time.Microsecond))
	}
	more, err := w.Stores.Cleanup.DeleteDead(t.Context(), before, 10)
	if err != nil || more {
		t.Errorf("more %t, %v", more, err)
	}
	for _, m := range mortals {
		if left := authtest.Names(w, m.left); !slices.Equal(left, []string{"alive", "at the end"}) {
			t.Errorf("%s: rows left: %v", m.name, left)
		}
	}
}

// A transaction that deletes everything at once would hold its locks for too long. Therefore, each call deletes only
// the oldest rows, and its result makes the job continue.
func TestCleanUpDeletesOldestRowsFirst(t *testing.T) {
	t.Parallel()
	w, p := graveyard(t)
	for _, m := range mortals {
		for i, name := range []string{"third", "first", "second"} {
			m.add(w, name, p, w.Clock.Now().Add(time.Duration((i+2)%3)*time.Microsecond))
		}
	}
	before := w.Clock.Now().Add(time.Hour)
	more, err := w.Stores.Cleanup.DeleteDead(t.Context(), before, 2)
	if err != nil || !more {
		t.Errorf("more %t, %v", more, err)
	}
	for _, m := range mortals {
		if left := authtest.Names(w, m.left); !slices.Equal(left, []string{"third"}) {
			t.Errorf("%s: %v are left", m.name, left)
		}
	}
	if more, err := w.Stores.Cleanup.DeleteDead(t.Context(), before, 2); err != nil || more {
		t.Errorf("the last batch: more %t, %v", more, err)
	}
	for _, m := range mortals {
		if left := authtest.Names(w, m.left); len(left) > 0 {
			t.Errorf("%s: %v are left at the end", m.name, left)
		}
	}
	// Even if only one kind may have more rows, the job must continue.
	mortals[0].add(w, "one", p, w.Clock.Now())
	if more, err := w.Stores.Cleanup.DeleteDead(t.Context(), before, 1); err != nil || !more {
		t.Errorf("a batch of one row: more %t, %v", more, err)
	}
}

// Used codes and legacy tokens are needed to detect replays, so they are retained as long as their family. Live
// links and families don't expire.
func TestCleanUpLeavesRowsOfLiveFamilies(t *testing.T) {
	t.Parallel()
	w, p := graveyard(t)
	old := w.Clock.Now().Add(-time.Hour)
	for _, insert := range []string{
		`INSERT INTO authorization_codes (hash, app_id, connection_id, redirect_uri, code_challenge, scopes, created_at, expires_at, used_at, family_id)
			VALUES ('used', '', '', '', '', '{}', $1, $1, $1, 'fam')`,
		`INSERT INTO access_tokens (hash, family_id, app_id, connection_id, scopes, created_at, expires_at, legacy) VALUES ('legacy', 'fam', '', '', '{}', $1, $1, true)`,
		`INSERT INTO rotated_refresh_tokens (hash, family_id, rotated_at) VALUES ('rotated', 'fam', $1)`,
		`INSERT INTO cv_links (id, hash, connection_id, created_at) VALUES ('live', 'live', '', $1)`,
	} {
		_, err := w.Pool.Exec(t.Context(), insert, old)
		w.Must(err)
	}
	held := func() []string {
		return authtest.Names(w, `SELECT 'code' FROM authorization_codes UNION ALL SELECT 'token' FROM access_tokens UNION ALL
			SELECT 'rotated' FROM rotated_refresh_tokens UNION ALL SELECT 'link' FROM cv_links UNION ALL SELECT 'family' FROM token_families`)
	}
	_, err := w.Stores.Cleanup.DeleteDead(t.Context(), w.Clock.Now(), 10)
	w.Must(err)
	if left := held(); len(left) != 5 {
		t.Errorf("rows left: %v", left)
	}
	_, err = w.Pool.Exec(t.Context(), "UPDATE token_families SET revoked_at = $1", old)
	w.Must(err)
	_, err = w.Stores.Cleanup.DeleteDead(t.Context(), w.Clock.Now(), 10)
	w.Must(err)
	if left := held(); !slices.Equal(left, []string{"link"}) {
		t.Errorf("rows of an ended family left: %v", left)
	}
	other := w.Person() // for another person, the same browser expires later
	mortals[6].add(w, "shared", p, old)
	mortals[6].add(w, "shared", other, w.Clock.Now())
	_, err = w.Stores.Cleanup.DeleteDead(t.Context(), w.Clock.Now(), 10)
	w.Must(err)
	if left := authtest.Names(w, "SELECT person_id FROM devices"); !slices.Equal(left, []string{other}) {
		t.Errorf("the browser is known to %v, want %s", left, other)
	}
}

func TestCleanUpLeavesActiveCeilings(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	now := w.Clock.Now()
	past, future := now.Add(-time.Microsecond), now.Add(time.Microsecond)
	for name, until := range map[string][2]time.Time{
		"both past": {past, past}, "open now": {now, past}, "turns now": {past, now}, "both future": {future, future}, "long past": {past.Add(-time.Hour), past.Add(-time.Hour)},
		"past one after the other": {past.Add(-2 * time.Hour), past},
	} {
		_, err := w.Pool.Exec(t.Context(), "INSERT INTO sign_in_ceilings VALUES (convert_to($1, 'UTF8'), $2, $3)", name, until[0], until[1])
		w.Must(err)
	}
	turn := func(account, device string, due time.Time) {
		_, err := w.Pool.Exec(t.Context(), "INSERT INTO sign_in_turns VALUES (convert_to($1, 'UTF8'), convert_to($2, 'UTF8'), $3, true, 1)", account, device, due)
		w.Must(err)
	}
	turn("a", "forgotten", now.Add(-ceiling.Forget-time.Microsecond))
	turn("a", "remembered", now.Add(-ceiling.Forget))
	turn("b", "due", now)
	clean := func(most int32, wantMore bool) {
		t.Helper()
		if more, err := w.Stores.Cleanup.DeleteIdle(t.Context(), now, most); err != nil || more != wantMore {
			t.Errorf("more %t, %v", more, err)
		}
	}
	ceilings := func() []string {
		return authtest.Names(w, "SELECT convert_from(account, 'UTF8') FROM sign_in_ceilings")
	}
	clean(1, true)
	if left := ceilings(); slices.Contains(left, "long past") || !slices.Contains(left, "both past") {
		t.Errorf("after deleting the oldest ceilings, %v are left", left)
	}
	clean(10, false)
	if left := ceilings(); !slices.Equal(left, []string{"both future", "open now", "turns now"}) {
		t.Errorf("ceilings %v are left", left)
	}
	if left := authtest.Names(w, "SELECT convert_from(device, 'UTF8') FROM sign_in_turns"); !slices.Equal(left, []string{"due", "remembered"}) {
		t.Errorf("turns left: %v", left)
	}
	turn("c", "older", now.Add(-2*ceiling.Forget))
	turn("d", "old", now.Add(-2*ceiling.Forget+time.Microsecond))
	clean(1, true)
	if left := authtest.Names(w, "SELECT convert_from(device, 'UTF8') FROM sign_in_turns"); !slices.Equal(left, []string{"due", "old", "remembered"}) {
		t.Errorf("after deleting the oldest turns, %v are left", left)
	}
}

func TestExpiredCeremonyIsDeleted(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	now := w.Clock.Now()
	for name, end := range map[string]time.Time{"over": now.Add(-time.Microsecond), "not over": now} {
		_, err := w.Pool.Exec(t.Context(), "INSERT INTO passkey_ceremonies VALUES (convert_to($1, 'UTF8'), 'sign_in', 'b', '{}', $2)", name, end)
		w.Must(err)
	}
	_, err := w.Stores.Cleanup.DeleteIdle(t.Context(), now, 10)
	w.Must(err)
	if left := authtest.Names(w, "SELECT convert_from(hash, 'UTF8') FROM passkey_ceremonies"); !slices.Equal(left, []string{"not over"}) {
		t.Errorf("ceremonies left: %v", left)
	}
}

// An attempt that is made during the cleanup must not be forgotten.
func TestCeilingInUseIsNotDeleted(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	now := w.Clock.Now()
	_, err := w.Pool.Exec(t.Context(), "INSERT INTO sign_in_ceilings VALUES ('a', $1, $1)", now.Add(-time.Second))
	w.Must(err)
	attempt, err := w.Pool.Begin(t.Context())
	w.Must(err)
	_, err = attempt.Exec(t.Context(), "UPDATE sign_in_ceilings SET open_until = $1", now.Add(time.Minute))
	w.Must(err)
	done := make(chan struct{})
	go func() {
		defer close(done)
		if _, err := w.Stores.Cleanup.DeleteIdle(t.Context(), now, 10); err != nil {
			t.Error(err)
		}
	}()
	authtest.Waits(w, 1, done)
	w.Must(attempt.Commit(t.Context()))
	<-done
	if left := authtest.Names(w, "SELECT convert_from(account, 'UTF8') FROM sign_in_ceilings"); len(left) != 1 {
		t.Error("the ceiling in use was deleted")
	}
}

func TestCeilingIsPerAccountAndBrowser(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	now := w.Clock.Now()
	key := func(account, device byte) ceiling.Key {
		k := ceiling.Key{}
		k.Account[0], k.Device[0] = account, device
		return k
	}
	at := func(account, device byte) time.Time {
		return now.Add(time.Duration(account)*time.Hour + time.Duration(device)*time.Minute)
	}
	for account := range byte(2) {
		for device := range byte(2) {
			w.Must(w.Stores.Guesses.ChangeCeiling(t.Context(), key(account, device), func(s ceiling.State) ceiling.State {
				if s.Turn != nil || device == 1 && !s.OpenUntil.Equal(at(account, 0)) {
					t.Errorf("account %d, browser %d starts with %+v", account, device, s)
				}
				return ceiling.State{
					OpenUntil: at(account, device), TurnsUntil: at(account, device).Add(time.Second),
					Turn: &ceiling.Turn{DueAt: at(account, device), Booked: device == 1, Failures: int(account) + 5},
				}
			}))
		}
	}
	w.Must(w.Stores.Guesses.ChangeCeiling(t.Context(), key(1, 1), func(s ceiling.State) ceiling.State { s.Turn = nil; return s }))
	for account := range byte(3) {
		for device := range byte(2) {
			s, err := w.Stores.Guesses.Ceiling(t.Context(), key(account, device))
			w.Must(err)
			switch {
			case account == 2:
				if s != (ceiling.State{}) {
					t.Errorf("an account without a state has %+v", s)
				}
			case !s.OpenUntil.Equal(at(account, 1)) || !s.TurnsUntil.Equal(at(account, 1).Add(time.Second)):
				t.Errorf("account %d: %+v", account, s)
			case account == 1 && device == 1:
				if s.Turn != nil {
					t.Errorf("the turn that should have been removed is %+v", *s.Turn)
				}
			case s.Turn == nil || !s.Turn.DueAt.Equal(at(account, device)) || s.Turn.Booked != (device == 1) || s.Turn.Failures != int(account)+5:
				t.Errorf("account %d, browser %d: the turn %+v", account, device, s.Turn)
			}
		}
	}
}
