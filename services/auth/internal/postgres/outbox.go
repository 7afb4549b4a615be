package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"vitae.internal/pkg/background"
	"vitae.internal/pkg/credential"
	"vitae.internal/services/auth/internal/credentials/revocation"
	"vitae.internal/services/auth/internal/postgres/sqlc"
)

var _ revocation.Outbox = (*Store)(nil)

// linksEndedSince bounds how long an entry still names links that ended before. No
// record of a link lives that long after its end.
const linksEndedSince = time.Minute

// enqueueHash writes an entry for one credential of an account.
func enqueueHash(ctx context.Context, q *sqlc.Queries, accountID string, hash []byte, now time.Time) (revocation.Entry, error) {
	return enqueue(ctx, q, sqlc.AddRevocationParams{AccountID: accountID, Hashes: [][]byte{hash}, CreatedAt: now})
}

// enqueueAccount writes an entry for every record of an account.
func enqueueAccount(ctx context.Context, q *sqlc.Queries, accountID string, now time.Time) (revocation.Entry, error) {
	return enqueue(ctx, q, sqlc.AddRevocationParams{AccountID: accountID, WholeAccount: true, Hashes: [][]byte{}, CreatedAt: now})
}

// enqueueConnection writes an entry for every record of a connection.
func enqueueConnection(ctx context.Context, q *sqlc.Queries, accountID, connectionID string, now time.Time) (revocation.Entry, error) {
	return enqueueConnections(ctx, q, accountID, connectionID, "", now)
}

// enqueueConnections writes an entry for every record of a connection and of the other
// one of its person and app; other is empty if there is none.
func enqueueConnections(ctx context.Context, q *sqlc.Queries, accountID, connectionID, other string, now time.Time) (revocation.Entry, error) {
	return enqueue(ctx, q, sqlc.AddRevocationParams{
		AccountID: accountID, ConnectionID: connectionID, OtherConnectionID: other, Hashes: [][]byte{}, CreatedAt: now,
	})
}

func enqueue(ctx context.Context, q *sqlc.Queries, p sqlc.AddRevocationParams) (revocation.Entry, error) {
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

// ConnectionHashes implements revocation.Outbox. After the commit, its answer does not
// depend on the time of the call, except for tokens that were issued since.
func (s *Store) ConnectionHashes(ctx context.Context, e revocation.Entry) ([]credential.Digest, error) {
	recently := e.At.Add(-linksEndedSince)
	connections := []string{e.ConnectionID}
	if e.OtherConnectionID != "" {
		connections = append(connections, e.OtherConnectionID)
	}
	hashes, err := s.q.ConnectionHashes(ctx, sqlc.ConnectionHashesParams{ConnectionIds: connections, At: e.At, Recently: &recently})
	return hashesFromRows(hashes), errorOf("hashes of a connection", err, nil)
}

func (s *Store) DeleteRevocation(ctx context.Context, id int64) error {
	return errorOf("delete revocation", s.q.DeleteRevocation(ctx, id), nil)
}

// Outboxes measures what waits in the outboxes.
func (s *Store) Outboxes(ctx context.Context, now time.Time) (background.Sizes, error) {
	rows, err := s.q.MeasureOutboxes(ctx, background.Most)
	sizes := background.Sizes{}
	for _, row := range rows {
		sizes[row.Outbox] = background.SizeAt(now, row.Entries, row.Oldest)
	}
	return sizes, errorOf("measure outboxes", err, nil)
}

func (s *Store) PendingRevocations(ctx context.Context, before time.Time, atMost int) ([]revocation.Entry, error) {
	rows, err := s.q.ListRevocations(ctx, sqlc.ListRevocationsParams{Before: before, AtMost: int32(atMost)})
	if err != nil {
		return nil, errorOf("list revocations", err, nil)
	}
	entries := make([]revocation.Entry, len(rows))
	for i, row := range rows {
		entries[i] = entryFromRow(row.RevocationEntry)
	}
	return entries, nil
}

// pendingEntry gives the pending entry that a query found, with the error that goes with
// it. If the query found none, the entry is empty.
func pendingEntry(row sqlc.RevocationEntry, err, with error) (revocation.Entry, error) {
	if errors.Is(err, pgx.ErrNoRows) {
		return revocation.Entry{}, with
	}
	if err != nil {
		return revocation.Entry{}, errorOf("pending revocation", err, nil)
	}
	return entryFromRow(row), with
}
