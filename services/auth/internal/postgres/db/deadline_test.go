package db_test

import (
	"context"
	"testing"
	"time"

	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	pkgpostgres "vitae.internal/pkg/postgres"
	"vitae.internal/pkg/testkit"
	"vitae.internal/services/auth/internal/people/person"
	"vitae.internal/services/auth/internal/people/session"
	"vitae.internal/services/auth/internal/platform/account"
	"vitae.internal/services/auth/internal/postgres"
	"vitae.internal/services/auth/internal/postgres/db"
	"vitae.internal/services/auth/internal/postgres/sqlc"
)

func TestTransactionCommitsInTimeOrNotAtAll(t *testing.T) {
	t.Parallel()
	pool, err := pkgpostgres.Open(t.Context(), pkgpostgres.Config{URL: testkit.Database(t, "auth", postgres.Migrate), MaxConns: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	stores, d := postgres.New(pool), &db.DB{Pool: pool, Q: sqlc.New(pool)}
	acct := func(id string) sqlc.CreateAccountParams {
		return sqlc.CreateAccountParams{ID: id, Name: id, Plan: "standard", CreatedAt: time.Now()}
	}
	exists := func(id string) error {
		_, err := stores.Accounts.Account(t.Context(), id)
		return err
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	deadline, _ := ctx.Deadline()
	// The caller is still waiting when the transaction is about to commit, but the response would arrive too late.
	create := func(ctx context.Context, id string, before func()) error {
		return d.TxInTime(ctx, "create account", func(t db.Transaction) error {
			err := t.Queries.CreateAccount(ctx, acct(id))
			before()
			return err
		})
	}
	late := create(ctx, "late", func() { <-time.After(time.Until(deadline) - 50*time.Millisecond) })
	if errs.KindOf(late) != errs.Unavailable {
		t.Errorf("a late commit returned %v", late)
	}
	if err := exists("late"); !errs.HasCode(err, account.ErrNotFound.Code) {
		t.Errorf("the late transaction was committed: %v", err)
	}
	for id, ctx := range map[string]func() (context.Context, context.CancelFunc){
		"in time":            func() (context.Context, context.CancelFunc) { return context.WithTimeout(t.Context(), time.Minute) },
		"without a deadline": func() (context.Context, context.CancelFunc) { return context.WithCancel(context.Background()) },
	} {
		ctx, cancel := ctx()
		if err := create(ctx, id, func() {}); err != nil {
			t.Errorf("%s: %v", id, err)
		}
		cancel()
		if err := exists(id); err != nil {
			t.Errorf("%s: %v", id, err)
		}
	}
}

// A caller that receives a 503 response signs in again. The first attempt must not leave a session behind, because
// nobody would have its secret.
func TestSessionIsOpenedInTimeOrNotAtAll(t *testing.T) {
	t.Parallel()
	server := testkit.PrivatePostgres(t)
	url := server.URL("postgres")
	if err := postgres.Migrate(t.Context(), url); err != nil {
		t.Fatal(err)
	}
	pool, err := pkgpostgres.Open(t.Context(), pkgpostgres.Config{URL: url, MaxConns: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	stores := postgres.New(pool)
	if err := stores.People.CreatePerson(t.Context(), person.Person{ID: "usr_1", Email: "e", CreatedAt: time.Now()}, "e", "x"); err != nil {
		t.Fatal(err)
	}
	open := func(n byte, within time.Duration) error {
		ctx, cancel := context.WithTimeout(t.Context(), within)
		defer cancel()
		return stores.Sessions.OpenSession(ctx, session.Opening{Hash: credential.Digest{n}, Previous: credential.Digest{n - 1}, PersonID: "usr_1", CreatedAt: time.Now(), ExpiresAt: time.Now().Add(time.Hour)})
	}
	exists := func(n byte) bool {
		t.Helper()
		_, err := stores.Sessions.Session(t.Context(), credential.Digest{n}, time.Now(), nil)
		if err != nil && !errs.HasCode(err, session.ErrEnded.Code) {
			t.Fatal(err)
		}
		return err == nil
	}
	for n := byte(1); n < 3; n++ { // these calls prepare the statement and compare the clocks
		if err := open(n, time.Minute); err != nil {
			t.Fatal(err)
		}
	}
	if err := server.Freeze(); err != nil {
		t.Fatal(err)
	}
	if err := open(3, time.Second); errs.KindOf(err) != errs.Unavailable {
		t.Errorf("with a frozen Postgres, the call returned %v", err)
	}
	if err := server.Thaw(); err != nil {
		t.Fatal(err)
	}
	// This lock is granted only after the server has executed everything that it has buffered.
	if _, err := pool.Exec(t.Context(), "BEGIN; LOCK TABLE sessions IN ACCESS EXCLUSIVE MODE; COMMIT"); err != nil {
		t.Fatal(err)
	}
	if exists(3) || !exists(2) {
		t.Error("the session was opened too late, or the previous session was ended")
	}
}
