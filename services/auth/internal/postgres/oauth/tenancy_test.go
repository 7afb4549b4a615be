package oauth_test

import (
	"slices"
	"testing"
	"time"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/id"
	"vitae.internal/services/auth/internal/authtest"
	"vitae.internal/services/auth/internal/credentials/revocation"
	"vitae.internal/services/auth/internal/credentials/state"
	"vitae.internal/services/auth/internal/oauth/authorize"
	"vitae.internal/services/auth/internal/oauth/client"
	"vitae.internal/services/auth/internal/oauth/connection"
	"vitae.internal/services/auth/internal/oauth/grant"
	"vitae.internal/services/auth/internal/oauth/scope"
	"vitae.internal/services/auth/internal/oauth/token"
	"vitae.internal/services/auth/internal/people/person"
	"vitae.internal/services/auth/internal/people/session"
	"vitae.internal/services/auth/internal/platform/account"
)

func TestCredentialBelongsToOnePersonAndApp(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	for i, m := range authtest.Tenants(w) {
		for kind, c := range map[state.Kind]struct {
			hash       credential.Digest
			connection string
			key        string
		}{
			state.AccessToken: {credential.Hash(m.Tokens.Access), m.Connection, ""},
			state.LegacyToken: {credential.Hash(m.Legacy), m.Consented, ""},
			state.CVLink:      {state.LinkHash(m.Link), m.Connection, ""},
			state.APIKey:      {credential.Hash(m.Key), "", m.KeyID},
		} {
			account, err := w.Stores.States.Route(t.Context(), kind, c.hash)
			if err != nil || account != m.App.AccountID {
				t.Errorf("%d: %s has the account %s, %v", i, kind, account, err)
			}
			s, err := w.Stores.States.Read(t.Context(), kind, c.hash, w.Clock.Now())
			w.Must(err)
			if s.Account.ID != m.App.AccountID || s.AppID != m.App.App.ID || s.APIKeyID != c.key || (s.Connection != nil) != (c.connection != "") {
				t.Errorf("%d: %s is %+v", i, kind, s)
			}
			if s.Connection != nil && (s.Connection.ID != c.connection || s.Connection.PersonID != m.Person) {
				t.Errorf("%d: %s opens %+v", i, kind, *s.Connection)
			}
		}
		photo, err := w.Stores.States.PhotoAddress(t.Context(), m.Connection, 0, w.Clock.Now())
		if want := (state.Photo{AccountID: m.App.AccountID, AppID: m.App.App.ID, PersonID: m.Person}); err != nil || photo != want {
			t.Errorf("%d: the photo %+v, %v", i, photo, err)
		}
		if id, err := w.Stores.States.MakeLink(t.Context(), m.Connection, credential.Hash(m.Tokens.Access), id.New("lnk"), w.Clock.Now()); err != nil || id != m.Link {
			t.Errorf("%d: the link %s, %v, want %s", i, id, err, m.Link)
		}
		f, found, err := w.Stores.Grants.Family(t.Context(), credential.Hash(m.Tokens.Refresh))
		if err != nil || !found || f.AppID != m.App.App.ID || !f.Connected || f.Rotated || !slices.Equal(f.ConnectionScopes, authtest.Everything) {
			t.Errorf("%d: the family %+v, %v", i, f, err)
		}
		for kind, secret := range map[token.Kind]string{token.Access: m.Tokens.Access, token.Refresh: m.Tokens.Refresh} {
			c, d, err := w.Stores.Grants.Introspect(t.Context(), m.App.ClientID, kind, credential.Hash(secret), w.Clock.Now())
			if err != nil || c.App.ID != m.App.App.ID || c.Suspended || len(c.Secrets) != 1 || d.PersonID != m.Person || d.ConnectionID != m.Connection || d.ClientID != m.App.ClientID {
				t.Errorf("%d: introspected %+v of %+v, %v", i, d, c, err)
			}
		}
	}
}

func TestAccountChangeLeavesOtherAccounts(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	all := authtest.Tenants(w)
	_, _, err := w.Stores.Accounts.SuspendAccount(t.Context(), all[1].App.AccountID, "", w.Clock.Now(), nil)
	w.Must(err)
	_, _, err = w.Stores.Accounts.SetPlan(t.Context(), all[1].App.AccountID, account.Plan{Name: account.Elevated}, w.Clock.Now())
	w.Must(err)
	w.Clock.Advance(time.Minute)
	again, _, err := w.Stores.Accounts.SuspendAccount(t.Context(), all[1].App.AccountID, "", w.Clock.Now(), nil)
	if err != nil || !again.SuspendedAt.Equal(w.Clock.Now().Add(-time.Minute)) {
		t.Errorf("suspended again: %v, %v", again.SuspendedAt, err)
	}
	for i, m := range all {
		suspended := i == 1
		acct, err := w.Stores.Accounts.Account(t.Context(), m.App.AccountID)
		if err != nil || (acct.SuspendedAt != nil) != suspended || (acct.Plan.Name == account.Elevated) != suspended {
			t.Errorf("%d: %+v, %v", i, acct, err)
		}
		c, err := w.Stores.Grants.Client(t.Context(), m.App.ClientID, w.Clock.Now())
		if err != nil || c.App.ID != m.App.App.ID || c.Suspended != suspended || len(c.Secrets) != 1 {
			t.Errorf("%d: client %+v, %v", i, c, err)
		}
		c, _, err = w.Stores.Grants.Introspect(t.Context(), m.App.ClientID, token.Refresh, credential.Hash(m.Tokens.Refresh), w.Clock.Now())
		if err != nil || c.Suspended != suspended {
			t.Errorf("%d: introspection by %+v, %v", i, c, err)
		}
		if _, err := w.Stores.States.PhotoAddress(t.Context(), m.Connection, 0, w.Clock.Now()); (err != nil) != suspended {
			t.Errorf("%d: the photo: %v", i, err)
		}
		_, rotated, err := w.Stores.Grants.Rotate(t.Context(), grant.Rotation{Client: m.App.Prove(), Refresh: credential.Hash(m.Tokens.Refresh)}, issuing(w, m.Person))
		if err != nil || rotated == suspended {
			t.Errorf("%d: rotated %t, %v", i, rotated, err)
		}
	}
	_, _, err = w.Stores.Accounts.SuspendAccount(t.Context(), all[2].App.AccountID, "", w.Clock.Now(), nil)
	w.Must(err)
	resumed, _, err := w.Stores.Accounts.ResumeAccount(t.Context(), all[1].App.AccountID, w.Clock.Now(), nil)
	if err != nil || resumed.SuspendedAt != nil {
		t.Errorf("resumed: %+v, %v", resumed, err)
	}
	if other, err := w.Stores.Accounts.Account(t.Context(), all[2].App.AccountID); err != nil || other.SuspendedAt == nil {
		t.Errorf("the suspension of a different account was lifted: %+v, %v", other, err)
	}
}

func TestEndLeavesOtherTenants(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	all := authtest.Tenants(w)
	now := w.Clock.Now()
	m, before, after := all[1], all[0], all[2]
	for _, c := range []struct {
		name string
		end  func() (revocation.Entry, error)
	}{
		{"a token", func() (revocation.Entry, error) {
			return w.Stores.Grants.RevokeAccess(t.Context(), m.App.App.ID, credential.Hash(m.Tokens.Access), now)
		}},
		{"a legacy token", func() (revocation.Entry, error) {
			return w.Stores.Grants.RevokeLegacy(t.Context(), credential.Hash(m.Legacy), now)
		}},
		{"a refresh token", func() (revocation.Entry, error) {
			return w.Stores.Grants.RevokeRefresh(t.Context(), credential.Hash(m.Tokens.Refresh), now, func(f token.Family) bool { return f.AppID == m.App.App.ID })
		}},
		{"a key", func() (revocation.Entry, error) { return w.Stores.Apps.DeleteAPIKey(t.Context(), m.KeyID, now) }},
		{"a connection", func() (revocation.Entry, error) {
			return w.Stores.Connections.EndConnection(t.Context(), m.Person, m.Connection, now)
		}},
	} {
		name := c.name
		entry, err := c.end()
		if err != nil || entry.ID == 0 || entry.AccountID != m.App.AccountID {
			t.Errorf("%s: %+v, %v", name, entry, err)
		}
		for i, other := range []authtest.Tenant{before, after} {
			if !w.Lives(other.Tokens.Access) || !w.LinkLives(other.Link) {
				t.Errorf("%s ended a token or link of tenant %d", name, i)
			}
			_, legacy := w.State(state.LegacyToken, other.Legacy)
			_, key := w.State(state.APIKey, other.Key)
			f, found, err := w.Stores.Grants.Family(t.Context(), credential.Hash(other.Tokens.Refresh))
			if !legacy || !key || err != nil || !found || f.Revoked {
				t.Errorf("%s: tenant %d: legacy token live %t, key live %t, family %+v", name, i, legacy, key, f)
			}
		}
	}
	if _, found, err := w.Stores.Grants.Code(t.Context(), credential.Hash("no code")); found || err != nil {
		t.Errorf("an unknown code: %t, %v", found, err)
	}
	if _, found, err := w.Stores.Grants.Family(t.Context(), credential.Hash("no token")); found || err != nil {
		t.Errorf("the family of an unknown token: %t, %v", found, err)
	}
	for _, kind := range []state.Kind{state.AccessToken, state.LegacyToken, state.CVLink, state.APIKey} {
		if account, err := w.Stores.States.Route(t.Context(), kind, credential.Hash("nothing")); !errs.HasCode(err, state.ErrUnknown.Code) || account != "" {
			t.Errorf("%s: an unknown credential has the account %q, %v", kind, account, err)
		}
	}
	for want, hash := range map[string]string{"": m.Legacy, before.App.AccountID: before.Tokens.Access} {
		if account, _ := w.Stores.States.Route(t.Context(), state.AccessToken, credential.Hash(hash)); account != want {
			t.Errorf("an access token has the account %q, want %q", account, want)
		}
	}
}

// People see their own live connections, newest first.
func TestLiveConnectionsAreListedNewestFirst(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	all := authtest.Tenants(w)
	p, apps := all[0].Person, []authtest.App{all[1].App, all[2].App}
	for _, a := range apps {
		w.Tokens(p, a, "profile")
	}
	w.Tokens(all[2].Person, apps[0], "profile")
	_, err := w.Stores.Connections.EndConnection(t.Context(), p, all[0].Connection, w.Clock.Now())
	w.Must(err)
	got, err := w.Stores.Connections.Connections(t.Context(), p, w.Clock.Now())
	w.Must(err)
	if len(got) != 2 || got[0].ID < got[1].ID { // the legacy connection has ended too
		t.Errorf("connections %+v", got)
	}
	for _, c := range got {
		if c.PersonID != p {
			t.Errorf("a connection of %s is listed", c.PersonID)
		}
	}
	// A consent changes the live connection of the same person, app and interface.
	consent := authorize.Consent{
		ConnectionID: id.New("con"), PersonID: all[2].Person, AppID: all[2].App.App.ID, RedirectURI: authtest.RedirectURI, Scopes: scope.Set{"profile"}, CodeHash: credential.Hash("a code"),
		CodeExpiresAt: w.Clock.Now().Add(time.Hour),
	}
	entry, err := w.Stores.Grants.Consent(t.Context(), consent, w.Clock.Now())
	if err != nil || entry.ConnectionID != all[2].Connection || entry.AccountID != all[2].App.AccountID {
		t.Errorf("the consent returned %+v, %v", entry, err)
	}
	for _, m := range all[1:] {
		c, err := w.Stores.Connections.Connections(t.Context(), m.Person, w.Clock.Now())
		w.Must(err)
		own := slices.IndexFunc(c, func(c connection.Connection) bool { return c.ID == m.Connection })
		if narrow := len(c[own].Granted) == 1; narrow != (m.Person == consent.PersonID) {
			t.Errorf("%s has granted %v", m.Person, c[own].Granted)
		}
	}
}

func TestPasswordIsReplacedOnlyIfUnchanged(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	made := []person.Person{
		{ID: id.New("usr"), Email: "A@example.com", EmailVerified: true, CreatedAt: w.Clock.Now()}, {ID: id.New("usr"), Email: "b@example.com", CreatedAt: w.Clock.Now()},
	}
	keys := []string{"a@example.com", "b@example.com"}
	for i, p := range made {
		w.Must(w.Stores.People.CreatePerson(t.Context(), p, keys[i], "hash "+p.ID))
	}
	w.Must(w.Stores.People.ReplacePasswordHash(t.Context(), made[0].ID, "hash "+made[0].ID, "newer"))
	w.Must(w.Stores.People.ReplacePasswordHash(t.Context(), made[1].ID, "another", "newer"))
	for i, want := range []string{"newer", "hash " + made[1].ID} {
		p, err := w.Stores.People.Person(t.Context(), made[i].ID)
		w.Must(err)
		byEmail, hash, err := w.Stores.People.PersonByEmail(t.Context(), keys[i])
		w.Must(err)
		for _, got := range []person.Person{p, byEmail} {
			if got.CreatedAt = got.CreatedAt.UTC(); got != made[i] {
				t.Errorf("%+v, want %+v", got, made[i])
			}
		}
		if hash != want {
			t.Errorf("%d: the hash %q, want %q", i, hash, want)
		}
	}
	if err := w.Stores.People.CreatePerson(t.Context(), person.Person{ID: id.New("usr"), CreatedAt: w.Clock.Now()}, keys[0], ""); !errs.HasCode(err, person.ErrEmailTaken.Code) {
		t.Errorf("a taken address: %v", err)
	}
	if err := w.Stores.People.CreatePerson(t.Context(), made[0], "c@example.com", ""); err == nil || errs.HasCode(err, person.ErrEmailTaken.Code) {
		t.Errorf("a taken id: %v", err)
	}
	_, err := w.Stores.People.Person(t.Context(), "usr_none")
	_, _, byEmail := w.Stores.People.PersonByEmail(t.Context(), "none@example.com")
	if !errs.HasCode(err, person.ErrNotFound.Code) || !errs.HasCode(byEmail, person.ErrNotFound.Code) {
		t.Errorf("an unknown person: %v, %v", err, byEmail)
	}
}

func TestSessionIsClosedSeparately(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	people, now := []string{w.Person(), w.Person(), w.Person()}, w.Clock.Now()
	for _, p := range people {
		w.Must(w.Stores.Sessions.OpenSession(t.Context(), session.Opening{Hash: credential.Hash(p), Previous: credential.Hash("none"), PersonID: p, CreatedAt: now, ExpiresAt: now.Add(time.Hour)}))
	}
	w.Must(w.Stores.Sessions.OpenSession(t.Context(), session.Opening{Hash: credential.Hash("newer"), Previous: credential.Hash(people[0]), PersonID: people[0], CreatedAt: now, ExpiresAt: now.Add(time.Minute)}))
	w.Must(w.Stores.Sessions.CloseSession(t.Context(), credential.Hash(people[1])))
	w.Must(w.Stores.Sessions.CloseSession(t.Context(), credential.Hash("none")))
	for secret, want := range map[string]string{people[0]: "", people[1]: "", people[2]: people[2], "newer": people[0]} {
		p, err := w.Stores.Sessions.Session(t.Context(), credential.Hash(secret), now, nil)
		if (err != nil) != (want == "") || p.Person.ID != want || err != nil && !errs.HasCode(err, session.ErrEnded.Code) {
			t.Errorf("%s: %+v, %v", secret, p, err)
		}
		if end := map[string]time.Duration{people[2]: time.Hour, "newer": time.Minute}[secret]; err == nil && !p.ExpiresAt.Equal(now.Add(end)) {
			t.Errorf("%s: the session expires at %v", secret, p.ExpiresAt)
		}
	}
	if _, err := w.Stores.Grants.Client(t.Context(), "client_none", now); !errs.HasCode(err, client.ErrInvalid.Code) {
		t.Errorf("an unknown client: %v", err)
	}
}

func TestReplayEventNamesThePerson(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	for i, m := range authtest.Tenants(w) {
		family, found, err := w.Stores.Grants.Family(t.Context(), credential.Hash(m.Tokens.Refresh))
		w.Must(err)
		request := id.New("req")
		ctx := audit.NewContext(t.Context(), audit.NewCall(authtest.Called(request)))
		entry, err := w.Stores.Grants.EndFamily(ctx, family.ID, w.Clock.Now())
		w.Must(err)
		if !found || entry.AccountID != m.App.AccountID || entry.ConnectionID != m.Connection {
			t.Errorf("%d: found %t, entry %+v", i, found, entry)
		}
		want := []string{m.App.AccountID + " " + m.App.App.ID + " " + m.Person}
		if got := authtest.Names(w, "SELECT concat_ws(' ', account_id, app_id, person_id) FROM audit_events WHERE request_id = '"+request+"'"); !slices.Equal(got, want) {
			t.Errorf("%d: the event names %q, want %q", i, got, want)
		}
	}
}
