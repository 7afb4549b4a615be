package authtest

import (
	"context"
	"io"
	"log/slog"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/picture"
	pkgpostgres "vitae.internal/pkg/postgres"
	"vitae.internal/pkg/testkit"
	"vitae.internal/services/auth/internal/credentials/revocation"
	"vitae.internal/services/auth/internal/oauth/authorize"
	"vitae.internal/services/auth/internal/oauth/grant"
	"vitae.internal/services/auth/internal/oauth/token"
	"vitae.internal/services/auth/internal/people/person"
	"vitae.internal/services/auth/internal/people/session"
	"vitae.internal/services/auth/internal/platform/account"
	"vitae.internal/services/auth/internal/platform/app"
	"vitae.internal/services/auth/internal/postgres"
)

// The lifetimes of codes and tokens that a World issues.
const (
	CodeLife    = 10 * time.Minute
	AccessLife  = time.Hour
	RefreshLife = 90 * 24 * time.Hour
)

// Start is the initial time of a World's clock.
var Start = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

// World holds the auth service's use cases and a test database.
type World struct {
	testing.TB
	Pool      *pgxpool.Pool
	Stores    *postgres.Stores
	Clock     *clock.Fake
	Records   *Records
	Publisher *revocation.Publisher
	// Left holds the session records that introspections have written.
	Left *Left

	Accounts  *account.Service
	Apps      *app.Service
	Authorize *authorize.Service
	Grant     *grant.Service
	Token     *token.Service

	// counting is the SQL statement that contents runs.
	counting string
}

// New returns a World. Packages whose tests call it must use testkit.Main.
func New(t testing.TB) *World {
	t.Helper()
	w := &World{TB: t, Clock: clock.NewFake(Start), Records: &Records{}, Left: &Left{}}
	var err error
	w.Pool, err = pkgpostgres.Open(t.Context(), pkgpostgres.Config{URL: testkit.Database(t, "auth", postgres.Migrate), MaxConns: 8})
	w.Must(err)
	w.Pool = w.traced(w.Pool)
	t.Cleanup(w.Pool.Close)
	w.Stores = postgres.New(w.Pool)
	w.Publisher, err = revocation.NewPublisher(revocation.Config{
		Records: w.Records, Outbox: w.Stores.Outbox, WaitOut: time.Hour, Clock: w.Clock, Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
	})
	w.Must(err)
	w.Accounts, err = account.NewService(account.Config{Store: w.Stores.Accounts, Revocations: w.Publisher, Clock: w.Clock})
	w.Must(err)
	w.Apps, err = app.NewService(app.Config{Store: w.Stores.Apps, Accounts: w.Accounts, Revocations: w.Publisher, Pictures: picture.NewEncoder(), Clock: w.Clock})
	w.Must(err)
	w.Authorize, err = authorize.NewService(authorize.Config{
		Store: w.Stores.Grants, Sessions: signedIn{}, Revocations: w.Publisher, CodeLife: CodeLife, Clock: w.Clock,
	})
	w.Must(err)
	w.Grant, err = grant.NewService(grant.Config{
		Store: w.Stores.Grants, Revocations: w.Publisher, AccessLife: AccessLife, RefreshLife: RefreshLife, Clock: w.Clock,
	})
	w.Must(err)
	w.Token, err = token.NewService(token.Config{Store: w.Stores.Grants, Revocations: w.Publisher, Records: w.Left, Clock: w.Clock})
	w.Must(err)
	return w
}

// Must fails the test immediately if err is not nil.
func (w *World) Must(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

// signedIn accepts "session of <person id>" as the secret of that person's session.
type signedIn struct{}

const sessionPrefix = "session of "

// Session returns the secret of a person's session.
func Session(personID string) string { return sessionPrefix + personID }

func (signedIn) Get(_ context.Context, secret string) (person.Person, time.Time, error) {
	if len(secret) <= len(sessionPrefix) {
		return person.Person{}, time.Time{}, session.ErrEnded
	}
	return person.Person{ID: secret[len(sessionPrefix):]}, Start.Add(time.Hour), nil
}
