package postgres_test

import (
	"context"
	"testing"
	"time"

	"vitae.internal/pkg/errs"
	pkgpostgres "vitae.internal/pkg/postgres"
	"vitae.internal/pkg/testkit"
	"vitae.internal/services/auth/internal/developer"
	"vitae.internal/services/auth/internal/postgres"
	"vitae.internal/services/auth/internal/postgres/sqlc"
)

func TestATransactionCommitsBeforeItsCallerGivesUpOrNotAtAll(t *testing.T) {
	pool, err := pkgpostgres.Open(t.Context(), pkgpostgres.Config{URL: testkit.Database(t, "auth", postgres.Migrate), MaxConns: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	store, err := postgres.New(pool)
	if err != nil {
		t.Fatal(err)
	}
	account := func(id string) sqlc.CreateAccountParams {
		return sqlc.CreateAccountParams{ID: id, Name: id, Plan: "standard", CreatedAt: time.Now(), Until: pkgpostgres.Never}
	}
	exists := func(id string) error {
		_, err := store.Account(t.Context(), id)
		return err
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	deadline, _ := ctx.Deadline()
	// The caller still waits when the transaction ends, but an answer would be too late.
	late := store.TxInTime(ctx, account("late"), func() { <-time.After(time.Until(deadline) - 50*time.Millisecond) })
	if errs.KindOf(late) != errs.Unavailable {
		t.Errorf("a commit that was too late gave %v", late)
	}
	if err := exists("late"); !errs.HasCode(err, developer.ErrAccountNotFound.Code) {
		t.Errorf("it was committed all the same: %v", err)
	}
	for id, ctx := range map[string]func() (context.Context, context.CancelFunc){
		"in time":            func() (context.Context, context.CancelFunc) { return context.WithTimeout(t.Context(), time.Minute) },
		"without a deadline": func() (context.Context, context.CancelFunc) { return context.WithCancel(context.Background()) },
	} {
		ctx, cancel := ctx()
		if err := store.TxInTime(ctx, account(id), func() {}); err != nil {
			t.Errorf("%s: %v", id, err)
		}
		cancel()
		if err := exists(id); err != nil {
			t.Errorf("%s: %v", id, err)
		}
	}
}
