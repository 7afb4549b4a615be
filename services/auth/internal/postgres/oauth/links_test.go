package oauth_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/id"
	"vitae.internal/services/auth/internal/authtest"
	"vitae.internal/services/auth/internal/credentials/revocation"
	"vitae.internal/services/auth/internal/credentials/state"
	"vitae.internal/services/auth/internal/oauth/token"
)

// A link must not be created for a consent or a token that has ended, because nothing would end that link.
func TestLinkNeedsALiveTokenAndASharedCV(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change string
		made   bool
	}{
		"all live":              {"", true},
		"the connection ended":  {"UPDATE connections SET ended_at = created_at", false},
		"the CV is not shared":  {"UPDATE connections SET cv_sharing = false", false},
		"the token was revoked": {"UPDATE access_tokens SET revoked_at = created_at", false},
		"the token expires now": {"UPDATE access_tokens SET expires_at = '" + authtest.Start.Format(time.RFC3339) + "'", false},
		"the token is unknown":  {"UPDATE access_tokens SET hash = sha256(hash)", false},
	} {
		w := authtest.New(t)
		_, _, connection, secret := authtest.Connected(w, authtest.Everything...)
		_, _, _, other := authtest.Connected(w, authtest.Everything...)
		_, err := w.Pool.Exec(t.Context(), "UPDATE cv_links SET ended_at = created_at WHERE connection_id = $1", connection.ID)
		w.Must(err)
		if c.change != "" {
			_, err := w.Pool.Exec(t.Context(), c.change+" WHERE '"+connection.ID+"' IN (to_jsonb("+table(c.change)+")->>'id', to_jsonb("+table(c.change)+")->>'connection_id')")
			w.Must(err)
		}
		want := ""
		if c.made {
			want = id.New("lnk")
		}
		for range 2 { // the second call returns the link that the first one created
			made := want
			if made == "" {
				made = id.New("lnk")
			}
			got, err := w.Stores.States.MakeLink(t.Context(), connection.ID, credential.Hash(secret), made, w.Clock.Now())
			if err != nil || got != want {
				t.Errorf("%s: the link %q, %v, want %q", name, got, err, want)
			}
		}
		live := authtest.Names(w, "SELECT connection_id FROM cv_links WHERE ended_at IS NULL AND connection_id = '"+connection.ID+"'")
		if (len(live) == 1) != c.made {
			t.Errorf("%s: %d links are live", name, len(live))
		}
		if !w.Lives(other) || len(authtest.Names(w, "SELECT id FROM cv_links WHERE ended_at IS NULL")) != 1+len(live) {
			t.Errorf("%s: the link or token of a different person", name)
		}
	}
}

func TestLinkBelongsToTokensConnection(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	all := authtest.Tenants(w) // each tenant could have a link
	_, err := w.Pool.Exec(t.Context(), "UPDATE cv_links SET ended_at = created_at")
	w.Must(err)
	made := id.New("lnk")
	if got, err := w.Stores.States.MakeLink(t.Context(), all[1].Connection, credential.Hash(all[1].Tokens.Access), made, w.Clock.Now()); err != nil || got != made {
		t.Errorf("the link %q, %v, want %q", got, err, made)
	}
	if live := authtest.Names(w, "SELECT connection_id FROM cv_links WHERE ended_at IS NULL"); !slices.Equal(live, []string{all[1].Connection}) {
		t.Errorf("%v have a link, want %s", live, all[1].Connection)
	}
}

// table returns the table that a statement changes.
func table(update string) string { return strings.Fields(update)[1] }

// A link must end with the last live token of its consent, even if other consents have live tokens
// (behaviour: legacy#cv-url).
func TestLinkEndsWithTheLastLegacyToken(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	a := w.Legacy()
	w.LegacyToken(w.Person(), a) // this token remains live throughout the test
	for name, c := range map[string]struct {
		change string
		lives  bool
	}{
		"the other token lives":           {"", true},
		"it lives a microsecond more":     {"expires_at = '" + authtest.Start.Add(time.Microsecond).Format(time.RFC3339Nano) + "'", true},
		"it expires now":                  {"expires_at = '" + authtest.Start.Format(time.RFC3339Nano) + "'", false},
		"it was revoked":                  {"revoked_at = created_at", false},
		"it is of the interface of today": {"legacy = false", true},
	} {
		p := w.Person()
		first, second := w.LegacyToken(p, a), w.LegacyToken(p, a)
		live, lives := w.State(state.LegacyToken, first)
		if !lives || !w.LinkLives(live.Connection.LinkID) {
			t.Fatalf("%s: the link is not live", name)
		}
		if c.change != "" {
			hash := credential.Hash(second)
			_, err := w.Pool.Exec(t.Context(), "UPDATE access_tokens SET "+c.change+" WHERE hash = $1", hash[:])
			w.Must(err)
		}
		_, err := w.Stores.Grants.RevokeLegacy(t.Context(), credential.Hash(first), w.Clock.Now())
		w.Must(err)
		if got := w.LinkLives(live.Connection.LinkID); got != c.lives {
			t.Errorf("%s: the link is live: %t", name, got)
		}
	}
}

// A link created while its token is being revoked could outlive the token. The revocation doesn't see the
// uncommitted link, and the creation of the link still sees a live token.
func TestLinkDoesNotOutliveAConcurrentRevoke(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	_, _, c, secret := authtest.Connected(w, authtest.Everything...)
	_, err := w.Pool.Exec(t.Context(), "UPDATE cv_links SET ended_at = created_at")
	w.Must(err)
	end, err := w.Pool.Begin(t.Context()) // this transaction has revoked the token, but found no link
	w.Must(err)
	for _, change := range []string{
		"SELECT 1 FROM connections WHERE id = $1 FOR NO KEY UPDATE", "UPDATE access_tokens SET revoked_at = created_at WHERE connection_id = $1",
	} {
		_, err := end.Exec(t.Context(), change, c.ID)
		w.Must(err)
	}
	done, link := make(chan struct{}), ""
	go func() {
		defer close(done)
		var err error
		if link, err = w.Stores.States.MakeLink(t.Context(), c.ID, credential.Hash(secret), id.New("lnk"), w.Clock.Now()); err != nil {
			t.Error(err)
		}
	}()
	authtest.Waits(w, 1, done)
	w.Must(end.Commit(t.Context()))
	<-done
	if live := authtest.Names(w, "SELECT id FROM cv_links WHERE ended_at IS NULL"); link != "" || len(live) != 0 {
		t.Errorf("the link %q, live %v", link, live)
	}
}

func TestEndWaitsForLinkCreation(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(ctx context.Context, w *authtest.World, refresh credential.Digest) (revocation.Entry, error){
		"revoke": func(ctx context.Context, w *authtest.World, refresh credential.Digest) (revocation.Entry, error) {
			return w.Stores.Grants.RevokeRefresh(ctx, refresh, w.Clock.Now(), func(token.Family) bool { return true })
		},
		"replay": func(ctx context.Context, w *authtest.World, refresh credential.Digest) (revocation.Entry, error) {
			f, _, err := w.Stores.Grants.Family(ctx, refresh)
			w.Must(err)
			return w.Stores.Grants.EndFamily(ctx, f.ID, w.Clock.Now())
		},
	} {
		w := authtest.New(t)
		tokens := w.Tokens(w.Person(), w.Confidential(), authtest.Everything...)
		live, _ := w.State(state.AccessToken, tokens.Access)
		_, err := w.Pool.Exec(t.Context(), "UPDATE cv_links SET ended_at = created_at")
		w.Must(err)
		making, err := w.Pool.Begin(t.Context())
		w.Must(err)
		_, err = making.Exec(t.Context(), "SELECT 1 FROM connections FOR NO KEY UPDATE")
		w.Must(err)
		_, err = making.Exec(t.Context(), "INSERT INTO cv_links (id, hash, connection_id, created_at) VALUES ('lnk', 'lnk', $1, now())", live.Connection.ID)
		w.Must(err)
		done := make(chan struct{})
		go func() {
			defer close(done)
			if _, err := end(t.Context(), w, credential.Hash(tokens.Refresh)); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}()
		authtest.Waits(w, 1, done)
		w.Must(making.Commit(t.Context()))
		<-done
		if live := authtest.Names(w, "SELECT id FROM cv_links WHERE ended_at IS NULL"); len(live) != 0 {
			t.Errorf("%s: the link is still live", name)
		}
	}
}
