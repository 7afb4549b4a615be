package oauth_test

import (
	"testing"
	"time"

	"vitae.internal/pkg/credential"
	"vitae.internal/services/auth/internal/authtest"
	"vitae.internal/services/auth/internal/credentials/revocation"
	"vitae.internal/services/auth/internal/credentials/state"
)

// Without a lock, two concurrent revocations would each see the other one's token as still live, so neither would
// end the link (behaviour: legacy#cv-url).
func TestConcurrentLegacyRevokesEndTheLink(t *testing.T) {
	t.Parallel()
	for name, revoke := range map[string]func(w *authtest.World, a authtest.App, secret string) (revocation.Entry, error){
		"by the operator's door": func(w *authtest.World, _ authtest.App, secret string) (revocation.Entry, error) {
			return w.Stores.Grants.RevokeLegacy(w.Context(), credential.Hash(secret), w.Clock.Now())
		},
		"by its client": func(w *authtest.World, a authtest.App, secret string) (revocation.Entry, error) {
			return w.Stores.Grants.RevokeAccess(w.Context(), a.App.ID, credential.Hash(secret), w.Clock.Now())
		},
	} {
		w := authtest.New(t)
		p, a := w.Person(), w.Legacy()
		first, last := credential.Hash(w.LegacyToken(p, a)), w.LegacyToken(p, a)
		live, _ := w.State(state.LegacyToken, last)
		other, err := w.Pool.Begin(t.Context()) // an uncommitted transaction has revoked the first token
		w.Must(err)
		_, err = other.Exec(t.Context(), "SELECT 1 FROM connections WHERE id = $1 FOR NO KEY UPDATE", live.Connection.ID)
		w.Must(err)
		_, err = other.Exec(t.Context(), "UPDATE access_tokens SET revoked_at = $1 WHERE hash = $2", w.Clock.Now(), first[:])
		w.Must(err)
		done := make(chan struct{})
		go func() {
			defer close(done)
			if _, err := revoke(w, a, last); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}()
		authtest.Waits(w, 1, done)
		w.Must(other.Commit(t.Context()))
		<-done
		if w.LinkLives(live.Connection.LinkID) {
			t.Errorf("%s: both tokens are revoked but the link is still live", name)
		}
	}
}

func TestLastLegacyTokenEndsItsConsentsLink(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	a := w.Legacy()
	last, bystander := w.LegacyToken(w.Person(), a), w.LegacyToken(w.Person(), a)
	mine, _ := w.State(state.LegacyToken, last)
	other, _ := w.State(state.LegacyToken, bystander)
	// The other person's token has expired. The expired token must not cause the link to end.
	_, err := w.Pool.Exec(t.Context(), "UPDATE access_tokens SET expires_at = $1 WHERE connection_id = $2", w.Clock.Now(), other.Connection.ID)
	w.Must(err)
	_, err = w.Stores.Grants.RevokeLegacy(t.Context(), credential.Hash(last), w.Clock.Now())
	w.Must(err)
	if w.LinkLives(mine.Connection.LinkID) || !w.LinkLives(other.Connection.LinkID) {
		t.Errorf("own link live: %t, the other person's: %t", w.LinkLives(mine.Connection.LinkID), w.LinkLives(other.Connection.LinkID))
	}
}

func TestLastLegacyTokenLeavesAnEndedLink(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	last := w.LegacyToken(w.Person(), w.Legacy())
	_, err := w.Pool.Exec(t.Context(), "UPDATE cv_links SET ended_at = created_at")
	w.Must(err)
	w.Clock.Advance(time.Minute)
	entry, err := w.Stores.Grants.RevokeLegacy(t.Context(), credential.Hash(last), w.Clock.Now())
	w.Must(err)
	if entry.ID == 0 || entry.ConnectionID != "" || len(entry.Hashes) != 1 || entry.Hashes[0] != credential.Hash(last) {
		t.Errorf("the entry for the records is %+v", entry)
	}
	if again := authtest.Names(w, "SELECT id FROM cv_links WHERE ended_at <> created_at"); len(again) != 0 {
		t.Error("the link ended again")
	}
}
