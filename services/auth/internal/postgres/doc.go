// Package postgres is the store of every domain package of auth. It has queries through
// sqlc (queries/*.sql, each with the index that serves it), and migrations through
// goose.
//
// Every transaction takes locks in the same order, so that no two of them wait for each
// other: connection, codes, families, access tokens, links. Exchanges and rotations lock
// one code or one family and nothing else. A transaction that ends a consent therefore
// locks the connection first. It then ends the rows below it statement by statement, each
// of which waits for exchanges and rotations that are under way. The credentials whose
// records must be deleted are read last, so that a token of a rotation that finished just
// before is among them.
//
// SQL is written in .sql files. The one exception is partitions.go, which says why.
//
// The package must never decide a rule of the domain. Where a rule must hold inside a
// transaction, the store calls a function or method of the domain.
package postgres
