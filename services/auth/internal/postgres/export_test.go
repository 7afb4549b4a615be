package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"vitae.internal/services/auth/internal/activity/usage"
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

// ScanAtMost bounds how many entries of the log a page reads.
func (s *Store) ScanAtMost(first, most int) { s.scan = scanLimits{first, most} }

// LogStatements are the statements by which a filter of the log can be read.
func LogStatements(q usage.Query) (statements []string, args pgx.NamedArgs) {
	for _, index := range indexed(q.Filter) {
		var sql string
		sql, args = logStatement(q, index, usualScan.most)
		statements = append(statements, sql)
	}
	return statements, args
}
