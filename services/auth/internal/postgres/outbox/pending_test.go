package outbox_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"vitae.internal/pkg/background"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/testkit"
	"vitae.internal/services/auth/internal/authtest"
	"vitae.internal/services/auth/internal/credentials/revocation"
	"vitae.internal/services/auth/internal/credentials/state"
	"vitae.internal/services/auth/internal/oauth/authorize"
	"vitae.internal/services/auth/internal/oauth/connection"
	"vitae.internal/services/auth/internal/oauth/scope"
)

func TestMain(m *testing.M) { testkit.Main(m) }

func TestPendingRevocationsAreOldestFirst(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	var ids []int64
	for range 3 {
		p, _, c, _ := authtest.Connected(w, "profile")
		entry, err := w.Stores.Connections.EndConnection(t.Context(), p, c.ID, w.Clock.Now())
		w.Must(err)
		ids = append(ids, entry.ID)
		w.Clock.Advance(time.Microsecond)
	}
	second := authtest.Start.Add(time.Microsecond)
	for _, c := range []struct {
		before time.Time
		most   int
		want   []int64
	}{
		{second, 10, ids[:1]}, {second.Add(time.Microsecond), 10, ids[:2]}, {w.Clock.Now(), 10, ids}, {w.Clock.Now(), 2, ids[:2]},
	} {
		got, err := w.Stores.Outbox.PendingRevocations(t.Context(), c.before, c.most)
		w.Must(err)
		if len(got) != len(c.want) {
			t.Errorf("%d of %d entries, want %d", len(got), len(ids), len(c.want))
			continue
		}
		for i := range got {
			if got[i].ID != c.want[i] {
				t.Errorf("entry %d has the id %d, want %d", i, got[i].ID, c.want[i])
			}
		}
	}
}

func TestOutboxReportsSizeAndAge(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	if sizes, err := w.Stores.Outbox.Outboxes(t.Context(), w.Clock.Now()); err != nil || len(sizes) != 4 || sizes["revocations"] != (background.Size{}) {
		t.Errorf("empty outboxes: %+v, %v", sizes, err)
	}
	for range 2 {
		p, _, c, _ := authtest.Connected(w, "profile")
		_, err := w.Stores.Connections.EndConnection(t.Context(), p, c.ID, w.Clock.Now())
		w.Must(err)
	}
	w.Clock.Advance(time.Hour)
	p, _, c, _ := authtest.Connected(w, "profile")
	_, err := w.Stores.Connections.EndConnection(t.Context(), p, c.ID, w.Clock.Now())
	w.Must(err)
	sizes, err := w.Stores.Outbox.Outboxes(t.Context(), w.Clock.Now())
	if want := (background.Size{Entries: 3, Oldest: time.Hour}); err != nil || sizes["revocations"] != want {
		t.Errorf("%+v, want %+v; %v", sizes, want, err)
	}
}

// A repeated revocation waits until the revocation is in effect everywhere. It must therefore wait for the newest
// entry of the same object, not for the entry of another object in the account.
func TestRepeatedEndFindsItsNewestEntry(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	p, now := w.Person(), w.Clock.Now()
	a := w.Legacy()
	others, mine := w.LegacyToken(w.Person(), a), w.LegacyToken(p, a)
	keyID, _ := w.Key(a, "jobs:read")
	tokens := w.Tokens(p, a, "profile")
	live, _ := w.State(state.AccessToken, tokens.Access)
	ends := map[string]func() (revocation.Entry, error){
		"key": func() (revocation.Entry, error) { return w.Stores.Apps.DeleteAPIKey(t.Context(), keyID, now) },
		"legacy token": func() (revocation.Entry, error) {
			return w.Stores.Grants.RevokeLegacy(t.Context(), credential.Hash(mine), now)
		},
		"connection": func() (revocation.Entry, error) {
			return w.Stores.Connections.EndConnection(t.Context(), p, live.Connection.ID, now)
		},
	}
	noise := func() {
		bystander, _ := w.Key(a, "jobs:read")
		_, err := w.Stores.Apps.DeleteAPIKey(t.Context(), bystander, now)
		w.Must(err)
		_, _, err = w.Stores.Accounts.ResumeAccount(t.Context(), a.AccountID, now, nil)
		w.Must(err)
	}
	noise()
	for _, name := range []string{"key", "legacy token", "connection"} {
		if name == "connection" { // adds an earlier entry for the same connection
			_, _, err := w.Stores.Connections.ChangeConnection(t.Context(), p, live.Connection.ID, now, func(c connection.Connection) (connection.Connection, error) { return c, nil })
			w.Must(err)
		}
		first, err := ends[name]()
		w.Must(err)
		noise()
		if name == "key" {
			_, err := w.Stores.Grants.RevokeLegacy(t.Context(), credential.Hash(others), now)
			w.Must(err)
		}
		if again, err := ends[name](); err == nil || again.ID != first.ID || again.AccountID != a.AccountID || !again.At.Equal(now) || again.ConnectionID != first.ConnectionID || !slices.Equal(again.Hashes, first.Hashes) {
			t.Errorf("%s: repeated: %+v, want %+v (%v)", name, again, first, err)
		}
		w.Must(w.Stores.Outbox.DeleteRevocation(t.Context(), first.ID))
	}
	left, err := w.Stores.Outbox.PendingRevocations(t.Context(), now.Add(time.Hour), 100)
	if err != nil || len(left) != 10 {
		t.Errorf("%d entries are left, want the entries of four other keys, of the account (four), of the other token and of the change, %v", len(left), err)
	}
}

// A repeated revocation must wait for the newest of several entries for the same object, and never for an entry of
// another account.
func TestRepeatedEndFindsEntryOfItsAccount(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	p, now := w.Person(), w.Clock.Now()
	a, other := w.Legacy(), w.Legacy()
	legacy := w.LegacyToken(p, a)
	keyID, _ := w.Key(a, "jobs:read")
	tokens := w.Tokens(p, a, "profile")
	live, _ := w.State(state.AccessToken, tokens.Access)
	copied := func(of revocation.Entry, accountID string) (entryID int64) {
		t.Helper()
		w.Must(w.Pool.QueryRow(t.Context(), `INSERT INTO forget_outbox (account_id, whole_account, connection_id, hashes, created_at)
			SELECT $2, whole_account, connection_id, hashes, created_at FROM forget_outbox WHERE id = $1 RETURNING id`, of.ID, accountID).Scan(&entryID))
		return entryID
	}
	for _, end := range []struct {
		name string
		of   func() (revocation.Entry, error)
	}{
		{"key", func() (revocation.Entry, error) { return w.Stores.Apps.DeleteAPIKey(t.Context(), keyID, now) }},
		{"legacy token", func() (revocation.Entry, error) {
			return w.Stores.Grants.RevokeLegacy(t.Context(), credential.Hash(legacy), now)
		}},
		{"connection", func() (revocation.Entry, error) {
			return w.Stores.Connections.EndConnection(t.Context(), p, live.Connection.ID, now)
		}},
		{"app", func() (revocation.Entry, error) { return authtest.DeleteApp(w, a) }},
	} {
		first, err := end.of()
		w.Must(err)
		newest := copied(first, a.AccountID)
		copied(first, other.AccountID)
		if again, err := end.of(); err == nil || again.ID != newest || again.AccountID != a.AccountID {
			t.Errorf("%s: repeated: %+v, want entry %d (%v)", end.name, again, newest, err)
		}
	}
	theirs := w.Tokens(w.Person(), other, "profile")
	live, _ = w.State(state.AccessToken, theirs.Access)
	ended, err := w.Pool.Exec(t.Context(), "INSERT INTO forget_outbox (account_id, whole_account, connection_id, hashes, created_at) VALUES ($1, false, $2, '{}', $3)",
		other.AccountID, live.Connection.ID, now)
	w.Must(err)
	for name, id := range map[string]string{"another person's connection": live.Connection.ID, "a connection that is none": "con_none"} {
		if entry, err := w.Stores.Connections.EndConnection(t.Context(), p, id, now); !errors.Is(err, connection.ErrNotFound) || entry.ID != 0 {
			t.Errorf("the end of %s, of %d entries, waits for %+v, %v", name, ended.RowsAffected(), entry, err)
		}
	}
	for name, secret := range map[string]string{"unknown": "none", "of the interface of today": tokens.Access} {
		if entry, err := w.Stores.Grants.RevokeLegacy(t.Context(), credential.Hash(secret), now); !errors.Is(err, state.ErrUnknown) || entry.ID != 0 {
			t.Errorf("the end of a token that is %s waits for %+v, %v", name, entry, err)
		}
	}
}

// An unchanged consent makes no records stale, but must wait for the previous consent's entry.
func TestUnchangedConsentFindsPendingEntry(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	older := w.Legacy()
	before := w.Person()
	w.LegacyToken(before, older)
	p, a, c, _ := authtest.Connected(w, "profile", "email")
	// Consents to other apps, through the other interface or by other people must not be mistaken for the previous
	// consent.
	w.Tokens(p, older, "profile")
	w.LegacyToken(p, older)
	w.Tokens(w.Person(), a, "profile")
	consent := func(a authtest.App, code string, scopes ...string) revocation.Entry {
		t.Helper()
		entry, err := w.Stores.Grants.Consent(t.Context(), authorize.Consent{
			ConnectionID: "con_" + code, PersonID: p, AppID: a.App.ID, RedirectURI: authtest.RedirectURI, Scopes: scope.Stored(scopes), SharePhoto: true, CodeHash: credential.Hash(code),
			CodeExpiresAt: w.Clock.Now().Add(time.Hour),
		}, w.Clock.Now())
		w.Must(err)
		return entry
	}
	if first := consent(w.Confidential(), "first", "profile"); first.ID != 0 {
		t.Errorf("a first consent, which has no records, returned %+v", first)
	}
	again := func(code string, scopes ...string) revocation.Entry { t.Helper(); return consent(a, code, scopes...) }
	if same := again("same", "profile", "email"); same.ID != 0 {
		t.Errorf("an unchanged consent returned %+v", same)
	}
	narrower := again("narrower", "profile")
	if narrower.ID == 0 || narrower.ConnectionID != c.ID || narrower.AccountID != a.AccountID {
		t.Errorf("a narrower consent returned %+v", narrower)
	}
	if same := again("narrower again", "profile"); same.ID != narrower.ID {
		t.Errorf("repeating it returned %+v, want entry %d", same, narrower.ID)
	}
	w.Must(w.Stores.Outbox.DeleteRevocation(t.Context(), narrower.ID))
	if same := again("and again", "profile"); same.ID != 0 {
		t.Errorf("after the publication: %+v", same)
	}
}

// A consent must be compared with the previous live consent of the same person through the same interface.
func TestConsentIsComparedWithThePrevious(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	a := w.Legacy()
	before, p, after := w.Person(), w.Person(), w.Person()
	consent := func(personID, code string, older bool, scopes ...string) revocation.Entry {
		t.Helper()
		entry, err := w.Stores.Grants.Consent(t.Context(), authorize.Consent{
			ConnectionID: "con_" + code, PersonID: personID, AppID: a.App.ID, RedirectURI: authtest.RedirectURI, Scopes: scope.Stored(scopes), Legacy: older, LinkID: "lnk_" + code, LinkHash: state.LinkHash("lnk_" + code),
			CodeHash: credential.Hash(code), CodeExpiresAt: w.Clock.Now().Add(time.Hour),
		}, w.Clock.Now())
		w.Must(err)
		return entry
	}
	consent(before, "of another", false, "profile")
	consent(before, "of another, older", true, scope.ProfileRead)
	consent(p, "ended", false, "profile")
	_, err := w.Stores.Connections.EndConnection(t.Context(), p, "con_ended", w.Clock.Now())
	w.Must(err)
	consent(p, "ended, older", true, scope.ProfileRead)
	_, err = w.Stores.Connections.EndConnection(t.Context(), p, "con_ended, older", w.Clock.Now())
	w.Must(err)
	for name, c := range map[string]struct {
		older  bool
		scopes []string
	}{"of today": {false, []string{"profile", "email"}}, "older": {true, []string{scope.ProfileRead}}} {
		if first := consent(p, name, c.older, c.scopes...); first.ID != 0 {
			t.Errorf("%s: a first consent returned %+v", name, first)
		}
	}
	consent(after, "of a third", false, "email")
	for name, c := range map[string]struct {
		older  bool
		scopes []string
	}{"of today": {false, []string{"profile", "email"}}, "older": {true, []string{scope.ProfileRead}}} {
		// The entry that was written when the previous consent ended may still be pending.
		if same := consent(p, name+" again", c.older, c.scopes...); same.ConnectionID != "" {
			t.Errorf("%s: an unchanged consent returned %+v", name, same)
		}
	}
}

// A connection may have records for all its unexpired tokens, and for its link if the link is live or has just
// ended.
func TestConnectionHashesCoverAllRecords(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	_, _, c, token := authtest.Connected(w, authtest.Everything...)
	_, _, _, foreign := authtest.Connected(w, authtest.Everything...)
	live, _ := w.State(state.AccessToken, token)
	link, end := state.LinkHash(live.Connection.LinkID), w.Clock.Now().Add(authtest.AccessLife)
	hashes := func(at time.Time) []credential.Digest {
		t.Helper()
		all, err := w.Stores.Outbox.ConnectionHashes(t.Context(), revocation.Entry{ConnectionID: c.ID, At: at})
		w.Must(err)
		if slices.Contains(all, credential.Hash(foreign)) {
			t.Error("the hashes include a token of a different connection")
		}
		return all
	}
	both, onlyLink := []credential.Digest{credential.Hash(token), link}, []credential.Digest{link}
	if got := hashes(end.Add(-time.Microsecond)); !slices.Equal(got, both) {
		t.Errorf("before the token expires: %d", len(got))
	}
	if got := hashes(end); !slices.Equal(got, onlyLink) {
		t.Errorf("after the token has expired: %d", len(got))
	}
	_, err := w.Pool.Exec(t.Context(), "UPDATE cv_links SET ended_at = $1", w.Clock.Now())
	w.Must(err)
	_, err = w.Pool.Exec(t.Context(), "UPDATE access_tokens SET revoked_at = $1", w.Clock.Now())
	w.Must(err)
	if got := hashes(w.Clock.Now().Add(time.Minute - time.Microsecond)); !slices.Equal(got, both) {
		t.Errorf("within a minute of their expiry: %d", len(got))
	}
	if got := hashes(w.Clock.Now().Add(time.Minute)); !slices.Equal(got, both[:1]) {
		t.Errorf("a minute after the end of the link: %d", len(got))
	}
}

// A concurrent consent may already have records. A new consent that is compared with an older one would not delete
// these.
func TestConcurrentConsentsAreCompared(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	p, a, c, _ := authtest.Connected(w, "profile", "email")
	other, err := w.Pool.Begin(t.Context())
	w.Must(err)
	_, err = other.Exec(t.Context(), "UPDATE connections SET granted_scopes = '{profile}' WHERE id = $1", c.ID)
	w.Must(err)
	done, entry := make(chan struct{}), revocation.Entry{}
	go func() {
		defer close(done)
		var err error
		entry, err = w.Stores.Grants.Consent(t.Context(), authorize.Consent{
			ConnectionID: "con_new", PersonID: p, AppID: a.App.ID, RedirectURI: authtest.RedirectURI, Scopes: scope.Set{"profile", "email"}, SharePhoto: true, CodeHash: credential.Hash("a code"),
			CodeExpiresAt: w.Clock.Now().Add(time.Hour),
		}, w.Clock.Now())
		if err != nil {
			t.Error(err)
		}
	}()
	authtest.Waits(w, 1, done)
	w.Must(other.Commit(t.Context()))
	<-done
	if entry.ConnectionID != c.ID {
		t.Errorf("the second consent returned %+v", entry)
	}
}
