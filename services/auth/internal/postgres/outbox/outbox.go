// Package outbox stores revocations and emails, which jobs deliver after the transaction that wrote them.
package outbox

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"vitae.internal/pkg/background"
	"vitae.internal/pkg/credential"
	"vitae.internal/services/auth/internal/credentials/revocation"
	"vitae.internal/services/auth/internal/postgres/db"
	"vitae.internal/services/auth/internal/postgres/sqlc"
)

// Outbox stores revocations and emails, which jobs deliver.
type Outbox struct{ DB *db.DB }

// linksEndedSince is how long before an entry a link may have ended and still be included in that entry. If a link
// ended earlier, its records have expired.
const linksEndedSince = time.Minute

// EnqueueHash writes an entry for one of an account's credentials.
func EnqueueHash(ctx context.Context, q *sqlc.Queries, accountID string, hash []byte, now time.Time) (revocation.Entry, error) {
	return Enqueue(ctx, q, sqlc.AddRevocationParams{AccountID: accountID, Hashes: [][]byte{hash}, CreatedAt: now})
}

// EnqueueAccount writes an entry for all of an account's records.
func EnqueueAccount(ctx context.Context, q *sqlc.Queries, accountID string, now time.Time) (revocation.Entry, error) {
	return Enqueue(ctx, q, sqlc.AddRevocationParams{AccountID: accountID, WholeAccount: true, Hashes: [][]byte{}, CreatedAt: now})
}

// EnqueueConnection writes an entry for all of a connection's records.
func EnqueueConnection(ctx context.Context, q *sqlc.Queries, accountID, connectionID string, now time.Time) (revocation.Entry, error) {
	return EnqueueConnections(ctx, q, accountID, connectionID, "", now)
}

// EnqueueConnections writes an entry for all records of a connection and of the connection between the same person
// and app through the other interface. other is empty if there is none.
func EnqueueConnections(ctx context.Context, q *sqlc.Queries, accountID, connectionID, other string, now time.Time) (revocation.Entry, error) {
	return Enqueue(ctx, q, sqlc.AddRevocationParams{
		AccountID: accountID, ConnectionID: connectionID, OtherConnectionID: other, Hashes: [][]byte{}, CreatedAt: now,
	})
}

func Enqueue(ctx context.Context, q *sqlc.Queries, p sqlc.AddRevocationParams) (revocation.Entry, error) {
	id, err := q.AddRevocation(ctx, p)
	if err != nil {
		return revocation.Entry{}, err
	}
	return entryFromRow(sqlc.RevocationEntry{
		ID: id, AccountID: p.AccountID, WholeAccount: p.WholeAccount, ConnectionID: p.ConnectionID,
		OtherConnectionID: p.OtherConnectionID, Hashes: p.Hashes, CreatedAt: p.CreatedAt,
	}), nil
}

func entryFromRow(row sqlc.RevocationEntry) revocation.Entry {
	return revocation.Entry{
		ID: row.ID, AccountID: row.AccountID, WholeAccount: row.WholeAccount, ConnectionID: row.ConnectionID,
		OtherConnectionID: row.OtherConnectionID, Hashes: hashesFromRows(row.Hashes), At: row.CreatedAt,
	}
}

func hashesFromRows(raw [][]byte) []credential.Digest {
	hashes := make([]credential.Digest, len(raw))
	for i, h := range raw {
		hashes[i] = credential.Digest(h)
	}
	return hashes
}

// ConnectionHashes implements revocation.Outbox. The result does not depend on when it is called, except that it
// includes tokens issued since the commit.
func (s *Outbox) ConnectionHashes(ctx context.Context, e revocation.Entry) ([]credential.Digest, error) {
	recently := e.At.Add(-linksEndedSince)
	connections := []string{e.ConnectionID}
	if e.OtherConnectionID != "" {
		connections = append(connections, e.OtherConnectionID)
	}
	hashes, err := s.DB.Q.ConnectionHashes(ctx, sqlc.ConnectionHashesParams{ConnectionIds: connections, At: e.At, Recently: &recently})
	return hashesFromRows(hashes), db.ErrorOf("hashes of a connection", err, nil)
}

func (s *Outbox) DeleteRevocation(ctx context.Context, id int64) error {
	return db.ErrorOf("delete revocation", s.DB.Q.DeleteRevocation(ctx, id), nil)
}

// Outboxes measures the outboxes.
func (s *Outbox) Outboxes(ctx context.Context, now time.Time) (background.Sizes, error) {
	rows, err := s.DB.Q.MeasureOutboxes(ctx, background.Most)
	sizes := background.Sizes{}
	for _, row := range rows {
		sizes[row.Outbox] = background.SizeAt(now, row.Entries, row.Oldest)
	}
	return sizes, db.ErrorOf("measure outboxes", err, nil)
}

func (s *Outbox) PendingRevocations(ctx context.Context, before time.Time, atMost int) ([]revocation.Entry, error) {
	rows, err := s.DB.Q.ListRevocations(ctx, sqlc.ListRevocationsParams{Before: before, AtMost: int32(atMost)})
	if err != nil {
		return nil, db.ErrorOf("list revocations", err, nil)
	}
	entries := make([]revocation.Entry, len(rows))
	for i, row := range rows {
		entries[i] = entryFromRow(row.RevocationEntry)
	}
	return entries, nil
}

// PendingEntry converts a query result to an entry, or to the zero entry if the query found no row. In both cases,
// it returns the given error with the entry. If the query failed, it returns the query's error.
func PendingEntry(row sqlc.RevocationEntry, err, with error) (revocation.Entry, error) {
	if errors.Is(err, pgx.ErrNoRows) {
		return revocation.Entry{}, with
	}
	if err != nil {
		return revocation.Entry{}, db.ErrorOf("pending revocation", err, nil)
	}
	return entryFromRow(row), with
}
