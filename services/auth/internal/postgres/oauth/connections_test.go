package oauth_test

import (
	"slices"
	"testing"
	"time"

	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	"vitae.internal/services/auth/internal/authtest"
	"vitae.internal/services/auth/internal/credentials/state"
	"vitae.internal/services/auth/internal/oauth/connection"
	"vitae.internal/services/auth/internal/oauth/grant"
)

const otherCV = "cv_0000000000000000000000000g"

// A change reads the connection and writes it back. If the connection weren't locked, choosing a CV would turn
// sharing on again after it was turned off concurrently.
func TestConcurrentConnectionChangesBothApply(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	p, _, c, _ := authtest.Connected(w, authtest.Everything...)
	second := make(chan struct{})
	off := func(c connection.Connection) (connection.Connection, error) { c.Sharing = false; return c, nil }
	_, _, err := w.Stores.Connections.ChangeConnection(t.Context(), p, c.ID, w.Clock.Now(), func(c connection.Connection) (connection.Connection, error) {
		go func() {
			defer close(second)
			if _, _, err := w.Stores.Connections.ChangeConnection(t.Context(), p, c.ID, w.Clock.Now(), off); err != nil {
				t.Error(err)
			}
		}()
		authtest.Waits(w, 1, second)
		c.CvID = otherCV
		return c, nil
	})
	w.Must(err)
	<-second
	all, err := w.Stores.Connections.Connections(t.Context(), p, w.Clock.Now())
	w.Must(err)
	if got := all[0]; got.CvID != otherCV || got.Sharing || got.Scopes.SharesCV() {
		t.Errorf("after both: CV %q, sharing %t, scopes %v", got.CvID, got.Sharing, got.Scopes)
	}
}

func TestStoppingCVSharingEndsLink(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	p, _, c, token := authtest.Connected(w, authtest.Everything...)
	live, _ := w.State(state.AccessToken, token)
	untouched := func(connection.Connection) (connection.Connection, error) {
		t.Error("the connection was read")
		return c, nil
	}
	for _, other := range [][2]string{{w.Person(), c.ID}, {p, "con_0"}} {
		_, entry, err := w.Stores.Connections.ChangeConnection(t.Context(), other[0], other[1], w.Clock.Now(), untouched)
		if !errs.HasCode(err, connection.ErrNotFound.Code) || entry.ID != 0 {
			t.Errorf("%v: %v, %+v", other, err, entry)
		}
	}
	change := func(cv string, sharing bool) connection.Connection {
		t.Helper()
		changed, entry, err := w.Stores.Connections.ChangeConnection(t.Context(), p, c.ID, w.Clock.Now(), func(c connection.Connection) (connection.Connection, error) {
			c.CvID, c.Sharing = cv, sharing
			return c, nil
		})
		w.Must(err)
		if entry.ID == 0 || entry.ConnectionID != c.ID || entry.AccountID != live.Account.ID {
			t.Errorf("the entry for the records is %+v", entry)
		}
		return changed
	}
	if got := change(otherCV, true); got.CvID != otherCV || !got.Sharing || !w.LinkLives(live.Connection.LinkID) {
		t.Errorf("after choosing a different CV: %+v, or the link ended", got)
	}
	if got := change("master", false); got.CvID != "master" || got.Sharing || !slices.Equal(got.Scopes, []string{"profile", "email"}) || w.LinkLives(live.Connection.LinkID) {
		t.Errorf("with sharing off: %+v, or the link is still live", got)
	}
	if got := change("master", true); !slices.Equal(got.Scopes, authtest.Everything) || w.LinkLives(live.Connection.LinkID) {
		t.Errorf("with sharing on: %+v, or the ended link is live again", got)
	}
}

func TestConnectionChangeLeavesOthers(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	p, a, c, _ := authtest.Connected(w, authtest.Everything...)
	w.Tokens(p, w.Confidential(), "profile")
	w.Tokens(w.Person(), a, "profile")
	others := func() []string {
		return authtest.Names(w, "SELECT to_jsonb(x)::text FROM connections x WHERE id <> '"+c.ID+"'")
	}
	before := others()
	_, _, err := w.Stores.Connections.ChangeConnection(t.Context(), p, c.ID, w.Clock.Now(), func(c connection.Connection) (connection.Connection, error) {
		c.CvID, c.Sharing = otherCV, false
		return c, nil
	})
	w.Must(err)
	if after := others(); len(before) != 2 || !slices.Equal(after, before) {
		t.Errorf("the other connections changed from %v to %v", before, after)
	}
}

func TestConnectionsOfDeletedAppsAreNotListed(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	p, deleted := w.Person(), w.Confidential()
	w.Tokens(p, deleted, "profile")
	var want []string
	for range 4 {
		a := w.Confidential()
		w.Tokens(p, a, "profile")
		w.Tokens(w.Person(), a, "profile")
	}
	for _, c := range authtest.Names(w, "SELECT id FROM connections WHERE person_id = '"+p+"' AND app_id <> '"+deleted.App.ID+"'") {
		want = append([]string{c}, want...) // connections created at the same time are listed by descending id
	}
	w.Clock.Advance(time.Microsecond)
	newest := w.Confidential()
	w.Tokens(p, newest, "profile")
	if _, err := authtest.DeleteApp(w, deleted); err != nil {
		t.Fatal(err)
	}
	all, err := w.Stores.Connections.Connections(t.Context(), p, w.Clock.Now())
	w.Must(err)
	var got []string
	for _, c := range all[1:] {
		got = append(got, c.ID)
	}
	if all[0].App.ID != newest.App.ID || !slices.Equal(got, want) {
		t.Errorf("first %s, then %v, want %s, then %v", all[0].App.ID, got, newest.App.ID, want)
	}
}

func TestDeletedAppsConnectionIsNotChanged(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	p, a, c, _ := authtest.Connected(w, "profile")
	if _, err := authtest.DeleteApp(w, a); err != nil {
		t.Fatal(err)
	}
	_, _, err := w.Stores.Connections.ChangeConnection(t.Context(), p, c.ID, w.Clock.Now(), func(c connection.Connection) (connection.Connection, error) { return c, nil })
	if !errs.HasCode(err, connection.ErrNotFound.Code) {
		t.Errorf("changed: %v", err)
	}
	if _, err := w.Stores.Connections.EndConnection(t.Context(), p, c.ID, w.Clock.Now()); !errs.HasCode(err, connection.ErrNotFound.Code) {
		t.Errorf("ended: %v", err)
	}
}

func TestDisconnectDoesNotWaitForOthers(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	a := w.Confidential()
	tokens := w.Tokens(w.Person(), a, "profile")
	other := w.Person()
	w.Tokens(other, a, "profile")
	f, _, err := w.Stores.Grants.Family(t.Context(), credential.Hash(tokens.Refresh))
	w.Must(err)
	authtest.DoesNotWait(w, "the end of a family", "SELECT 1 FROM connections WHERE person_id = $1 FOR NO KEY UPDATE", other, func() error {
		_, err := w.Stores.Grants.EndFamily(t.Context(), f.ID, w.Clock.Now())
		return err
	})
}

func TestDisconnectEndsEverythingItGranted(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	p, a, c, token := authtest.Connected(w, authtest.Everything...)
	_, _, other, bystander := authtest.Connected(w, authtest.Everything...)
	tokens, unused := w.Tokens(p, a, authtest.Everything...), w.Code(p, a, "profile", "cv:read")
	live, _ := w.State(state.AccessToken, token)
	if _, err := w.Stores.Connections.EndConnection(t.Context(), w.Person(), c.ID, w.Clock.Now()); !errs.HasCode(err, connection.ErrNotFound.Code) || !w.Lives(token) {
		t.Fatalf("a different person ended the connection: %v", err)
	}
	entry, err := w.Stores.Connections.EndConnection(t.Context(), p, c.ID, w.Clock.Now())
	w.Must(err)
	if w.Lives(token) || w.Lives(tokens.Access) || w.LinkLives(live.Connection.LinkID) {
		t.Error("a token or the link is still live")
	}
	hashes, err := w.Stores.Outbox.ConnectionHashes(t.Context(), entry)
	w.Must(err)
	for name, hash := range map[string]credential.Digest{
		"first token": credential.Hash(token), "second token": credential.Hash(tokens.Access), "link": state.LinkHash(live.Connection.LinkID),
	} {
		if !slices.Contains(hashes, hash) {
			t.Errorf("the entry does not include the record of the %s", name)
		}
	}
	var open int
	w.Must(w.Pool.QueryRow(t.Context(), `SELECT
		(SELECT count(*) FROM authorization_codes WHERE connection_id = $1 AND used_at IS NULL AND revoked_at IS NULL) +
		(SELECT count(*) FROM token_families WHERE connection_id = $1 AND revoked_at IS NULL) +
		(SELECT count(*) FROM access_tokens WHERE connection_id = $1 AND revoked_at IS NULL)`, c.ID).Scan(&open))
	if open != 0 {
		t.Errorf("%d codes, families and tokens are still live", open)
	}
	if _, err := w.Grant.ExchangeCode(t.Context(), authtest.Exchange(a, unused)); !errs.HasCode(err, grant.ErrInvalidGrant.Code) {
		t.Errorf("the code of the connection: %v", err)
	}
	left, err := w.Stores.Connections.Connections(t.Context(), p, w.Clock.Now())
	if err != nil || len(left) != 0 || !w.Lives(bystander) {
		t.Errorf("connections left: %v, %v, or the connection %s ended too", left, err, other.ID)
	}
	// Ending a connection again must find the entry, which may still be pending.
	again, err := w.Stores.Connections.EndConnection(t.Context(), p, c.ID, w.Clock.Now())
	if !errs.HasCode(err, connection.ErrNotFound.Code) || again.ID != entry.ID {
		t.Errorf("repeated end: %+v, %v", again, err)
	}
	w.Must(w.Stores.Outbox.DeleteRevocation(t.Context(), entry.ID))
	if again, err := w.Stores.Connections.EndConnection(t.Context(), p, c.ID, w.Clock.Now()); !errs.HasCode(err, connection.ErrNotFound.Code) || again.ID != 0 {
		t.Errorf("after the publication: %+v, %v", again, err)
	}
}
