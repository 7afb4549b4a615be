package postgres

import (
	"context"

	"vitae.internal/services/auth/internal/postgres/sqlc"
)

// TxInTime runs do in a transaction that commits in time or not at all, after it has
// made an account.
func (s *Store) TxInTime(ctx context.Context, account sqlc.CreateAccountParams, do func()) error {
	return s.txInTime(ctx, "transaction", func(t transaction) error {
		q := t.Queries
		err := q.CreateAccount(ctx, account)
		do()
		return err
	})
}

// HeldScopes and Rescoped are held_scopes of SQL in Go, and what writes for it.
var (
	HeldScopes = heldScopes
	Rescoped   = rescoped
)
