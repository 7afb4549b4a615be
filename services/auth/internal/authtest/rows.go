package authtest

import (
	"time"

	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/id"
	"vitae.internal/services/auth/internal/credentials/revocation"
	"vitae.internal/services/auth/internal/credentials/state"
	"vitae.internal/services/auth/internal/oauth/connection"
	"vitae.internal/services/auth/internal/oauth/grant"
	"vitae.internal/services/auth/internal/platform/account"
	"vitae.internal/services/auth/internal/platform/app"
	"vitae.internal/services/auth/internal/platform/console"
	"vitae.internal/services/auth/internal/platform/invitation"
	"vitae.internal/services/auth/internal/platform/team"
)

// Names returns the rows of a single-column query, sorted.
func Names(w *World, query string) (all []string) {
	w.Helper()
	w.Must(w.Pool.QueryRow(w.Context(), "SELECT coalesce(array_agg(x ORDER BY x), '{}') FROM ("+query+") AS rows (x)").Scan(&all))
	return all
}

// Connected connects a new person to a new app, and returns them with the connection and an access
// token.
func Connected(w *World, scopes ...string) (personID string, app App, c connection.Connection, token string) {
	w.Helper()
	personID, app = w.Person(), w.Confidential()
	token = w.Tokens(personID, app, scopes...).Access
	all, err := w.Stores.Connections.Connections(w.Context(), personID, w.Clock.Now())
	w.Must(err)
	if len(all) != 1 {
		w.Fatalf("%d connections", len(all))
	}
	return personID, app, all[0], token
}

// Waits returns when n statements in the test's database are waiting for a lock, or when done is closed.
func Waits(w *World, n int, done <-chan struct{}) {
	w.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	never := time.After(time.Minute)
	for {
		var waiting int
		w.Must(w.Pool.QueryRow(w.Context(),
			"SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'").Scan(&waiting))
		if waiting >= n {
			return
		}
		select {
		case <-tick.C:
		case <-done:
			return
		case <-never:
			w.Fatalf("%d statements wait for a lock, want %d", waiting, n)
		}
	}
}

// WaitsFor fails the test unless the function waits for a transaction that holds the given lock, and succeeds after
// that transaction has ended.
func WaitsFor(w *World, name, lock string, of any, do func() error) {
	w.Helper()
	tx, err := w.Pool.Begin(w.Context())
	w.Must(err)
	_, err = tx.Exec(w.Context(), lock, of)
	w.Must(err)
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := do(); err != nil {
			w.Errorf("%s: %v", name, err)
		}
	}()
	Waits(w, 1, done)
	select {
	case <-done:
		w.Errorf("%s: it does not wait for another change", name)
	default:
	}
	w.Must(tx.Rollback(w.Context()))
	<-done
}

// DoesNotWait fails the test if the function waits for a transaction that holds the given lock.
func DoesNotWait(w *World, name, lock string, of any, do func() error) {
	w.Helper()
	tx, err := w.Pool.Begin(w.Context())
	w.Must(err)
	_, err = tx.Exec(w.Context(), lock, of)
	w.Must(err)
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := do(); err != nil {
			w.Errorf("%s: %v", name, err)
		}
	}()
	Waits(w, 1, done)
	select {
	case <-done:
	default:
		w.Errorf("%s: it waits for another change", name)
	}
	w.Must(tx.Rollback(w.Context()))
	<-done
}

// Tenant is a person with an app, and the credentials that the app has for that person.
type Tenant struct {
	Person                string
	App                   App
	Tokens                grant.Tokens
	Legacy, KeyID, Key    string
	Connection, Consented string // the ids of the connection and of the legacy interface's connection
	Link                  string
}

// Tenants creates three tenants, so that other rows sort before and after the second tenant's rows.
func Tenants(w *World) []Tenant {
	w.Helper()
	all := make([]Tenant, 3)
	for i := range all {
		m := &all[i]
		m.Person, m.App = w.Person(), w.Legacy()
		m.Tokens, m.Legacy = w.Tokens(m.Person, m.App, Everything...), w.LegacyToken(m.Person, m.App)
		m.KeyID, m.Key = w.Key(m.App, "jobs:read")
		live, _ := w.State(state.AccessToken, m.Tokens.Access)
		m.Connection, m.Link = live.Connection.ID, live.Connection.LinkID
		live, _ = w.State(state.LegacyToken, m.Legacy)
		m.Consented = live.Connection.ID
		w.Clock.Advance(time.Second)
	}
	return all
}

// DeleteApp deletes an app.
func DeleteApp(w *World, a App) (revocation.Entry, error) {
	w.Helper()
	return w.Stores.Apps.DeleteApp(w.Context(), a.App.ID, w.Clock.Now(), func(app.App) error { return nil })
}

// DeleteKey deletes an API key.
func DeleteKey(w *World, keyID string) {
	w.Helper()
	_, err := w.Stores.Apps.DeleteAPIKey(w.Context(), keyID, w.Clock.Now())
	w.Must(err)
}

// NewAccount creates an open account without members.
func NewAccount(w *World, name string) account.Account {
	w.Helper()
	a := account.Account{
		ID: id.New("dev"), Name: name, Email: "dev@partner.example", CreatedAt: w.Clock.Now(),
		Plan: account.Plan{Name: account.Standard},
	}
	w.Must(w.Stores.Accounts.CreateAccount(w.Context(), a, ""))
	return a
}

// Joins makes a person a member of an account.
func Joins(w *World, accountID, personID string, role team.Role) {
	w.Helper()
	_, err := w.Stores.Teams.AddMember(w.Context(), team.Member{AccountID: accountID, PersonID: personID, Role: role, CreatedAt: w.Clock.Now()})
	w.Must(err)
}

// Invites creates an open invitation.
func Invites(w *World, accountID, email string) invitation.Invitation {
	w.Helper()
	i := invitation.Invitation{
		ID: id.New("inv"), AccountID: accountID, Email: email, Role: team.Viewer, CreatedBy: "usr_1",
		CreatedAt: w.Clock.Now(), ExpiresAt: w.Clock.Now().Add(time.Hour),
	}
	_, err := w.Stores.Teams.CreateInvitation(w.Context(), i, credential.Hash(i.ID), nil)
	w.Must(err)
	return i
}

// ConsoleApp creates the console's app.
func ConsoleApp(w *World) App {
	w.Helper()
	a := w.Legacy()
	_, err := w.Pool.Exec(w.Context(), "UPDATE apps SET is_console = true WHERE id = $1", a.App.ID)
	w.Must(err)
	return a
}

// OpenConsole opens a console session. The argument called is both its secret and its name.
func OpenConsole(w *World, called, token string) error {
	w.Helper()
	now := w.Clock.Now()
	return w.Stores.Console.OpenConsoleSession(w.Context(), console.Opening{
		Token: credential.Hash(token), Session: credential.Hash(called), Name: called, CreatedAt: now, ExpiresAt: now.Add(12 * time.Hour),
	})
}

// ServerTime returns Postgres's time. The audit log has partitions for this time.
func ServerTime(w *World) (now time.Time) {
	w.Helper()
	w.Must(w.Pool.QueryRow(w.Context(), "SELECT now()").Scan(&now))
	return now.UTC()
}
