package postgres

import (
	"context"
	"time"

	"vitae.internal/services/auth/internal/forget"
	"vitae.internal/services/auth/internal/postgres/sqlc"
)

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

// orderConnection writes an order for what Redis may hold of a connection. Call
// it last in the transaction.
func orderConnection(ctx context.Context, q *sqlc.Queries, accountID, connectionID string, now time.Time) (forget.Order, error) {
	hashes, err := q.ConnectionHashes(ctx, sqlc.ConnectionHashesParams{
		ConnectionID: connectionID, At: now, Recently: ptr(now.Add(-linksEndedSince)),
	})
	if err != nil {
		return forget.Order{}, err
	}
	return orderHashes(ctx, q, accountID, hashes, now)
}

func order(ctx context.Context, q *sqlc.Queries, p sqlc.AddOrderParams) (forget.Order, error) {
	id, err := q.AddOrder(ctx, p)
	if err != nil {
		return forget.Order{}, err
	}
	return toOrder(sqlc.ForgetOutbox{ID: id, AccountID: p.AccountID, WholeAccount: p.WholeAccount, Hashes: p.Hashes, CreatedAt: p.CreatedAt}), nil
}

func toOrder(row sqlc.ForgetOutbox) forget.Order {
	o := forget.Order{ID: row.ID, AccountID: row.AccountID, WholeAccount: row.WholeAccount, At: row.CreatedAt}
	for _, h := range row.Hashes {
		o.Hashes = append(o.Hashes, forget.Hash(h))
	}
	return o
}

// DropOrder implements forget.OrderDropper.
func (s *Store) DropOrder(ctx context.Context, id int64) error {
	return fault("drop order", s.q.DropOrder(ctx, id))
}

// EachOrder implements forget.Orders.
func (s *Store) EachOrder(ctx context.Context, before time.Time, atMost int, do func(forget.Order) bool) (int, error) {
	done := 0
	err := s.tx(ctx, func(q *sqlc.Queries) error {
		rows, err := q.TakeOrders(ctx, sqlc.TakeOrdersParams{Before: before, AtMost: int32(atMost)})
		if err != nil {
			return err
		}
		for _, row := range rows {
			if !do(toOrder(row.ForgetOutbox)) {
				continue
			}
			if err := q.DropOrder(ctx, row.ForgetOutbox.ID); err != nil {
				return err
			}
			done++
		}
		return nil
	})
	return done, fault("each order", err)
}

func ptr[T any](v T) *T { return &v }
