package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"vitae.internal/services/auth/internal/forget"
	"vitae.internal/services/auth/internal/postgres/sqlc"
)

var _ forget.Outbox = (*Store)(nil)

// linksEndedSince bounds which ended links an order names again: long enough that
// no record of one that ended before can live.
const linksEndedSince = time.Minute

// orderHashes writes an order for credentials of an account; none, no order.
func orderHashes(ctx context.Context, q *sqlc.Queries, accountID string, hashes [][]byte, now time.Time) (forget.Order, error) {
	if len(hashes) == 0 {
		return forget.Order{}, nil
	}
	return order(ctx, q, sqlc.AddOrderParams{AccountID: accountID, Hashes: hashes, CreatedAt: now})
}

// orderAccount writes an order for every record of an account.
func orderAccount(ctx context.Context, q *sqlc.Queries, accountID string, now time.Time) (forget.Order, error) {
	return order(ctx, q, sqlc.AddOrderParams{AccountID: accountID, WholeAccount: true, Hashes: [][]byte{}, CreatedAt: now})
}

// orderConnection writes an order for all that Redis may hold of a connection.
func orderConnection(ctx context.Context, q *sqlc.Queries, accountID, connectionID string, now time.Time) (forget.Order, error) {
	return order(ctx, q, sqlc.AddOrderParams{AccountID: accountID, ConnectionID: connectionID, Hashes: [][]byte{}, CreatedAt: now})
}

func order(ctx context.Context, q *sqlc.Queries, p sqlc.AddOrderParams) (forget.Order, error) {
	id, err := q.AddOrder(ctx, p)
	if err != nil {
		return forget.Order{}, err
	}
	return toOrder(sqlc.ForgetOutbox{
		ID: id, AccountID: p.AccountID, WholeAccount: p.WholeAccount, ConnectionID: p.ConnectionID,
		Hashes: p.Hashes, CreatedAt: p.CreatedAt,
	}), nil
}

func toOrder(row sqlc.ForgetOutbox) forget.Order {
	return forget.Order{
		ID: row.ID, AccountID: row.AccountID, WholeAccount: row.WholeAccount, ConnectionID: row.ConnectionID,
		Hashes: toHashes(row.Hashes), At: row.CreatedAt,
	}
}

func toHashes(raw [][]byte) []forget.Hash {
	hashes := make([]forget.Hash, len(raw))
	for i, h := range raw {
		hashes[i] = forget.Hash(h)
	}
	return hashes
}

// HashesOf implements forget.Outbox. What it gives does not depend on when it is
// asked after the commit, but for tokens issued since.
func (s *Store) HashesOf(ctx context.Context, o forget.Order) ([]forget.Hash, error) {
	hashes, err := s.q.ConnectionHashes(ctx, sqlc.ConnectionHashesParams{
		ConnectionID: o.ConnectionID, At: o.At, Recently: ptr(o.At.Add(-linksEndedSince)),
	})
	return toHashes(hashes), fault("hashes of a connection", err)
}

// DropOrder implements forget.Outbox.
func (s *Store) DropOrder(ctx context.Context, id int64) error {
	return fault("drop order", s.q.DropOrder(ctx, id))
}

// Orders implements forget.Outbox.
func (s *Store) Orders(ctx context.Context, before time.Time, atMost int) ([]forget.Order, error) {
	rows, err := s.q.ListOrders(ctx, sqlc.ListOrdersParams{Before: before, AtMost: int32(atMost)})
	if err != nil {
		return nil, fault("list orders", err)
	}
	orders := make([]forget.Order, len(rows))
	for i, row := range rows {
		orders[i] = toOrder(row.ForgetOutbox)
	}
	return orders, nil
}

// openOrder gives an order that was found open, with the error that goes with it;
// the absence of one is no order.
func openOrder(row sqlc.ForgetOutbox, err, with error) (forget.Order, error) {
	if errors.Is(err, pgx.ErrNoRows) {
		return forget.Order{}, with
	}
	if err != nil {
		return forget.Order{}, fault("open order", err)
	}
	return toOrder(row), with
}

func ptr[T any](v T) *T { return &v }
