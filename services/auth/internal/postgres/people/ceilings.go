package people

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"vitae.internal/services/auth/internal/people/guesses/ceiling"
	"vitae.internal/services/auth/internal/postgres/db"
	"vitae.internal/services/auth/internal/postgres/sqlc"
)

// Guesses stores the number of password attempts for each account.
type Guesses struct{ DB *db.DB }

func (s *Guesses) Ceiling(ctx context.Context, k ceiling.Key) (ceiling.State, error) {
	row, err := s.DB.Q.GetCeiling(ctx, k.Account[:])
	if err != nil {
		if errors.Is(err, pgx.ErrNoRows) {
			err = nil // no attempt has been charged yet, so there is no turn either
		}
		return ceiling.State{}, db.ErrorOf("ceiling", err, nil)
	}
	t, err := turnOf(ctx, s.DB.Q, k)
	return ceiling.State{OpenUntil: row.OpenUntil, TurnsUntil: row.TurnsUntil, Turn: t}, db.ErrorOf("ceiling", err, nil)
}

func (s *Guesses) ChangeCeiling(ctx context.Context, k ceiling.Key, change func(ceiling.State) ceiling.State) error {
	return s.DB.Tx(ctx, "change ceiling", func(t db.Transaction) error {
		q := t.Queries
		row, err := q.LockCeiling(ctx, k.Account[:])
		if err != nil {
			return err
		}
		held := ceiling.State{OpenUntil: row.OpenUntil, TurnsUntil: row.TurnsUntil}
		if held.Turn, err = turnOf(ctx, q, k); err != nil {
			return err
		}
		after := change(held)
		if after.Turn != held.Turn {
			if err := setTurn(ctx, q, k, after.Turn); err != nil {
				return err
			}
		}
		return q.SetCeiling(ctx, sqlc.SetCeilingParams{OpenUntil: after.OpenUntil, TurnsUntil: after.TurnsUntil, Account: k.Account[:]})
	})
}

// turnOf returns a browser's turn, or nil if it has none.
func turnOf(ctx context.Context, q *sqlc.Queries, k ceiling.Key) (*ceiling.Turn, error) {
	row, err := q.GetTurn(ctx, sqlc.GetTurnParams{Account: k.Account[:], Device: k.Device[:]})
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil //nolint:nilnil // having no turn is a valid result
	}
	if err != nil {
		return nil, err
	}
	return &ceiling.Turn{DueAt: row.DueAt, Booked: row.Booked, Failures: int(row.Failures)}, nil
}

func setTurn(ctx context.Context, q *sqlc.Queries, k ceiling.Key, t *ceiling.Turn) error {
	if t == nil {
		return q.DeleteTurn(ctx, sqlc.DeleteTurnParams{Account: k.Account[:], Device: k.Device[:]})
	}
	return q.SetTurn(ctx, sqlc.SetTurnParams{
		Account: k.Account[:], Device: k.Device[:], DueAt: t.DueAt, Booked: t.Booked, Failures: int32(t.Failures), //nolint:gosec // there are at most 80 per hour
	})
}
